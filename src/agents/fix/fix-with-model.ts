import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import type { Fixed } from "../../docs/fix/fix.ts";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { indexRepository } from "../context/repository-index.ts";
import { createGrowingFacts } from "../gates/known-facts.ts";
import type { Risk } from "../gates/objection.ts";
import type { Usage } from "../model/prices.ts";
import { finishRun, type ModelRun, saveRecord } from "../run/agent-run.ts";
import { type AgentRunRecord, type ArticleRecord, addCounts } from "../run/audit.ts";
import { printPageDiff } from "../run/page-diff.ts";
import { buildRecord, gateFields, nonEmpty, type RunDetails } from "../run/run-record.ts";
import { openChange } from "./change-source.ts";
import { fixPassages, type PassagePage, type PassageResult } from "./fix-passages.ts";
import type { Recheck } from "./section-editor.ts";
import { VerdictMemory } from "./verdict-memory.ts";

/** The findings that rules left, with the report they come from and the work of the rules. */
export type ModelFixTask = {
  readonly findings: readonly ReportedFinding[];
  readonly byRule: Fixed;
  readonly report: CheckReport;
  readonly dryRun?: boolean | undefined;
  /** Checks a page with its new text. Absent: whether a rule still fires is not asked. */
  readonly recheck?: Recheck | undefined;
};

/** A result for each finding, a patch for each page, and the cost. */
export type ModelFixes = {
  readonly model: string;
  readonly passages: readonly PassageResult[];
  /** From the page before the run to the page after it, edits by rule included. */
  readonly patches: ReadonlyMap<string, string>;
  /** What a person should look at in the edits. */
  readonly risks: readonly Risk[];
  readonly usage: Usage;
  readonly record?: AgentRunRecord;
};

/** Fixes with a model what no rule could fix. Rules and model share one record, so one undo takes back both. */
export async function fixWithModel(run: ModelRun, task: ModelFixTask): Promise<Outcome<ModelFixes>> {
  const { findings, byRule, report, dryRun } = task;
  const index = await indexRepository(run, { base: report.base });
  if (!index.ok) return index;
  const { change, commits } = await openChange(run, report);
  const edited = editedByRule(byRule);
  const memory = await VerdictMemory.open(run);
  const known = memory.recall(findings, (path) => edited.get(path)?.seen ?? index.value.read(path));
  const { open, remembered } = await known;
  const pages = await fixPassages(run, open, {
    checks: { facts: createGrowingFacts(index.value.facts), secrets: run.secrets, commits },
    material: { change, redact: run.redact, codeLength: run.contextLength ?? undefined },
    recheck: task.recheck,
    dryRun,
    edited,
  });
  const patches = patchesOf(pages, edited);
  const model = run.models.writer.name;
  const passages = [...remembered, ...pages.flatMap((page) => page.passages)];
  const risks = pages.flatMap((page) => page.risks);
  const fixes = { model, passages, patches, risks, usage: run.budget.total() };
  await memory.remember(passages, model);
  if (dryRun) return accept(fixes);
  const byPath = Map.groupBy(findings, ({ path }) => path);
  const articles = pages.map((page) =>
    articleOf(page, { findings: byPath.get(page.path) ?? [], model, patch: patches.get(page.path) }),
  );
  const ruled = (byRule.record?.articles ?? []) as readonly ArticleRecord[];
  const record = buildRecord(run, detailsOf(report, commits), joinArticles(ruled, articles));
  await saveRecord(run, record);
  await finishRun(
    run,
    articles.every(({ status }) => status !== "error"),
  );
  run.signal?.throwIfAborted();
  return accept({ ...fixes, record });
}

type EditedByRule = ReadonlyMap<string, { readonly seen: string; readonly now: string }>;

function editedByRule({ applied }: Fixed): EditedByRule {
  const changes = applied?.plan.changes ?? [];
  return new Map(
    changes.flatMap(({ path, before, after }) =>
      before.text === null || after === null ? [] : [[path, { seen: before.text, now: after }]],
    ),
  );
}

