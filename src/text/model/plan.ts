import { compareTexts } from "../diff/compare.ts";
import { type QuoteEdit, type QuoteStep, regionsBefore, runQuotes } from "../match/batch.ts";
import { placeHunks } from "../match/hunks/place-hunks.ts";
import { locateQuote } from "../match/locate.ts";
import { defined } from "./defined.ts";
import type { Edit, FileMode, Fit } from "./edit.ts";
import { byteOrderMark, loneSurrogate } from "./encoding.ts";
import { endingAt, insertLines, withEnding } from "./lines.ts";
import { accept, type Outcome, type Refusal, refuse } from "./outcome.ts";
import { overlap, type Region } from "./region.ts";
import type { Snapshot } from "./snapshot.ts";
import { applySplices, compose, createOffsetMap, mapOffset, type Splice, tidy } from "./splice.ts";

/**
 * One file, before and after; `after: null` means the file is gone. Splices refer to `before.text`, or to the
 * text of `from` where the content came from there; a text that is not there counts as empty.
 */
export type Change = {
  readonly path: string;
  readonly before: Snapshot;
  readonly splices: readonly Splice[];
  readonly after: string | null;
  /** Set when the content came from another path (a move or a copy). */
  readonly from?: string;
  /** Set when permission is part of the change. */
  readonly mode?: FileMode;
};

/** Where one edit landed: regions of its file before and after the whole plan. */
export type Landing = {
  readonly edit: number;
  readonly path: string;
  readonly fit: Fit;
  readonly before: readonly Region[];
  readonly after: readonly Region[];
  /** Further places of the quotation that were not edited. */
  readonly remaining: number;
  readonly notes: readonly Note[];
};

/** Information for the caller about how an edit was applied. */
export type Note =
  | { readonly note: "offset"; readonly hunk: number; readonly stated: number; readonly actual: number }
  | {
      readonly note: "miscounted";
      readonly hunk: number;
      readonly statedOld: number;
      readonly statedNew: number;
    }
  | { readonly note: "already-applied"; readonly hunk: number }
  | { readonly note: "re-indented"; readonly by: string }
  | { readonly note: "read-as"; readonly as: "blank-edges" | "fence" | "line-numbers" | "segments" };

/** Every change of one call, in memory. Nothing is written yet. */
export type Plan = {
  readonly edits: readonly Edit[];
  readonly changes: readonly Change[];
  readonly landings: readonly Landing[];
};

/** Every path that a list of edits reads or writes: the snapshots that planning needs. */
export function pathsOf(edits: readonly Edit[]): string[] {
  return [...new Set(edits.flatMap((edit) => ("to" in edit ? [edit.path, edit.to] : [edit.path])))];
}

/**
 * Works out every change in memory: edits in order, each on the text the ones before it left, all or nothing,
 * composed into splices of the snapshots. A refusal names the first edit that failed, and in `others` the edits that
 * fail even without it.
 */
export function planEdits(
  edits: readonly Edit[],
  snapshots: readonly Snapshot[],
  { baseOf = () => undefined, placeQuote }: PlanOptions = {},
): Outcome<Plan> {
  const drafts = new Map(
    snapshots.map((snapshot) => [snapshot.path, openDraft(snapshot, { baseOf, placeQuote })]),
  );
  const unread = pathsOf(edits).find((path) => !drafts.has(path));
  if (unread !== undefined) return refuse(missingSnapshot(unread));
  const refusals: Refusal[] = [];
  let searched = 0;
  for (let i = 0; i < edits.length && searched <= mostSearched; ) {
    const run = placeQuote ? [] : quoteRun(edits, i);
    const applied =
      run.length > 1 ? applyRun(drafts, edits[i]!.path, run, i) : applyEdit(drafts, edits[i]!, i);
    const next = i + Math.max(1, run.length);
    if (applied.ok) i = next;
    else {
      const at = applied.refusal.edit ?? i;
      const { path } = edits[at]!;
      const { others = [], ...refusal } = applied.refusal;
      refusals.push(...[refusal as Refusal, ...others].map((each) => ({ path, ...each, edit: at })));
      searched += costOfRefusal + (drafts.get(path)?.text.length ?? 0);
      // The edits of a run before the one that failed were not made yet.
      if (at > i) applyRun(drafts, path, run.slice(0, at - i), i);
      i = at + 1;
    }
  }
  const [first, ...others] = refusals;
  if (first) return refuse(others.length > 0 ? { ...first, others } : first);
  return accept(closePlan(edits, drafts));
}

