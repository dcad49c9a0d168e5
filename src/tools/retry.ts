import { printPlanDiff } from "../text/diff/diff.ts";
import { unescaped, withoutLineNumbers } from "../text/match/explain.ts";
import { placeHunks } from "../text/match/hunks/place-hunks.ts";
import { keptLines } from "../text/match/layout.ts";
import { clearLead, likeness } from "../text/match/likeness.ts";
import { locateQuote } from "../text/match/locate.ts";
import { findQuote } from "../text/match/quote.ts";
import type { Edit } from "../text/model/edit.ts";
import type { Hunk, HunkLine } from "../text/model/hunk.ts";
import { foldEndings } from "../text/model/lines.ts";
import type { Refusal } from "../text/model/outcome.ts";
import { pathsOf, planEdits } from "../text/model/plan.ts";
import { readSnapshots } from "./apply-edits.ts";
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
 * The edits with every quotation and hunk that matches nowhere corrected, if all of them can be; null if one
 * cannot, or where the corrected edits would be refused too.
 */
export async function correctEdits(
  context: Context,
  edits: readonly Edit[],
  refusal: Refusal,
): Promise<{ readonly edits: readonly Edit[]; readonly diff: string } | null> {
  if (!isMiss(refusal)) return null;
  const read = await readSnapshots(context, pathsOf(edits));
  if (!read.ok) return null;
  const corrected = edits.map((edit) => correctEdit(edit, read.value.get(edit.path)?.text ?? null));
  if (!corrected.every((edit) => edit !== null)) return null;
  const planned = planEdits(corrected, [...read.value.values()]);
  return planned.ok ? { edits: corrected, diff: printPlanDiff(planned.value) } : null;
}

/** The arguments of a call whose patch is corrected; empty where it cannot be, or is long. */
export async function retryPatch<Input extends { readonly patch: string }>(
  context: Context,
  input: Input,
  { edits, refusal }: { readonly edits: readonly Edit[]; readonly refusal: Refusal },
): Promise<{ readonly retry?: Input }> {
  const corrected = await correctEdits(context, edits, refusal);
  if (corrected === null || corrected.diff.length > longestPatch || !corrected.diff.isWellFormed()) return {};
  return { retry: { ...input, patch: corrected.diff } };
}

const longestPatch = 16_000;

function correctEdit(edit: Edit, text: string | null): Edit | null {
  const { target } = edit;
  if (text === null) return edit;
  if ("hunks" in target) {
    const hunks = target.hunks.map((hunk) => correctHunk(text, hunk));
    return hunks.every((hunk) => hunk !== null) ? ({ ...edit, target: { ...target, hunks } } as Edit) : null;
  }
  if (!("quote" in target) || !("text" in edit)) return edit;
  const located = locateQuote(text, target, edit.text);
  if (located.ok) return edit;
  const pair = correctPair(located.refusal, text, { old: target.quote, new: edit.text });
  return pair && ({ ...edit, target: { ...target, quote: pair.old }, text: pair.new } as Edit);
}

function correctHunk(text: string, hunk: Hunk): Hunk | null {
  const placed = placeHunks(text, [hunk]);
  if (placed.ok) return hunk;
  const side = (without: HunkLine["kind"]): string =>
    hunk.lines
      .filter(({ kind }) => kind !== without)
      .map((line) => line.text)
      .join("\n");
  const pair = correctPair(placed.refusal, text, { old: side("added"), new: side("removed") });
  return pair && withSides(hunk, pair.old.split("\n"), pair.new.split("\n"));
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
