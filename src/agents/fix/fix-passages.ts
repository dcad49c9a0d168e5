import type { ReportedEdit } from "../../docs/check.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Objection, Risk } from "../gates/objection.ts";
import type { Crew } from "../model/models.ts";
import type { Usage } from "../model/prices.ts";
import { type Bench, followSteps, type Progress, worded } from "../run/agent-run.ts";
import { addCounts } from "../run/audit.ts";
import { stoppedWords, unlessStopped } from "../run/cancellation.ts";
import { commitPage } from "../run/commit-page.ts";
import { inParallel } from "../run/concurrency.ts";
import { stagePage } from "../run/in-memory-workspace.ts";
import type { Confined } from "../run/write-scope.ts";
import { fixPassage, type OpenFinding, type PageInHand, type PassageOptions } from "./fix-passage.ts";

/** What became of one passage: the edits that went in, or why there are none. */
export type PassageResult = {
  readonly finding: string;
  readonly said: string;
  readonly edits: readonly ReportedEdit[];
  readonly error?: string;
};

/** One page and its passages. Without an `entry` nothing of it was written. */
export type PassagePage = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly passages: readonly PassageResult[];
  readonly entry?: string;
  readonly objections: readonly Objection[];
  readonly risks: readonly Risk[];
  readonly usage: Usage;
  readonly toolCalls: Readonly<Record<string, number>>;
};

const pagesAtOnce = 4;

/**
 * What rules leave over, passage by passage: a small question first, an edit of that passage alone if the answer is
 * yes, and a reviewer whose objections go through the same tool. A page is written once, in one transaction.
 */
export function fixPassages(
  bench: Bench,
  crew: Crew,
  findings: readonly OpenFinding[],
  options: PassageOptions,
): Promise<PassagePage[]> {
  const pages = [...Map.groupBy(findings, ({ path }) => path)];
  return inParallel(pages, pagesAtOnce, ([path, open]) => fixPage(bench, crew, path, open, options));
}

async function fixPage(
  bench: Bench,
  crew: Crew,
  path: string,
  findings: readonly OpenFinding[],
  options: PassageOptions,
): Promise<PassagePage> {
  const ledger = bench.ledger.sub();
  const read = await bench.context.reader.read(path);
  const edited = options.edited?.get(path);
  const before = (options.dryRun ? edited?.now : undefined) ?? (read.ok ? read.value.text : null);
  if (!read.ok || before === null) {
    const error = read.ok ? "the page is gone" : worded(bench, read.refusal);
    return unread(path, findings, error, ledger.total());
  }
  const staged = stagePage(bench.context.reader, path, before);
  const inHand: PageInHand = {
    bench: { ...bench, ledger },
    crew,
    path,
    seen: edited?.seen ?? before,
    before,
    staged,
    options,
    hands: [],
    steps: followSteps(bench, path, ledger),
  };
  const passages: PassageResult[] = [];
  const confined: Confined[] = [];
  for (const finding of findings) {
    const already = staged.edits().length;
    const done = await unlessStopped(
      bench.signal,
      () => fixPassage(inHand, finding, confined),
      () => ({ said: "", error: stoppedWords }),
    );
    const edits = staged.edits().slice(already).map(toReported);
    passages.push({ finding: finding.id, edits, ...done });
  }
  const page = {
    path,
    before,
    after: staged.text(),
    objections: confined.flatMap((each) => each.objections()),
    risks: confined.flatMap((each) => each.risks()),
    usage: ledger.total(),
    toolCalls: addCounts({ edit_article: 0 }, ...inHand.hands.map((hands) => hands.counts())),
  };
  const written = await writePage(inHand, read.value.version);
  bench.report(endOf(inHand, written.ok && passages.every(({ error }) => error === undefined)));
  if (written.ok) return { ...page, passages, ...(written.value === null ? {} : { entry: written.value }) };
  const error = worded(bench, written.refusal);
  const lost = passages.map((each) => (each.edits.length > 0 ? { ...each, edits: [], error } : each));
  return { ...page, after: before, passages: lost };
}

function endOf({ path, before, staged, options }: PageInHand, sound: boolean): Progress {
  if (!sound) return { kind: "failed", subject: path, text: `✖ ${path}: not every passage could be mended` };
  if (staged.text() === before) return { kind: "done", subject: path, text: `○ No update needed: ${path}` };
  const text = options.dryRun ? `· Would write ${path}` : `✔ Wrote ${path}`;
  return { kind: "done", subject: path, text };
}

function unread(path: string, findings: readonly OpenFinding[], error: string, usage: Usage): PassagePage {
  const passages = findings.map(({ id }) => ({ finding: id, said: "", edits: [], error }));
  return { path, before: "", after: "", passages, objections: [], risks: [], usage, toolCalls: {} };
}

/** The journal's name for what was written; `null` where there was nothing to write. */
async function writePage(
  { bench, crew, path, before, staged, options }: PageInHand,
  version: string,
): Promise<Outcome<string | null>> {
  const after = staged.text();
  // A page in hand when somebody stops the run stays as it was.
  if (after === before || options.dryRun) return accept(null);
  if (bench.signal?.aborted) return refuse({ code: "unavailable", detail: stoppedWords });
  const committed = await commitPage(
    { ...bench.context, author: `agent ${crew.writer.name}` },
    {
      path,
      draft: { mode: "surgical-update", base: before, after, edits: staged.edits(), summary: "" },
      version,
      checks: options.checks,
      dryRun: false,
    },
  );
  return committed.ok ? accept(committed.value.entry?.id ?? null) : committed;
}

function toReported(edit: Edit): ReportedEdit {
  const old_string = "quote" in edit.target ? edit.target.quote : "";
  const new_string = "text" in edit && edit.text !== null ? edit.text : "";
  return { path: edit.path, old_string, new_string, reason: edit.reason };
}