/** Explaining why an edit fails reads its text. After this many characters, later failures are not looked for. */
const mostSearched = 1 << 20;
const costOfRefusal = 1 << 14;

export type PlanOptions = {
  /** The text that an edit was made for: found by the id in its hunks, or the text that the caller has read. */
  readonly baseOf?: BaseOf;
  /** Finds a quotation in the present text of a file whose text is written inside another one; null: as in any file. */
  readonly placeQuote?: PlaceQuote | undefined;
};

export type PlaceQuote = (edit: Edit, text: string) => Outcome<PlacedEdit> | null;

type BaseOf = (path: string, id: string | undefined) => string | undefined;

/** A file while its edits are worked out. `splices` turn `base` into `text`. */
type FileDraft = {
  readonly snapshot: Snapshot;
  base: string;
  exists: boolean;
  from?: string;
  mode?: FileMode;
  splices: readonly Splice[];
  text: string;
  readonly steps: (QuoteStep & { readonly edit: number })[];
  readonly baseOf: BaseOf;
  readonly placeQuote: PlaceQuote | undefined;
};

function openDraft(snapshot: Snapshot, how: Pick<FileDraft, "baseOf" | "placeQuote">): FileDraft {
  const text = snapshot.text ?? "";
  return { snapshot, base: text, exists: snapshot.text !== null, splices: [], text, steps: [], ...how };
}

const shortestRun = 16;

/** The plain quote edits of one file that follow each other from `start` on, when they are many. */
function quoteRun(edits: readonly Edit[], start: number): QuoteEdit[] {
  const run: QuoteEdit[] = [];
  for (let i = start; i < edits.length; i++) {
    const edit = edits[i]!;
    if (edit.path !== edits[start]!.path || !("quote" in edit.target) || !("text" in edit)) break;
    if (edit.target.within || edit.target.fit === "layout" || edit.target.countFolded) break;
    run.push({ target: edit.target, text: edit.text });
  }
  return run.length >= shortestRun ? run : [];
}

function applyRun(
  drafts: Map<string, FileDraft>,
  path: string,
  run: readonly QuoteEdit[],
  first: number,
): Outcome<true> {
  const draft = draftOf(drafts, path);
  if (!draft.exists) return refuse({ code: "not-found", what: "file", edit: first });
  const ran = runQuotes(draft.text, run);
  if (!ran.ok) return refuse({ ...ran.refusal, edit: first + ran.at });
  for (const [i, { fit, remaining, notes, before: regions }] of ran.steps.entries()) {
    const before = regionsBefore(draft.base, draft.splices, regions);
    draft.steps.push({ fit, remaining, notes, before, edit: first + i });
  }
  advance(draft, ran.splices);
  return accept(true);
}

function applyEdit(drafts: Map<string, FileDraft>, edit: Edit, index: number): Outcome<true> {
  const draft = draftOf(drafts, edit.path);
  const { target } = edit;
  if ("text" in edit && loneSurrogate(edit.text) >= 0)
    return refuse({ code: "malformed", what: "the new text holds half of a surrogate pair" });
  if ("file" in target) return applyToFile(drafts, draft, edit);
  if (!draft.exists && !fillsEmptyFile(edit)) return refuse({ code: "not-found", what: "file" });
  const placed = placeEdit(draft, edit);
  if (!placed.ok) return placed;
  const { splices, ...step } = placed.value;
  const regions = splices.map(({ region }) => region);
  const before = regionsBefore(draft.base, draft.splices, regions);
  draft.steps.push({ ...step, before, edit: index });
  draft.exists = true;
  advance(draft, splices);
  return accept(true);
}

