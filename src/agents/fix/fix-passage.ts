import type { ReportedFinding } from "../../docs/check.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { indexLines, lineEnd } from "../../text/model/lines.ts";
import type { Change } from "../../text/model/plan.ts";
import type { Region } from "../../text/model/region.ts";
import { mapOffset } from "../../text/model/splice.ts";
import { diffOf, writerDefaults } from "../documentation/draft-page.ts";
import { reviewDraft } from "../documentation/review.ts";
import { type Checks, checkDraft } from "../gates/check-draft.ts";
import { merge, type Verdict } from "../gates/objection.ts";
import { extendMetadata } from "../model/metadata.ts";
import type { Crew } from "../model/models.ts";
import { leftForPerson, whyUnfinished } from "../model/stop-reason.ts";
import { judgePassage } from "../prompts/judge-passage.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { wordPassage } from "../prompts/word-passage.ts";
import { type Bench, type Steps, sessionOf, worded } from "../run/agent-run.ts";
import { giveHands, type Hands } from "../run/agent-tools.ts";
import type { StagedPage } from "../run/in-memory-workspace.ts";
import { type Confined, confine } from "../run/write-scope.ts";

/** A passage that no rule could mend. */
export type OpenFinding = Pick<
  ReportedFinding,
  "id" | "path" | "startLine" | "endLine" | "message" | "evidence"
>;

/** How passages are worked on. */
export type PassageOptions = {
  readonly checks: Checks;
  readonly maxSteps?: number | undefined;
  readonly dryRun?: boolean | undefined;
  /** Pages that rules have just edited: as the findings saw them, and as they are by now, if only in a preview. */
  readonly edited?: ReadonlyMap<string, { readonly seen: string; readonly now: string }>;
};

/** One page while its passages are worked on. */
export type PageInHand = {
  readonly bench: Bench;
  readonly crew: Crew;
  readonly path: string;
  /** The page that the lines of findings count in, and the page that gates compare with. */
  readonly seen: string;
  readonly before: string;
  readonly staged: StagedPage;
  readonly options: PassageOptions;
  readonly hands: Hands[];
  readonly steps: Steps;
};

/** What is to be said of a passage afterwards. */
export type Said = { readonly said: string; readonly error?: string };

/** A small question first; an edit of the passage if the answer is yes; and what a reviewer makes of that. */
export async function fixPassage(
  inHand: PageInHand,
  finding: OpenFinding,
  confined: Confined[],
): Promise<Said> {
  const { bench, crew, path, staged } = inHand;
  const evidence = finding.evidence.map(({ path: file, before = absent, after = absent }) => ({
    path: file,
    before: bench.redact(before),
    after: bench.redact(after),
  }));
  const text = staged.text();
  const passage = passageText(inHand, finding);
  const step = (what: string) => inHand.steps.begin(`line ${finding.startLine}: ${what}`);
  step("asking whether it is wrong");
  const judge = crew.reviewer ?? crew.planner;
  const judged = await ask(inHand, judge, judgePassage({ path, passage, evidence }), 300);
  if (!judged.ok) return { said: "", error: worded(bench, judged.refusal) };
  const verdict = /^\W*(YES|NO)\b[\s.,:;–-]*([\s\S]*)/i.exec(judged.value.text);
  if (verdict?.[1]?.toUpperCase() !== "YES")
    return { said: `left as it is: ${(verdict?.[2] ?? "no clear answer").trim()}` };

  step("wording");
  const shown = { path, passage, startLine: finding.startLine, endLine: finding.endLine, evidence };
  const why = `${finding.message} ${verdict[2]}`;
  const first = await edit(inHand, finding, wordPassage({ ...shown, why }), confined);
  if (first !== null) return { said: "", error: first };
  const now = staged.text();
  if (now === text || !crew.reviewer) return { said: now === text ? "nothing was changed" : "reworded" };
  step("reviewing");
  const source = evidence.map(({ path: file, after }) => `${file}: ${after}`).join("\n");
  const draft = { path, draft: now, patch: diffOf(path, text, now), source };
  const { findings: objections } = await reviewDraft(crew.reviewer, draft, {
    ledger: bench.ledger,
    metadata: sessionOf(bench, "fix"),
    signal: bench.signal,
  });
  if (objections.length === 0) return { said: "reworded" };
  const answer = wordPassage({ ...shown, passage: passageText(inHand, finding), why: objections.join("\n") });
  const again = await edit(inHand, finding, answer, confined);
  return again === null ? { said: "reworded, and again after review" } : { said: "reworded", error: again };
}

