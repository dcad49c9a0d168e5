import { printPlanDiff } from "../text/diff/diff.ts";
import { unescaped, withoutLineNumbers } from "../text/match/explain.ts";
import { placeHunks } from "../text/match/hunks/place-hunks.ts";
import { keptLines } from "../text/match/layout.ts";
import { clearLead, likeness } from "../text/match/likeness.ts";
import { locateQuote } from "../text/match/locate.ts";
import { findQuote } from "../text/match/quote.ts";
import { defined } from "../text/model/defined.ts";
import type { Edit, HunksTarget } from "../text/model/edit.ts";
import type { Hunk, HunkLine } from "../text/model/hunk.ts";
import { foldEndings } from "../text/model/lines.ts";
import type { Refusal } from "../text/model/outcome.ts";
import { type Plan, pathsOf } from "../text/model/plan.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import type { Concern } from "../workspace/paths/guarded-names.ts";
import type { KeptRetry } from "./kept-retries.ts";
import { planWithCells } from "./notebook-cells.ts";
import { readSnapshots } from "./read-snapshots.ts";
import type { Context } from "./tool.ts";

/** A quotation and its new text. */
export type QuotePair = { readonly old: string; readonly new: string };

/**
 * The corrected pair, where code can derive it: with escapes undone, or with the caller's change applied to the actual
 * passage. It is offered and never applied, because a similar passage may not be the one that was meant.
 */
export function correctPair(refusal: Refusal, text: string | null, pair: QuotePair): QuotePair | null {
  if (!isMiss(refusal) || text === null) return null;
  if (refusal.cause === "escaped-text") return { old: unescaped(pair.old), new: unescaped(pair.new) };
  if (refusal.cause === "line-number-prefixes") return withoutNumbers(text, pair);
  const [nearest, ...others] = refusal.nearest ?? [];
  if (refusal.cause !== "nearby" || !nearest || nearest.text.endsWith("…")) return null;
  if (others.some((other) => rivals(nearest.text, other.text, pair.old))) return null;
  if (findQuote(text, nearest.text, { limit: 2 }).count !== 1) return null;
  const own = nearest.text + (pair.old.endsWith("\n") ? "\n" : "");
  const carried = carryOver(own.split("\n"), pair);
  return carried === null || carried === own ? null : { old: own, new: carried };
}

/** Whether another passage is about as like the quotation as the best one, so that the caller has to choose. */
function rivals(best: string, other: string, quote: string): boolean {
  const wanted = foldEndings(quote).split("\n");
  const [first, second] = [best, other].map((text) => likeness(foldEndings(text).split("\n"), wanted));
  return first! - second! < clearLead;
}

function withoutNumbers(text: string, { old, new: now }: QuotePair): QuotePair | null {
  const bare = withoutLineNumbers(old);
  const isOnly = bare !== null && findQuote(text, bare, { limit: 2 }).count === 1;
  return isOnly ? { old: bare, new: withoutLineNumbers(now) ?? now } : null;
}

function isMiss(refusal: Refusal): refusal is Extract<Refusal, { code: "not-found" }> {
  return refusal.code === "not-found" && (refusal.what === "quote" || refusal.what === "hunk");
}

/**
 * The refusal with an offer of the call without its failures: what matches nowhere is corrected where code can tell how,
 * and left out otherwise, as is what a person would have to consent to. Nothing is offered where nothing is left, or
 * where the rest would be refused too.
 */
export async function withRetry(context: Context, call: RefusedEdits): Promise<Refusal> {
  const { refusal } = call;
  const { memory, workspace } = context;
  const failures = [refusal, ...(refusal.others ?? [])];
  if (!memory || !workspace || !failures.every(canBeLeftOut)) return refusal;
  const read = await readSnapshots(context, pathsOf(call.edits));
  if (!read.ok) return refusal;
  const snapshots = [...read.value.values()];
  for (;;) {
    const kept = keepEdits(call.edits, read.value, failures);
    const planned = await planWithCells(kept.edits, snapshots);
    if (!planned.ok || planned.value.changes.length === 0) return refusal;
    const consent = (path: string, concern: Concern) => memory.consents.find(path, concern) === true;
    const rehearsed = await workspace.rehearse(planned.value, { author: context.author, consent });
    if (rehearsed.ok) {
      const { base_version: _, dry_run: _dry, idempotency_key: _key, ...options } = call.options;
      const versions = new Map(snapshots.map(({ path, version }) => [path, version]));
      const handle = memory.retries.keep({ tool: call.tool, edits: kept.edits, options, versions });
      const diff = await diffOf(kept.corrected, { whole: planned.value, snapshots });
      const [first, ...others] = failures;
      const offered = {
        handle,
        diff,
        kept: countAll(kept.edits) - countAll(kept.corrected),
        leftOut: kept.leftOut,
      };
      return { ...first!, ...defined({ others: others.length > 0 ? others : undefined }), retry: offered };
    }
    const { refusal: barred } = rehearsed;
    if (!canBeLeftOut(barred) || !kept.edits.some((edit) => isBarred(barred, edit))) return refusal;
    failures.push(barred);
  }
}