/** Hunks that only add lines create a missing file: some diffs have no `new file` header. */
function fillsEmptyFile(edit: Edit): boolean {
  return (
    "hunks" in edit.target &&
    edit.target.hunks.every(
      ({ line, lines }) => (line ?? 0) === 0 && lines.every(({ kind }) => kind === "added"),
    )
  );
}

export type PlacedEdit = Omit<QuoteStep, "before"> & { readonly splices: readonly Splice[] };

function placeEdit(draft: FileDraft, edit: Edit): Outcome<PlacedEdit> {
  const { target } = edit;
  if ("quote" in target && "text" in edit) {
    const placed = draft.placeQuote?.(edit, draft.text);
    if (placed) return placed;
    const within = target.within && { within: mapRegion(target.within, draft.splices) };
    return locateQuote(draft.text, { ...target, ...within }, edit.text);
  }
  if ("line" in target && "text" in edit) {
    const inserted = insertLines(draft.text, target.line, edit.text);
    return inserted.ok ? accept({ ...exactStep, splices: [inserted.value] }) : inserted;
  }
  if ("region" in target && "text" in edit) return placeRegion(draft, target.region, edit.text);
  if ("hunks" in target) {
    const base = draft.baseOf(edit.path, target.hunks.find((hunk) => hunk.base)?.base);
    const placed = placeHunks(draft.text, target.hunks, { base });
    return placed.ok ? accept({ remaining: 0, ...placed.value }) : placed;
  }
  throw new TypeError("an edit without a target");
}

const exactStep: Omit<QuoteStep, "before"> = { fit: "exact", remaining: 0, notes: [] };

function placeRegion(draft: FileDraft, region: Region, text: string): Outcome<PlacedEdit> {
  if (region.start < 0 || region.end < region.start || region.end > draft.base.length)
    return refuse({ code: "malformed", what: "the region is not part of the file" });
  const crossed = draft.splices.find((splice) => overlap(splice.region, region));
  if (crossed) {
    const other = draft.steps.find(({ before }) => before.some((taken) => overlap(taken, region)))?.edit ?? 0;
    return refuse({ code: "overlap", other, region });
  }
  const start = mapOffset(region.start, draft.splices, "after");
  const placed = { start, end: start + region.end - region.start };
  if (draft.text.slice(placed.start, placed.end) === text)
    return refuse({ code: "no-change", why: "same-text" });
  // The ending is read from the snapshot, not from the changed text, so that the order of the edits does not matter.
  const ended = withEnding(text, endingAt(draft.base, region.start, region.end));
  return accept({ ...exactStep, splices: [{ region: placed, text: ended }] });
}

function applyToFile(drafts: Map<string, FileDraft>, draft: FileDraft, edit: Edit): Outcome<true> {
  const { target } = edit;
  if (!("file" in target)) throw new TypeError("an edit of a file's text");
  if (target.file === "create") {
    if (draft.exists) return refuse({ code: "exists" });
    rewrite(draft, "text" in edit ? edit.text : "");
    if ("mode" in edit && edit.mode) draft.mode = edit.mode;
    return accept(true);
  }
  if (!draft.exists) return refuse({ code: "not-found", what: "file" });
  if (target.file === "delete") vacate(draft);
  else if (target.file === "mode" && "mode" in edit && edit.mode) draft.mode = edit.mode;
  else if (target.file === "rewrite" && "text" in edit) return rewriteLike(draft, edit.text);
  else if ("to" in edit) return moveTo(drafts, draft, edit.to, { keep: target.file === "copy" });
  return accept(true);
}