function patchesOf(pages: readonly PassagePage[], edited: EditedByRule): Map<string, string> {
  const patches = new Map<string, string>();
  for (const { path, before, after } of pages) {
    const found = edited.get(path)?.seen ?? before;
    if (found !== after) patches.set(path, printPageDiff(path, found, after));
  }
  return patches;
}

function detailsOf({ base, head, findings }: CheckReport, commits: readonly string[]): RunDetails {
  const changed = new Set(findings.flatMap(({ evidence }) => evidence.map(({ path }) => path)));
  const trigger = { base, head, commits, changedFiles: [...changed].sort() };
  return { source: "fix", command: "fix", trigger, tools: ["edit_article", "write_file"] };
}

function articleOf(
  page: PassagePage,
  given: {
    readonly findings: readonly ReportedFinding[];
    readonly model: string;
    readonly patch: string | undefined;
  },
): ArticleRecord {
  const { path, passages, entry, usage, toolCalls } = page;
  const edits = passages.flatMap((passage) =>
    passage.edits.map(({ old_string, new_string, reason }) => ({
      finding: passage.finding,
      old_string,
      new_string,
      reason,
      ...defined({ by: passage.byRule ? undefined : given.model }),
    })),
  );
  const atLine = (line: number, text: string): string => `line ${line}: ${text}`;
  const errors = passages.flatMap(({ startLine, error }) =>
    error === undefined ? [] : [atLine(startLine, error)],
  );
  return {
    jrn: null,
    path,
    status: errors.length > 0 ? "error" : edits.length > 0 ? "updated" : "unchanged",
    evidence: given.findings.flatMap(({ evidence }) => evidence.map((each) => ({ ...each }))),
    ...defined({ patch: given.patch }),
    ...editFields(edits),
    ...nonEmpty("entries", entry === undefined ? [] : [entry]),
    ...gateFields(page),
    ...defined({
      draft: page.drafts.length > 0 ? page.drafts.join("") : undefined,
      error: errors.length > 0 ? errors.join("; ") : undefined,
    }),
    reasoning: passages
      .filter(({ summary }) => summary !== "")
      .map(({ startLine, summary }) => atLine(startLine, summary))
      .join("\n"),
    ...nonEmpty("verdicts", verdictsOf(passages, given.model)),
    mode: "surgical-update",
    usage: { ...usage },
    toolCalls: { ...toolCalls },
  };
}

function verdictsOf(
  passages: readonly PassageResult[],
  by: string,
): NonNullable<ArticleRecord["verdicts"]>[number][] {
  return passages.flatMap(({ finding, verdict }) =>
    verdict ? [{ finding, verdict: verdict.word, reason: verdict.reason, by }] : [],
  );
}

function editFields(
  edits: NonNullable<ArticleRecord["edits"]>,
): Pick<ArticleRecord, "edits" | "editReasons"> {
  return edits.length === 0 ? {} : { edits, editReasons: edits.map(({ reason }) => reason) };
}

/** The articles of the rules and of the model as one list, each page once, in order of path. */
function joinArticles(
  ruled: readonly ArticleRecord[],
  reworded: readonly ArticleRecord[],
): readonly ArticleRecord[] {
  const byPath = new Map(reworded.map((article) => [article.path, article]));
  const byRule = ruled.map((article) => {
    const calls = { toolCalls: { edit_article: article.edits?.length ?? 0 } };
    return joinArticle({ ...article, ...calls }, byPath.get(article.path));
  });
  const known = new Set(ruled.map(({ path }) => path));
  const others = reworded.filter(({ path }) => !known.has(path));
  return [...byRule, ...others].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One article for a page that both a rule and a model edited. The rule's edits come first. */
function joinArticle(ruled: ArticleRecord, reworded: ArticleRecord | undefined): ArticleRecord {
  if (!reworded) return ruled;
  const { status } = reworded;
  return {
    ...ruled,
    ...reworded,
    status: status === "unchanged" ? ruled.status : status,
    evidence: ruled.evidence,
    ...editFields([...(ruled.edits ?? []), ...(reworded.edits ?? [])]),
    entries: [...(ruled.entries ?? []), ...(reworded.entries ?? [])],
    toolCalls: addCounts(ruled.toolCalls ?? {}, reworded.toolCalls ?? {}),
  };
}