type RefusedEdits = Omit<KeptRetry, "versions"> & { readonly refusal: Refusal };

type KeptEdits = {
  readonly edits: readonly Edit[];
  readonly corrected: readonly Edit[];
  readonly leftOut: number;
};

function keepEdits(
  edits: readonly Edit[],
  snapshots: ReadonlyMap<string, Snapshot>,
  failures: readonly Refusal[],
): KeptEdits {
  const lost: LostPart[] = [];
  const parts = edits.map((edit, i) => {
    const own = failures.filter((failure) => failure.edit === i || isBarred(failure, edit));
    const split = buildsOn(lost, edit)
      ? { leftOut: countParts(edit) }
      : splitEdit(edit, snapshots.get(edit.path)?.text ?? null, own);
    if (split.leftOut > 0) lost.push(...partsOf(edit));
    return split;
  });
  return {
    edits: parts.flatMap(({ now }) => now ?? []),
    corrected: parts.flatMap(({ corrected }) => corrected ?? []),
    leftOut: parts.reduce((sum, { leftOut }) => sum + leftOut, 0),
  };
}

type LostPart = QuotePair & { readonly path: string };

/** What an edit quotes of its file, and what it writes there. */
function partsOf(edit: Edit): LostPart[] {
  const { path, target } = edit;
  if ("hunks" in target)
    return target.hunks.map((hunk) => ({ path, old: sideOf(hunk, "added"), new: sideOf(hunk, "removed") }));
  return "quote" in target && "text" in edit ? [{ path, old: target.quote, new: edit.text }] : [];
}

/** Whether an edit quotes what only one that is left out would have written: elsewhere it may mean another place. */
function buildsOn(lost: readonly LostPart[], edit: Edit): boolean {
  return partsOf(edit).some(({ path, old }) =>
    lost.some((left) => left.path === path && left.new.includes(old) && !left.old.includes(old)),
  );
}

/** The lines of a hunk without those of one kind, so its old or its new side. */
function sideOf(hunk: Hunk, without: HunkLine["kind"]): string {
  return hunk.lines
    .filter(({ kind }) => kind !== without)
    .map((line) => line.text)
    .join("\n");
}

/** The corrected edits as a diff; with all others where they depend on them. */
async function diffOf(
  corrected: readonly Edit[],
  { whole, snapshots }: { readonly whole: Plan; readonly snapshots: readonly Snapshot[] },
): Promise<string> {
  if (corrected.length === 0) return "";
  const alone = await planWithCells(corrected, snapshots);
  return printPlanDiff(alone.ok ? alone.value : whole).toWellFormed();
}

function canBeLeftOut(refusal: Refusal): boolean {
  if (refusal.code === "needs-consent") return refusal.word !== undefined;
  if (refusal.code === "not-found") return refusal.what === "quote" || refusal.what === "hunk";
  return refusal.edit !== undefined && refusal.code === "ambiguous";
}

/** Whether a person has not consented to the file of an edit. */
function isBarred({ code, path }: Refusal, edit: Edit): boolean {
  return code === "needs-consent" && (edit.path === path || ("to" in edit && edit.to === path));
}

type SplitEdit = { readonly now?: Edit; readonly corrected?: Edit; readonly leftOut: number };

/** An edit without its failures, and the part of it that was corrected. */
function splitEdit(edit: Edit, text: string | null, failures: readonly Refusal[]): SplitEdit {
  if (failures.length === 0) return { now: edit, leftOut: 0 };
  const { target } = edit;
  if (failures.some(({ code }) => code === "needs-consent") || text === null)
    return { leftOut: countParts(edit) };
  if ("hunks" in target) return splitHunks(edit, target, { text, failures });
  const now = correctQuote(edit, text);
  return now ? { now, corrected: now, leftOut: 0 } : { leftOut: 1 };
}

