import type { Tier } from "../../drift/findings.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { type Found, findQuote } from "../../text/match/quote.ts";
import { defined } from "../../text/model/defined.ts";
import type { Edit } from "../../text/model/edit.ts";
import { indexLines } from "../../text/model/lines.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Region } from "../../text/model/region.ts";
import { type Splice, tidy } from "../../text/model/splice.ts";
import { type Applied, applyEdits, type PlanGate } from "../../tools/apply-edits.ts";
import type { Context } from "../../tools/tool.ts";
import { fixWords } from "../../wording/fix.ts";
import { describeRefusal } from "../../wording/refusals/describe.ts";
import type { CheckReport, ReportedEdit, ReportedFinding } from "../check/report.ts";
import { type AuditArticle, type AuditRecord, patchOf, writeAudit } from "../record/audit.ts";

export type FixOptions = {
  /** Tiers whose edits are made. */
  readonly tiers: readonly Tier[];
  readonly dryRun?: boolean;
  readonly run: string;
  readonly time: string;
};

/** The result of `fix`: the findings whose edits were made, the other findings, and the record of the run. */
export type Fixed = {
  readonly fixed: readonly ReportedFinding[];
  readonly left: readonly ReportedFinding[];
  /** Why the edits of some findings were not made. */
  readonly why: ReadonlyMap<ReportedFinding, string>;
  readonly applied?: Applied;
  readonly record?: AuditRecord;
};

/**
 * Makes the edits of the chosen findings, all of them in one transaction, and leaves a record of the run. A page that may not
 * be written is left out, and the other pages are written.
 */
export async function fixFindings(
  context: Context,
  report: CheckReport,
  options: FixOptions,
): Promise<Outcome<Fixed>> {
  const isChosen = ({ tier, edits }: ReportedFinding): boolean =>
    options.tiers.includes(tier) && edits.length > 0;
  const reason = `keep the documents true to ${report.head === "worktree" ? "the work tree" : report.head}`;
  const written = await applyWhereAllowed(
    { ...context, run: options.run },
    report.findings.filter(isChosen),
    {
      reason,
      dry_run: options.dryRun,
    },
  );
  if (!written.ok) return written;
  const { fixed, why, applied } = written.value;
  const left = report.findings.filter((finding) => !fixed.includes(finding));
  if (applied === undefined) return accept({ fixed, left, why });
  if (!applied.entry || !context.workspace) return accept({ fixed, left, why, applied });
  const record = recordOf(report, { fixed, left, applied }, options);
  const kept = await writeAudit(context.workspace, record);
  if (!kept.ok) return kept;
  await context.workspace.finishRun(options.run, { succeeded: true });
  return accept({ fixed, left, why, applied, record });
}

type AppliedWhereAllowed = Pick<Fixed, "fixed" | "why"> & { readonly applied?: Applied };

/** Makes the edits of findings in one transaction, without the pages that may not be written. */
async function applyWhereAllowed(
  context: Context,
  findings: readonly ReportedFinding[],
  options: { readonly reason: string; readonly dry_run: boolean | undefined },
): Promise<Outcome<AppliedWhereAllowed>> {
  const refused = new Map<ReportedFinding, string>();
  for (;;) {
    const placed = await placeEdits(
      context,
      findings.filter((finding) => !refused.has(finding)),
    );
    if (!placed.ok) return placed;
    const { fixed, edits, versions } = placed.value;
    const why = new Map([...placed.value.why, ...refused]);
    if (fixed.length === 0) return accept({ fixed, why });
    const applied = await applyEdits(context, edits, { ...options, gates: [stillAsRead(versions)] });
    if (applied.ok) return accept({ fixed, why, applied: applied.value });
    const { code, path } = applied.refusal;
    const others = fixed.filter(({ edits }) => edits.some((edit) => edit.path === path));
    if (!ofOnePage.has(code) || others.length === 0) return applied;
    for (const finding of others)
      refused.set(finding, fixWords.refused(describeRefusal(applied.refusal).message));
  }
}

/** Refusals that say nothing about the other pages of a call. */
const ofOnePage: ReadonlySet<string> = new Set(["needs-consent", "not-allowed", "protected"]);

