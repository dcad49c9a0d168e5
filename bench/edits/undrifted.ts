import { findQuote } from "../../src/text/match/quote.ts";
import type { Edit } from "../../src/text/model/edit.ts";
import { decode, encode } from "../../src/text/model/encoding.ts";
import { indexLines } from "../../src/text/model/lines.ts";
import { planEdits } from "../../src/text/model/plan.ts";
import { isBlob } from "./drifted.ts";
import { applyWithSuture } from "./engines.ts";
import { openListed, type Setting } from "./setting.ts";
import { Tally } from "./tally.ts";

type ListedChange = {
  readonly id: string;
  readonly repo: string;
  readonly before: string;
  readonly after: string;
  readonly sr: { readonly edits: readonly (readonly [number, number, number, number])[] };
};

/** The listed changes on the very files they were made for: as git's diffs, and as search and replace. */
export function measureUndrifted(setting: Setting): Tally {
  const tally = new Tally();
  for (const { entry, clone } of openListed<ListedChange>("replay_dev.jsonl", setting)) {
    clone.load([entry.before, entry.after]);
    const [before, after] = [clone.bytes(entry.before)!, clone.bytes(entry.after)!];
    const isRight = isBlob(entry.after);
    for (const context of setting.contexts) {
      const applied = applyWithSuture(clone.diff(entry.before, entry.after, context), before);
      const fate = applied === null ? "refused" : isRight(applied) ? "right" : "wrong";
      tally.add(`-U${context}`, fate, fate === "right" ? undefined : () => entry.id);
    }
    measureQuotes({ before, after, entry }, tally);
  }
  return tally;
}

type QuotedChange = { readonly before: Uint8Array; readonly after: Uint8Array; readonly entry: ListedChange };

/** A quotation says nothing about line endings, so a change of them alone is not made. */
function measureQuotes({ before, after, entry }: QuotedChange, tally: Tally): void {
  const applied = applyQuotes(before, after, entry);
  const isRight = applied !== null && isBlob(entry.after)(applied);
  const keepsEndings = applied !== null && !isRight && sameWords(applied, after);
  const row = keepsEndings ? "search/replace, with the endings of the file" : "search/replace";
  if (isRight || keepsEndings) tally.add(row, "right");
  else tally.add(row, applied === null ? "refused" : "wrong", () => entry.id);
}

function applyQuotes(before: Uint8Array, after: Uint8Array, change: ListedChange): Uint8Array | null {
  const old = decode(before, { strayBytes: "keep" });
  const now = decode(after, { strayBytes: "keep" });
  if (!old.ok || !now.ok) return null;
  const edits = quoteEdits(old.value.text, now.value.text, change);
  const plan = planEdits(edits, [{ path, text: old.value.text, version: "" }]);
  if (!plan.ok) return null;
  const encoding = [old.value.encoding, now.value.encoding].find((each) => each !== "utf-8") ?? "utf-8";
  const bytes = encode(plan.value.changes[0]?.after ?? "", encoding);
  return bytes.ok ? bytes.value : null;
}

const path = "file";

/** The recorded ranges of lines as quotations; one that stands at several places names its occurrence. */
function quoteEdits(before: string, after: string, change: ListedChange): Edit[] {
  const asked = { path, reason: "", evidence: [] };
  const edits: Edit[] = [];
  let running = before;
  let shift = 0;
  for (const [oldStart, oldCount, newStart, newCount] of change.sr.edits) {
    const region = regionOf(before, oldStart, oldCount);
    const quote = before.slice(region.start, region.end);
    const now = regionOf(after, newStart, newCount);
    const text = after.slice(now.start, now.end);
    if (quote === "") {
      edits.push({ ...asked, target: { file: "rewrite" }, text: after });
      continue;
    }
    const { regions, count } = findQuote(running, quote);
    const at = regions.findIndex(({ start }) => start === region.start + shift);
    const occurrence = count === 1 ? {} : { occurrence: at + 1 };
    edits.push({ ...asked, target: { quote, ...occurrence }, text });
    running = running.slice(0, region.start + shift) + text + running.slice(region.end + shift);
    shift += text.length - quote.length;
  }
  return edits;
}

function regionOf(text: string, start: number, count: number): { start: number; end: number } {
  const { starts } = indexLines(text);
  const from = starts[start - 1] ?? text.length;
  return { start: from, end: starts[start - 1 + count] ?? text.length };
}

function sameWords(a: Uint8Array, b: Uint8Array): boolean {
  const words = (bytes: Uint8Array): string =>
    Buffer.from(bytes)
      .toString("latin1")
      .replace(/\r\n?|\n/g, "\n");
  return words(a) === words(b);
}
