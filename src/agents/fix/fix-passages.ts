import type { ReportedEdit } from "../../docs/check/report.ts";
import { defined } from "../../text/model/defined.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { agentText, progressText } from "../../wording/agents.ts";
import type { Objection, Risk } from "../gates/objection.ts";
import { nothingUsed, type Usage } from "../model/prices.ts";
import { type ModelRun, type RunProgress, refusalText, writerOf } from "../run/agent-run.ts";
import { cancelledText, unlessCancelled } from "../run/cancellation.ts";
import { commitPage } from "../run/commit-page.ts";
import { mapConcurrently } from "../run/concurrency.ts";
import { findExcerpts, groupExcerpts, type OpenFinding, type SourceExcerpt } from "./excerpts.ts";
import { type EditedPage, type PassageResult, SectionEditor, type SectionOptions } from "./section-editor.ts";

export type { PassageResult } from "./section-editor.ts";

export type FixPassagesOptions = SectionOptions & {
  readonly dryRun?: boolean | undefined;
  /** Pages that rules have just edited: the text of the findings, and the current text, if only in a preview. */
  readonly edited?: ReadonlyMap<string, { readonly seen: string; readonly now: string }>;
};

/** One page and its passages. Without an `entry`, nothing was written. */
export type PassagePage = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly passages: readonly PassageResult[];
  readonly entry?: string;
  readonly objections: readonly Objection[];
  readonly risks: readonly Risk[];
  /** Sections that code refused, as diffs. */
  readonly drafts: readonly string[];
  readonly usage: Usage;
  readonly toolCalls: Readonly<Record<string, number>>;
};

const pagesAtOnce = 4;

/**
 * Fixes the findings that rules left, one question for each page where it fits: verdicts on its notices, and its sections
 * as they should read. Code makes the edits and checks them. Each page is written once, in one transaction.
 */
export function fixPassages(
  run: ModelRun,
  findings: readonly OpenFinding[],
  options: FixPassagesOptions,
): Promise<PassagePage[]> {
  const pages = [...Map.groupBy(findings, ({ path }) => path)];
  return mapConcurrently(pages, pagesAtOnce, ([path, open]) => {
    const pageRun = { ...run, budget: run.budget.child() };
    return fixPage(pageRun, { path, findings: open }, options);
  });
}

function failed(
  { finding, startLine }: Pick<PassageResult, "finding" | "startLine">,
  error: string,
): PassageResult {
  return { finding, startLine, summary: "", edits: [], error };
}

type PageFindings = { readonly path: string; readonly findings: readonly OpenFinding[] };

async function fixPage(
  run: ModelRun,
  { path, findings }: PageFindings,
  options: FixPassagesOptions,
): Promise<PassagePage> {
  const read = await run.context.reader.read(path);
  const edited = options.edited?.get(path);
  const before = (options.dryRun ? edited?.now : undefined) ?? (read.ok ? read.value.text : null);
  if (!read.ok || before === null)
    return unreadable({ path, findings }, read.ok ? agentText.pageGone : refusalText(run, read.refusal));
  const page = { path, seen: edited?.seen ?? before, before };
  const editor = new SectionEditor(run, page, options);
  const inTurn = groupExcerpts(page.seen, findExcerpts(path, page.seen, findings));
  const passages = (await fixEach(run, editor, inTurn)).sort((a, b) => a.startLine - b.startLine);
  const done = {
    path,
    before,
    after: editor.text(),
    objections: editor.objections(),
    risks: editor.risks(),
    drafts: editor.drafts(),
    usage: run.budget.total(),
    toolCalls: { edit_article: editor.edits().length },
  };
  const written = await writePage(run, { page, editor, version: read.value.version }, options);
  const sound = written.ok && passages.every(({ error }) => error === undefined);
  const lost = written.ok ? failuresOf(passages) : [];
  run.report(progressOf(page, { after: done.after, sound, lost, dryRun: options.dryRun }));
  if (!written.ok) {
    const error = refusalText(run, written.refusal);
    const unwritten = passages.map((each) =>
      each.edits.length > 0 || each.settled ? failed(each, error) : each,
    );
    return { ...done, after: before, passages: unwritten };
  }
  return written.value === null ? { ...done, passages } : { ...done, passages, entry: written.value };
}

async function fixEach(
  run: ModelRun,
  editor: SectionEditor,
  groups: readonly (readonly SourceExcerpt[])[],
): Promise<PassageResult[]> {
  const passages: PassageResult[] = [];
  for (const sections of groups) {
    const findings = sections.flatMap((excerpt) => excerpt.findings);
    const results = await unlessCancelled(
      run.signal,
      () => editor.fix(sections),
      () => findings.map(({ id }) => ({ finding: id, summary: "", edits: [], error: cancelledText })),
    );
    passages.push(...results.map((result, i) => ({ ...result, startLine: findings[i]!.startLine })));
  }
  return passages;
}

function progressOf(
  { path, before }: EditedPage,
  done: {
    readonly after: string;
    readonly sound: boolean;
    readonly lost: Parameters<typeof progressText.notAllFixed>[1];
    readonly dryRun: boolean | undefined;
  },
): RunProgress {
  if (!done.sound) return { kind: "failed", subject: path, text: progressText.notAllFixed(path, done.lost) };
  if (done.after === before) return { kind: "done", subject: path, text: progressText.noUpdate(path) };
  return { kind: "done", subject: path, text: progressText.wrote(path, done.dryRun) };
}

/** Why passages failed, each reason once with its lines. */
function failuresOf(passages: readonly PassageResult[]): Parameters<typeof progressText.notAllFixed>[1] {
  const failed = passages.filter(({ error }) => error !== undefined);
  return [...Map.groupBy(failed, ({ error }) => error!)].map(([why, here]) => ({
    lines: [...new Set(here.map(({ startLine }) => startLine))],
    why,
  }));
}

function unreadable({ path, findings }: PageFindings, error: string): PassagePage {
  const passages = findings.map(({ id, startLine }) => failed({ finding: id, startLine }, error));
  return {
    path,
    before: "",
    after: "",
    passages,
    objections: [],
    risks: [],
    drafts: [],
    usage: nothingUsed,
    toolCalls: {},
  };
}

/** The journal entry of the page; `null` where there was nothing to write. A cancelled page stays as it was. */
async function writePage(
  run: ModelRun,
  edited: { readonly page: EditedPage; readonly editor: SectionEditor; readonly version: string },
  { checks, dryRun }: FixPassagesOptions,
): Promise<Outcome<string | null>> {
  const { page, editor, version } = edited;
  const { path, before } = page;
  const after = editor.text();
  if (after === before || dryRun) return accept(null);
  if (run.signal?.aborted) return refuse({ code: "unavailable", detail: cancelledText });
  const edits = editor.edits().map(toEdit);
  const draft = { mode: "surgical-update", base: before, after, edits, summary: "" } as const;
  const context = { ...run.context, ...writerOf(run) };
  const committed = await commitPage(context, { path, draft, version, checks, dryRun: false });
  return committed.ok ? accept(committed.value.entry?.id ?? null) : committed;
}

function toEdit({ path, old_string, new_string, occurrence, reason }: ReportedEdit): Edit {
  const target = { quote: old_string, ...defined({ occurrence }) };
  return { path, target, text: new_string, reason, evidence: [] };
}
