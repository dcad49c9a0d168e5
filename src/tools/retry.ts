import { unescaped } from "../text/match/explain.ts";
import { keptLines } from "../text/match/layout.ts";
import { findQuote } from "../text/match/quote.ts";
import { foldEndings } from "../text/model/lines.ts";
import type { Refusal } from "../text/model/outcome.ts";

/** A quotation and its new text. */
export type QuotePair = { readonly old: string; readonly new: string };

/**
 * The corrected pair, where code can derive it: with escapes undone, or with the caller's change applied to the actual
 * passage. It is offered and never applied, because a similar passage may not be the one that was meant.
 */
export function correctPair(refusal: Refusal, text: string | null, pair: QuotePair): QuotePair | null {
  if (refusal.code !== "not-found" || refusal.what !== "quote" || text === null) return null;
  if (refusal.cause === "escaped-text") return { old: unescaped(pair.old), new: unescaped(pair.new) };
  const [nearest] = refusal.nearest ?? [];
  if (refusal.cause !== "nearby" || !nearest || nearest.text.endsWith("…")) return null;
  if (findQuote(text, nearest.text, { limit: 2 }).count !== 1) return null;
  const own = nearest.text + (pair.old.endsWith("\n") ? "\n" : "");
  const carried = carryOver(own.split("\n"), pair);
  return carried === null || carried === own ? null : { old: own, new: carried };
}

/** The caller's change on the lines as they stand; null where it changes a line that was misquoted. */
function carryOver(own: readonly string[], pair: QuotePair): string | null {
  const [quoted, asked] = [pair.old, pair.new].map((text) => foldEndings(text).split("\n")) as [
    string[],
    string[],
  ];
  if (quoted.length !== own.length) return null;
  const kept = keptLines(quoted, asked);
  const lines = asked.map((line, i) => {
    const at = kept.get(i);
    if (at === undefined) return line;
    if (quoted[at] === line) return own[at]!;
    return quoted[at] === own[at] ? line : null;
  });
  return lines.every((line) => line !== null) ? lines.join("\n") : null;
}