export type PlacedEdits = {
  readonly fixed: readonly ReportedFinding[];
  /** Why the other findings have no place. */
  readonly why: ReadonlyMap<ReportedFinding, string>;
  readonly edits: readonly Edit[];
  readonly versions: ReadonlyMap<string, string>;
};

/**
 * The edits of all findings as regions of the current pages, so that edits of the same lines do not block each other. A
 * finding is left out if its text is gone or another finding changes the same region.
 */
export async function placeEdits(
  context: Context,
  findings: readonly ReportedFinding[],
): Promise<Outcome<PlacedEdits>> {
  const fixed: ReportedFinding[] = [];
  const edits: Edit[] = [];
  const pages = new OpenPages(context);
  const why = new Map<ReportedFinding, string>();
  for (const finding of [...Map.groupBy(findings, ({ path }) => path).values()].flat()) {
    const placed = await pages.place(finding);
    if (!placed.ok) return placed;
    const { splices, isUnreadable } = placed.value;
    if (!splices?.every((one) => isFree(one))) {
      why.set(finding, isUnreadable ? fixWords.unreadable : splices ? fixWords.taken : fixWords.displaced);
      continue;
    }
    const fresh = splices.filter(({ page, splice }) => !page.taken.some((other) => isSame(splice, other)));
    for (const { page, splice } of fresh) page.taken.push(splice);
    fixed.push(finding);
    edits.push(...fresh.map((one) => toEdit(finding, one)));
  }
  return accept({ fixed, why, edits, versions: pages.versions() });
}

/** A page as it is now, with the changes that findings make in it. */
type Page = {
  readonly path: string;
  readonly text: string | null;
  readonly version: string;
  readonly locate: Locate;
  readonly taken: Splice[];
};

type PlacedSplice = { readonly page: Page; readonly splice: Splice };

