import { unescaped } from "../text/match/explain.ts";
import { findQuote } from "../text/match/quote.ts";
import { mergeCleanly } from "../text/merge/merge.ts";
import type { Refusal } from "../text/model/outcome.ts";

/** A quotation and its new text. */
export type QuotePair = { readonly old: string; readonly new: string };

/**
 * The pair that the caller probably meant, ready to send, where code can tell: escapes undone, or the passage as it
 * stands with the caller's change carried over. It is offered and never applied: similarity proves nothing.
 */
export function correctPair(refusal: Refusal, text: string | null, pair: QuotePair): QuotePair | null {
  if (refusal.code !== "not-found" || refusal.what !== "quote" || text === null) return null;
  if (refusal.cause === "escaped-text") return { old: unescaped(pair.old), new: unescaped(pair.new) };
  const [nearest] = refusal.nearest ?? [];
  if (refusal.cause !== "nearby" || !nearest || nearest.text.endsWith("…")) return null;
  if (findQuote(text, nearest.text, { limit: 2 }).count !== 1) return null;
  const end = pair.old.endsWith("\n") ? "\n" : "";
  const own = nearest.text + end;
  const merged = mergeCleanly(pair.old, own, pair.new);
  return merged === null || merged === own ? null : { old: own, new: merged };
}