/** What stands for a side of the evidence that has no text: added lines have no before, removed ones no after. */
const absent = "(nothing)";

/** A conversation with `edit_article` over the passage; `null` when it went well. */
async function edit(
  inHand: PageInHand,
  finding: OpenFinding,
  prompt: Prompt,
  all: Confined[],
): Promise<string | null> {
  const { bench, crew, path, staged } = inHand;
  const confined = confine(staged.workspace, {
    mayWrite: (written) => written === path,
    judge: (change, reasons) => judgeChange(inHand, finding, change, reasons),
  });
  const { mode: _, ...context } = bench.context;
  const hands = giveHands(
    {
      ...context,
      reader: staged.workspace,
      workspace: confined.workspace,
      profile: "docs",
      author: `agent ${crew.writer.name}`,
      task: finding.id,
      article: path,
    },
    bench.redact,
  );
  inHand.hands.push(hands);
  all.push(confined);
  const already = staged.edits().length;
  const isEnough = (): boolean => staged.edits().length > already;
  const answered = await ask(inHand, crew.writer, prompt, writerDefaults.maxOutputTokens, {
    hands,
    isEnough,
  });
  if (!answered.ok) return worded(bench, answered.refusal);
  return leftForPerson(confined.objections()) ?? whyUnfinished(answered.value.end);
}

function ask(
  { bench, path, options, steps }: PageInHand,
  model: Crew["writer"],
  prompt: Prompt,
  maxOutputTokens: number,
  work?: { readonly hands: Hands; readonly isEnough: () => boolean },
) {
  return model.ask({
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    maxOutputTokens,
    temperature: writerDefaults.temperature,
    ledger: bench.ledger,
    onStep: steps.answered,
    metadata: extendMetadata(sessionOf(bench, "fix"), {
      properties: { documentPath: path, documentType: "passage", mode: "surgical-update" },
    }),
    ...(bench.signal === undefined ? {} : { signal: bench.signal }),
    ...(work === undefined
      ? {}
      : {
          tools: work.hands.tools,
          isEnough: work.isEnough,
          maxSteps: options.maxSteps ?? writerDefaults.maxSteps,
        }),
  });
}

/** The passage and nothing else may change; what it becomes passes the same gates as every text of a model's. */
async function judgeChange(
  { path, seen, before, options }: PageInHand,
  finding: OpenFinding,
  change: Change,
  reasons: readonly string[],
): Promise<Verdict> {
  const given = passageIn(seen, change.before.text ?? "", finding);
  const stray = change.splices.some(({ region }) => region.start < given.start || region.end > given.end);
  const where = `only lines ${finding.startLine} to ${finding.endLine} of ${path}, as it was, may change`;
  const checked = await checkDraft({ path, before, after: change.after ?? "", reasons }, options.checks);
  return merge([checked, { objections: stray ? [{ gate: "place", path, detail: where }] : [] }]);
}

/** Where the lines of a finding stand by now: edits of rules and of other passages move them. */
function passageIn(seen: string, now: string, { startLine, endLine }: OpenFinding): Region {
  const lines = indexLines(seen);
  const last = lines.starts.length - 1;
  const start = lines.starts[Math.min(startLine - 1, last)] ?? 0;
  const end = lineEnd(lines, Math.min(endLine - 1, last));
  const splices = compareTexts(seen, now);
  return { start: mapOffset(start, splices, "before"), end: mapOffset(end, splices, "after") };
}

function passageText({ seen, staged }: PageInHand, finding: OpenFinding): string {
  const now = staged.text();
  const { start, end } = passageIn(seen, now, finding);
  return now.slice(start, end);
}