/** Pages as they are now, each read once. */
export class OpenPages {
  readonly #context: Context;
  readonly #pages = new Map<string, Page>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** The changes of a finding in its pages; null unless each of its quotations has one place. */
  async place(
    finding: ReportedFinding,
  ): Promise<Outcome<{ readonly splices: readonly PlacedSplice[] | null; readonly isUnreadable: boolean }>> {
    const paths = new Set([finding.path, ...finding.edits.map(({ path }) => path)]);
    for (const path of paths) {
      if (this.#pages.has(path)) continue;
      const read = await this.#context.reader.read(path);
      if (!read.ok) return read;
      const { text, version } = read.value;
      this.#pages.set(path, { path, text, version, locate: placesIn(text ?? ""), taken: [] });
    }
    const isUnreadable = [...paths].some((path) => this.#pages.get(path)!.text === null);
    return accept({ splices: splicesOf(finding, this.#pages), isUnreadable });
  }

  versions(): ReadonlyMap<string, string> {
    return new Map(Array.from(this.#pages, ([path, { version }]) => [path, version]));
  }
}

function isFree({ page, splice }: PlacedSplice): boolean {
  return page.taken.every((other) => isSame(splice, other) || isApart(splice, other));
}

type Locate = (edit: ReportedEdit, finding: ReportedFinding) => Region | undefined;

/**
 * Finds the place of an edit in a text: the only match of its quotation, or, of equal lines, the one on the line of the
 * finding. Each different quotation is searched for once.
 */
function placesIn(text: string): Locate {
  const lines = indexLines(text);
  const known = new Map<string, Found>();
  return ({ path, old_string, occurrence }, { path: about, startLine, endLine }) => {
    const found = known.get(old_string) ?? findQuote(text, old_string);
    known.set(old_string, found);
    if (occurrence === undefined) return found.count === 1 ? found.regions[0] : undefined;
    if (path !== about) return found.regions[occurrence - 1];
    const [start, end] = [lines.starts[startLine - 1] ?? text.length, lines.starts[endLine] ?? text.length];
    const first = firstFrom(found.regions, start);
    const isOne = (found.regions[first + 1]?.start ?? text.length) >= end;
    if (isOne) return (found.regions[first]?.start ?? end) < end ? found.regions[first] : undefined;
    const named = found.regions[occurrence - 1];
    return named && named.start >= start && named.start < end ? named : undefined;
  };
}

/** The position of the first region that ends after an offset. */
function firstFrom(regions: readonly Region[], offset: number): number {
  let low = 0;
  let high = regions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (regions[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The changes of a finding in its pages, character by character; null unless each quotation has one place. */
function splicesOf(finding: ReportedFinding, pages: ReadonlyMap<string, Page>): PlacedSplice[] | null {
  const placed: PlacedSplice[] = [];
  for (const [path, own] of Map.groupBy(finding.edits, (edit) => edit.path)) {
    const page = pages.get(path)!;
    const { text, locate } = page;
    if (text === null) return null;
    const splices: Splice[] = [];
    for (const edit of own) {
      const place = locate(edit, finding);
      if (!place) return null;
      const { start, end } = place;
      for (const { region, text: inserted } of compareTexts(text.slice(start, end), edit.new_string))
        splices.push({ region: { start: start + region.start, end: start + region.end }, text: inserted });
    }
    placed.push(...tidy(text, splices).map((splice) => ({ page, splice })));
  }
  return placed;
}

function toEdit(finding: ReportedFinding, { page, splice: { region, text } }: PlacedSplice): Edit {
  return { path: page.path, target: { region }, text, reason: finding.message, evidence: finding.evidence };
}

function isSame(a: Splice, b: Splice): boolean {
  return a.text === b.text && a.region.start === b.region.start && a.region.end === b.region.end;
}

function isApart(a: Splice, b: Splice): boolean {
  return a.region.end < b.region.start || b.region.end < a.region.start;
}

/** Refuses a plan for another version of a page: the regions are valid only for the text that was read. */
export function stillAsRead(versions: ReadonlyMap<string, string>): PlanGate {
  return (plan) => {
    for (const { path, before } of plan.changes) {
      const expected = versions.get(path);
      if (expected !== undefined && expected !== before.version)
        return refuse({ code: "stale", path, expected, actual: before.version });
    }
    return accept(plan);
  };
}

/** The result of a fix: the findings it fixed, the findings it left, and the edits it wrote. */
type WrittenFix = {
  readonly fixed: readonly ReportedFinding[];
  readonly left: readonly ReportedFinding[];
  readonly applied: Applied;
};

function recordOf(
  report: CheckReport,
  { fixed, left, applied }: WrittenFix,
  options: FixOptions,
): AuditRecord {
  const written = fixed.flatMap(({ edits }) => edits.map(({ path }) => path));
  const paths = [...new Set([...[...fixed, ...left].map(({ path }) => path), ...written])].sort();
  return {
    version: 1,
    id: options.run,
    timestamp: options.time,
    source: "fix",
    trigger: {
      base: report.base,
      head: report.head,
      commits: [],
      changedFiles: [
        ...new Set(report.findings.flatMap(({ evidence }) => evidence.map(({ path }) => path))),
      ].sort(),
      ...defined({ documents: report.docs?.head }),
    },
    model: null,
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    toolCalls: { edit_article: fixed.reduce((sum, { edits }) => sum + edits.length, 0), write_file: 0 },
    articles: paths.map((path) => articleOf(path, { fixed, left, applied })),
  };
}

function articleOf(path: string, { fixed, left, applied }: WrittenFix): AuditArticle {
  const here = fixed.filter(
    (finding) => finding.path === path || finding.edits.some((edit) => edit.path === path),
  );
  const open = left.filter((finding) => finding.path === path);
  const change = applied.plan.changes.find((one) => one.path === path);
  const evidence = [...here, ...open].flatMap((finding) => finding.evidence);
  const reasoning =
    open.length === 0
      ? {}
      : { reasoning: `Left for a person: ${open.map(({ message }) => message).join(" ")}` };
  if (!change) return { jrn: null, path, status: "unchanged", evidence, ...reasoning };
  const edits = here.flatMap(({ id, edits }) =>
    edits
      .filter((edit) => edit.path === path)
      .map(({ old_string, new_string, reason, original }) => ({
        finding: id,
        old_string,
        new_string,
        reason,
        ...(original === undefined ? {} : { by: "person", original }),
      })),
  );
  return {
    jrn: null,
    path,
    status: "updated",
    evidence,
    patch: patchOf(change),
    editReasons: edits.map(({ reason }) => reason),
    edits,
    ...defined({ entries: applied.entry ? [applied.entry.id] : undefined }),
    ...reasoning,
  };
}