/** Replaces the whole text, and keeps the byte order mark and the line endings of the old one. */
function rewriteLike(draft: FileDraft, text: string): Outcome<true> {
  const mark = draft.text.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const ended = text.includes("\r") ? text : withEnding(text, endingAt(draft.text, 0));
  if (mark + ended === draft.text) return refuse({ code: "no-change", why: "same-text" });
  rewrite(draft, mark + ended);
  return accept(true);
}

function rewrite(draft: FileDraft, text: string): void {
  draft.exists = true;
  draft.splices = compareTexts(draft.base, text);
  draft.text = text;
}

function vacate(draft: FileDraft): void {
  draft.base = draft.snapshot.text ?? "";
  draft.exists = false;
  draft.splices = draft.base === "" ? [] : [{ region: { start: 0, end: draft.base.length }, text: "" }];
  draft.text = "";
  delete draft.from;
  delete draft.mode;
}

function moveTo(
  drafts: Map<string, FileDraft>,
  draft: FileDraft,
  to: string,
  { keep }: { keep: boolean },
): Outcome<true> {
  if (to === draft.snapshot.path) return refuse({ code: "no-change", why: "same-text" });
  const other = draftOf(drafts, to);
  if (other.exists) return refuse({ code: "exists", path: to });
  const from = draft.from ?? (draft.snapshot.text === null ? undefined : draft.snapshot.path);
  other.exists = true;
  other.text = draft.text;
  other.base = from === undefined ? other.base : draft.base;
  other.splices = from === undefined ? compareTexts(other.base, draft.text) : draft.splices;
  if (from !== undefined) other.from = from;
  if (draft.mode) other.mode = draft.mode;
  other.steps.push(...draft.steps);
  if (!keep) {
    draft.steps.length = 0;
    vacate(draft);
  }
  return accept(true);
}

function advance(draft: FileDraft, splices: readonly Splice[]): void {
  draft.splices = draft.splices.length === 0 ? splices : compose(draft.splices, splices);
  draft.text = applySplices(draft.base, draft.splices);
}

function missingSnapshot(path: string): Refusal {
  const hint = "Give a snapshot of every path that the edits name; without a file, its text is null.";
  return { code: "malformed", path, what: `no snapshot of ${path} was given`, hint };
}

function draftOf(drafts: Map<string, FileDraft>, path: string): FileDraft {
  const draft = drafts.get(path);
  if (!draft) throw new TypeError(`no snapshot of ${path} was given`);
  return draft;
}

function mapRegion({ start, end }: Region, splices: readonly Splice[]): Region {
  return { start: mapOffset(start, splices, "before"), end: mapOffset(end, splices, "after") };
}

function closePlan(edits: readonly Edit[], drafts: Map<string, FileDraft>): Plan {
  const changes: Change[] = [];
  const landings: Landing[] = [];
  for (const [path, draft] of drafts) {
    const splices = tidy(draft.base, draft.splices);
    const map = createOffsetMap(splices);
    for (const { edit, before, fit, remaining, notes } of draft.steps)
      landings.push({
        fit,
        remaining,
        notes,
        edit,
        path,
        before,
        after: before.map(({ start, end }) => ({ start: map(start, "before"), end: map(end, "after") })),
      });
    const change = changeOf(draft, splices);
    if (change) changes.push(change);
  }
  return { edits, changes, landings: landings.sort((a, b) => a.edit - b.edit) };
}

function changeOf(draft: FileDraft, splices: readonly Splice[]): Change | null {
  const { snapshot: before, from, mode } = draft;
  const existed = before.text !== null;
  if (!draft.exists) return existed ? { path: before.path, before, splices, after: null } : null;
  if (existed && from === undefined && mode === undefined && splices.length === 0) return null;
  return {
    path: before.path,
    before,
    splices,
    after: draft.text,
    ...defined({ from, mode }),
  };
}
