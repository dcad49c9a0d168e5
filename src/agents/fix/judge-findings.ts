import { applyJudgement } from "../../docs/check/judgement.ts";
import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { isAboutPage, isInstructions } from "../../docs/fix/choose.ts";
import type { Judgement } from "../../docs/record/verdicts.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { fixText } from "../../wording/agents.ts";
import { whyUnusable } from "../model/answer/refusal.ts";
import { judgeSection } from "../prompts/fix-section.ts";
import type { ModelRun } from "../run/agent-run.ts";
import { Assignment } from "../run/assignment.ts";
import { mapConcurrently } from "../run/concurrency.ts";
import { openChange } from "./change-source.ts";
import { findExcerpts, type SourceExcerpt } from "./excerpts.ts";
import { parseSectionAnswer, type Verdict } from "./section-answer.ts";
import { buildQuestion, type QuestionMaterial } from "./section-question.ts";
import { VerdictMemory } from "./verdict-memory.ts";

const sectionsAtOnce = 4;

export type JudgeOptions = {
  /** A page as the report's head has it; by default as it is on the disk. `null`: there is none. */
  readonly read?: (path: string) => Promise<string | null>;
};

/** Reads pages from the disk. */
export function pageReader({ context }: ModelRun): NonNullable<JudgeOptions["read"]> {
  return async (path) => {
    const found = await context.reader.read(path);
    return found.ok ? found.value.text : null;
  };
}

/**
 * A report after a model has judged its findings, section by section: likely findings that it calls false alarms are
 * only possible, and possible ones that it confirms are likely. A finding without a usable verdict stays as it was.
 */
export async function judgeFindings(
  run: ModelRun,
  report: CheckReport,
  { read = pageReader(run) }: JudgeOptions = {},
): Promise<Outcome<CheckReport>> {
  const { change } = await openChange(run, report);
  const material = { change, redact: run.redact, codeLength: run.contextLength ?? undefined };
  const memory = await VerdictMemory.open(run);
  const texts = new Map<string, string>();
  const open: ReportedFinding[] = [];
  const judged = new Map<ReportedFinding, Judgement>();
  for (const finding of report.findings) {
    if (isAboutPage(finding.kind) || isInstructions(finding.path)) continue;
    if (!texts.has(finding.path)) texts.set(finding.path, (await read(finding.path)) ?? "");
    const known = await memory.find(finding, (path) => texts.get(path) ?? null);
    if (known) judged.set(finding, known);
    else open.push(finding);
  }
  const excerpts = [...Map.groupBy(open, ({ path }) => path)].flatMap(([path, here]) =>
    findExcerpts(path, texts.get(path) ?? "", here).map((excerpt) => ({ path, excerpt })),
  );
  const model = run.models.reviewer ?? run.models.writer;
  await mapConcurrently(excerpts, sectionsAtOnce, async ({ path, excerpt }) => {
    const verdicts = await judgeExcerpt(
      { ...run, model },
      { path, text: texts.get(path) ?? "" },
      excerpt,
      material,
    );
    for (const [i, { word, reason }] of verdicts) {
      const finding = open.find((one) => one === excerpt.findings[i]);
      if (finding) judged.set(finding, { verdict: word, reason, by: model.name });
    }
  });
  const fresh = open.flatMap((finding) => {
    const one = judged.get(finding);
    return one
      ? [
          {
            finding: finding.id,
            startLine: finding.startLine,
            verdict: { word: one.verdict, reason: one.reason },
          },
        ]
      : [];
  });
  await memory.remember(fresh, model.name);
  const findings = report.findings.map((finding) => {
    const judgement = judged.get(finding);
    return judgement ? applyJudgement(finding, judgement) : finding;
  });
  return accept({ ...report, findings });
}

/** The verdicts on one section, by the position of its finding; none where the answer cannot be used. */
async function judgeExcerpt(
  run: ModelRun & { readonly model: ModelRun["models"]["writer"] },
  page: { readonly path: string; readonly text: string },
  excerpt: SourceExcerpt,
  material: QuestionMaterial,
): Promise<ReadonlyMap<number, Verdict>> {
  const question = await buildQuestion([excerpt], page, material);
  const work = new Assignment(run, { subject: page.path, command: "check" });
  work.begin("judging");
  const answered = await run.model.ask({ ...work.request(judgeSection(question)), maxOutputTokens: 1000 });
  if (!answered.ok) {
    const detail = "detail" in answered.refusal ? (answered.refusal.detail ?? "") : "";
    run.report({ kind: "failed", subject: page.path, text: detail });
    return new Map();
  }
  const { verdicts } = parseSectionAnswer(answered.value.text, { notices: excerpt.findings.length });
  if (verdicts.size < excerpt.findings.length)
    run.report({
      kind: "failed",
      subject: page.path,
      text: run.redact(
        whyUnusable(
          run.model.name,
          answered.value,
          verdicts.size === 0 ? fixText.noVerdict : fixText.someVerdicts,
        ),
      ),
    });
  return verdicts;
}