function splitHunks(
  edit: Edit,
  target: HunksTarget,
  { text, failures }: { readonly text: string; readonly failures: readonly Refusal[] },
): SplitEdit {
  const failed = new Set(failures.map(({ hunk }) => hunk));
  const hunks: Hunk[] = [];
  const corrected: Hunk[] = [];
  for (const [i, hunk] of target.hunks.entries()) {
    const now = failed.has(i) ? correctHunk(text, hunk) : hunk;
    if (now) hunks.push(now);
    if (now && failed.has(i)) corrected.push(now);
  }
  const of = (some: readonly Hunk[]): Edit => ({ ...edit, target: { ...target, hunks: some } }) as Edit;
  return {
    ...defined({
      now: hunks.length > 0 ? of(hunks) : undefined,
      corrected: corrected.length > 0 ? of(corrected) : undefined,
    }),
    leftOut: target.hunks.length - hunks.length,
  };
}

/** Hunks count one by one, any other edit is one. */
function countParts({ target }: Edit): number {
  return "hunks" in target ? target.hunks.length : 1;
}

function countAll(edits: readonly Edit[]): number {
  return edits.reduce((sum, edit) => sum + countParts(edit), 0);
}

/** The edit as it would match: with other white space if that decides, else with the quotation corrected. */
function correctQuote(edit: Edit, text: string): Edit | null {
  const { target } = edit;
  if (!("quote" in target) || !("text" in edit)) return null;
  const { occurrence: _, ...only } = target;
  const laidOut = { ...only, fit: "white-space" } as const;
  if (locateQuote(text, laidOut, edit.text).ok) return { ...edit, target: laidOut };
  const located = locateQuote(text, only, edit.text);
  if (located.ok || isBlank(located.refusal)) return null;
  const pair = correctPair(located.refusal, text, { old: target.quote, new: edit.text });
  return pair && { ...edit, target: { ...only, quote: pair.old }, text: pair.new };
}

/** White space that the shared lines do not explain is the caller's to correct. */
function isBlank(refusal: Refusal): boolean {
  const difference = refusal.code === "not-found" ? refusal.nearest?.[0]?.difference : undefined;
  return difference === "indentation" || difference === "white-space";
}

function correctHunk(text: string, hunk: Hunk): Hunk | null {
  const placed = placeHunks(text, [hunk]);
  if (placed.ok) return hunk;
  const sides = { old: sideOf(hunk, "added"), new: sideOf(hunk, "removed") };
  const pair = withWholeLines(text, sides) ?? correctPair(placed.refusal, text, sides);
  return pair && withSides(hunk, pair.old.split("\n"), pair.new.split("\n"));
}

/** Parts of lines that stand at one place, with the rest of those lines. */
function withWholeLines(text: string, pair: QuotePair): QuotePair | null {
  const folded = foldEndings(text);
  const { count, regions } = findQuote(folded, pair.old, { limit: 2 });
  if (count !== 1) return null;
  const { start, end } = regions[0]!;
  const head = folded.slice(folded.lastIndexOf("\n", start - 1) + 1, start);
  const tail = folded.slice(end).split("\n", 1)[0]!;
  return { old: head + pair.old + tail, new: head + pair.new + tail };
}

/** The hunk with other lines on its sides, as many as it has. */
function withSides({ base: _, ...hunk }: Hunk, old: readonly string[], now: readonly string[]): Hunk | null {
  let [from, to] = [0, 0];
  const lines = hunk.lines.map((line): HunkLine => {
    const text = line.kind === "added" ? now[to] : old[from];
    if (line.kind !== "added") from++;
    if (line.kind !== "removed") to++;
    return { ...line, text: text ?? "" };
  });
  return from === old.length && to === now.length ? { ...hunk, lines } : null;
}

/** The caller's change applied to the present lines; null if it changes or removes a line that was misquoted. */
function carryOver(own: readonly string[], pair: QuotePair): string | null {
  const [quoted, asked] = [pair.old, pair.new].map((text) => foldEndings(text).split("\n")) as [
    string[],
    string[],
  ];
  if (quoted.length !== own.length) return null;
  const kept = keptLines(quoted, asked);
  const repeats = (i: number): boolean => quoted[kept.get(i) ?? -1] === asked[i];
  const repeated = new Set(asked.flatMap((_, i) => (repeats(i) ? [kept.get(i)!] : [])));
  if (quoted.some((line, i) => !repeated.has(i) && line !== own[i])) return null;
  return asked.map((line, i) => (repeats(i) ? own[kept.get(i)!]! : line)).join("\n");
}
