import type { CheckReport, ReportedFinding } from "../../docs/check.ts";
import type { Fixed } from "../../docs/fix.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { diffOf } from "../documentation/draft-page.ts";
import { surveyRepository } from "../documentation/survey.ts";
import type { Crew } from "../model/models.ts";
import type { Usage } from "../model/prices.ts";
import { type Bench, finishRun, keepAudit } from "../run/agent-run.ts";
import { type AuditArticle, type AuditRecord, addCounts } from "../run/audit.ts";
import { type About, recordOf } from "../run/record.ts";
import { fixPassages, type PassagePage, type PassageResult } from "./fix-passages.ts";

export type RestOptions = { readonly dryRun?: boolean; readonly maxSteps?: number | undefined };

/** What a model made of the findings that rules left: a result for each, a patch for each page, and what it cost. */
export type Rest = {
  readonly model: string;
  readonly passages: readonly PassageResult[];
  /** From the page as the run found it to the page as it is, edits by rule included. */
  readonly patches: ReadonlyMap<string, string>;
  readonly usage: Usage;
  readonly record?: AuditRecord;
};

/**
 * Words what no rule could, under the run of the rules: their record and this one's are one record, so that one
 * undo takes back both.
 */
export async function fixRest(
  bench: Bench,
  crew: Crew,
  open: readonly ReportedFinding[],
  byRule: Fixed,
  report: CheckReport,
  options: RestOptions,
): Promise<Outcome<Rest>> {
  const { dryRun = false, maxSteps } = options;
  const survey = await surveyRepository(bench.context.reader, { signal: bench.signal });
  if (!survey.ok) return survey;
  const commits = await commitsSince(bench, report.base);
  const edited = editedByRule(byRule);
  const pages = await fixPassages(bench, crew, open, {
    checks: { ground: survey.value.ground, secrets: bench.secrets, commits },
    maxSteps,
    dryRun,
    edited,
  });
  const patches = new Map<string, string>();
  for (const { path, before, after } of pages) {
    const found = edited.get(path)?.seen ?? before;
    if (found !== after) patches.set(path, diffOf(path, found, after));
  }
  const usage = bench.ledger.total();
  const model = crew.writer.name;
  const passages = pages.flatMap((page) => page.passages);
  if (dryRun) return accept({ model, passages, patches, usage });
  const asked = Map.groupBy(open, ({ path }) => path);
  const articles = pages.map((page) =>
    articleOf(page, asked.get(page.path) ?? [], model, patches.get(page.path)),
  );
  const ruled = (byRule.record?.articles ?? []) as readonly AuditArticle[];
  const record = recordOf(bench, aboutOf(report, commits), joinArticles(ruled, articles));
  await keepAudit(bench, record);
  await finishRun(
    bench,
    articles.every(({ status }) => status !== "error"),
  );
  bench.signal?.throwIfAborted();
  return accept({ model, passages, patches, usage, record });
}

function aboutOf({ base, head, findings }: CheckReport, commits: readonly string[]): About {
  const changed = new Set(findings.flatMap(({ evidence }) => evidence.map(({ path }) => path)));
  const trigger = { base, head, commits, changedFiles: [...changed].sort() };
  return { source: "fix", command: "fix", trigger, tools: ["edit_article", "write_file"] };
}

async function commitsSince(bench: Bench, base: string): Promise<readonly string[]> {
  const change = await bench.repository?.changeSince(base);
  return change?.ok ? change.value.commits : [];
}

function editedByRule({ applied }: Fixed): Map<string, { seen: string; now: string }> {
  const changes = applied?.plan.changes ?? [];
  return new Map(
    changes.flatMap(({ path, before, after }) =>
      before.text === null || after === null ? [] : [[path, { seen: before.text, now: after }]],
    ),
  );
}

function articleOf(
  { path, passages, entry, objections, risks, usage, toolCalls }: PassagePage,
  asked: readonly ReportedFinding[],
  by: string,
  patch: string | undefined,
): AuditArticle {
  const edits = passages.flatMap((passage) =>
    passage.edits.map(({ old_string, new_string, reason }) => ({
      finding: passage.finding,
      old_string,
      new_string,
      reason,
      by,
    })),
  );
  const lines = new Map(asked.map(({ id, startLine }) => [id, startLine]));
  const lineOf = (id: string): number => lines.get(id) ?? 0;
  const errors = passages.flatMap(({ finding, error }) =>
    error === undefined ? [] : [`line ${lineOf(finding)}: ${error}`],
  );
  return {
    jrn: null,
    path,
    status: errors.length > 0 ? "error" : edits.length > 0 ? "updated" : "unchanged",
    evidence: asked.flatMap(({ evidence }) => evidence.map((each) => ({ ...each }))),
    ...(patch === undefined ? {} : { patch }),
    ...(edits.length > 0 ? { edits, editReasons: edits.map(({ reason }) => reason) } : {}),
    ...(entry === undefined ? {} : { entries: [entry] }),
    ...(objections.length > 0 ? { objections: [...objections] } : {}),
    ...(risks.length > 0 ? { risks: [...risks] } : {}),
    ...(errors.length > 0 ? { error: errors.join("; ") } : {}),
    reasoning: passages.map(({ finding, said }) => `line ${lineOf(finding)}: ${said}`).join("\n"),
    mode: "surgical-update",
    usage: { ...usage },
    toolCalls: { ...toolCalls },
  };
}

/** The rules' articles and the model's as one list, a page once, in order of path. */
function joinArticles(
  ruled: readonly AuditArticle[],
  worded: readonly AuditArticle[],
): readonly AuditArticle[] {
  const byPath = new Map(worded.map((article) => [article.path, article]));
  const byRule = ruled.map((article) => {
    const calls = { toolCalls: { edit_article: article.edits?.length ?? 0 } };
    return join({ ...article, ...calls }, byPath.get(article.path));
  });
  const known = new Set(ruled.map(({ path }) => path));
  const others = worded.filter(({ path }) => !known.has(path));
  return [...byRule, ...others].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One article for a page that both a rule and a model edited: the rule came first. */
function join(ruled: AuditArticle, worded: AuditArticle | undefined): AuditArticle {
  if (!worded) return ruled;
  const edits = [...(ruled.edits ?? []), ...(worded.edits ?? [])];
  const { status } = worded;
  return {
    ...ruled,
    ...worded,
    status: status === "unchanged" ? ruled.status : status,
    evidence: ruled.evidence,
    ...(edits.length > 0 ? { edits, editReasons: edits.map(({ reason }) => reason) } : {}),
    entries: [...(ruled.entries ?? []), ...(worded.entries ?? [])],
    toolCalls: addCounts(ruled.toolCalls ?? {}, worded.toolCalls ?? {}),
  };
}
