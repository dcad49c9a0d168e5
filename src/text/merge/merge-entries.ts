import type { Pairs, SharedChange } from "./merge-nodes.ts";
import type { MergeNode, MergeText } from "./merge-tree.ts";
import type { Placed } from "./pair-children.ts";
import { mapVersions, type ThreeWays } from "./three-ways.ts";

/** Some neighbouring children of a node, with the text around them. */
export type SideGap = { readonly placed: Placed; readonly from: number; readonly to: number };

/** One entry of a list: the comments before it, itself, what is between them and what ends it. */
type Entry = {
  readonly index: number;
  readonly node: MergeNode;
  readonly lead: string;
  readonly text: string;
  readonly end: string;
};

type Entries = {
  readonly source: MergeText;
  readonly head: string;
  readonly entries: readonly Entry[];
  readonly tail: string;
};

/**
 * Merges what two sides did to neighbouring entries whose order does not matter. Entries of ours come first. An entry that
 * both sides added is there once; one that both added under one key with other text is a conflict.
 */
export function mergeEntries(gaps: ThreeWays<SideGap>, pairs: Pairs, shared: SharedChange[]): string | null {
  const base = readEntries(gaps.base);
  const ours = readEntries(gaps.ours);
  const theirs = readEntries(gaps.theirs);
  if (!base || !ours || !theirs || !isOneGroup([base, ours, theirs])) return null;
  const result = [...ours.entries];
  const deleted = new Set<Entry>();
  // No entry of the base is in both versions: it would not be in a gap.
  for (const entry of base.entries) {
    const kept = partnerOf(entry, pairs.inOurs, ours) ?? partnerOf(entry, pairs.inTheirs, theirs);
    if (kept && kept.text !== entry.text) return null;
    if (kept) deleted.add(kept);
    else shared.push({ before: entry.text, after: "" });
  }
  for (const entry of theirs.entries) {
    if (deleted.has(entry)) continue;
    if (pairs.twins.has(entry.index)) shared.push({ before: "", after: entry.text });
    else result.push(entry);
  }
  const { node } = gaps.base.placed;
  const isFollowed = node.children[gaps.base.to]?.role === "part";
  const left = result.filter((entry) => !deleted.has(entry));
  return print({ base, ours, theirs }, { result: left, node, isFollowed });
}

function partnerOf({ index }: Entry, pairs: Int32Array, { entries }: Entries): Entry | undefined {
  return entries.find((entry) => entry.index === pairs[index]);
}

function isOneGroup(all: readonly Entries[]): boolean {
  const groups = new Set(all.flatMap(({ entries }) => entries.map(({ node }) => node.group)));
  return groups.size === 1 && !groups.has(undefined);
}

/** The entries of a gap, or null if there is anything else in it. */
function readEntries({ placed: { source, node }, from, to }: SideGap): Entries | null {
  const { text } = source;
  const first = from === 0 ? node.start : node.children[from - 1]!.end;
  const last = to === node.children.length ? node.end : node.children[to]!.start;
  const entries: Entry[] = [];
  let head = "";
  let at = first;
  let start: number | null = null;
  for (let index = from; index < to; index++) {
    const child = node.children[index]!;
    if (text.slice(start === null ? at : child.start, child.start).trim() !== "") return null;
    if (child.role === "token") {
      const mark = text.slice(child.start, child.end);
      if (start !== null || (mark !== "," && mark !== ";" && mark.trim() !== "")) return null;
      const written = text.slice(at, child.end);
      const before = entries.at(-1);
      if (before) entries[entries.length - 1] = { ...before, end: before.end + written };
      else head += written;
      at = child.end;
    } else if (child.role === "comment") {
      const trailed = entries.at(-1);
      if (start === null && trailed && !text.slice(at, child.start).includes("\n")) {
        entries[entries.length - 1] = { ...trailed, end: trailed.end + text.slice(at, child.end) };
        at = child.end;
      } else start ??= child.start;
    } else {
      const own = start ?? child.start;
      const lead = text.slice(at, own);
      entries.push({ index, node: child, lead, text: text.slice(own, child.end), end: "" });
      at = child.end;
      start = null;
    }
  }
  if (start !== null) return null;
  const tail = text.slice(at, last);
  return tail.trim() === "" ? { source, head, entries, tail } : null;
}

function print({ base, ours, theirs }: ThreeWays<Entries>, { result, node, isFollowed }: Printing): string {
  const sides = [ours, theirs, base];
  const closes = mapVersions({ base, ours, theirs }, ({ head, entries }) =>
    (entries.at(-1)?.end ?? head).includes(","),
  );
  const isClosed = isFollowed || (closes.ours === closes.base ? closes.theirs : closes.ours);
  const tail = ours.entries.length > 0 ? ours.tail : theirs.tail;
  const between = sides.flatMap(({ entries }) => entries.slice(1)).find(({ lead }) => lead !== "")?.lead;
  let text = ours.head || theirs.head || base.head;
  result.forEach((entry, i) => {
    const isLast = i === result.length - 1;
    const isApart = entry.lead !== "" || i === 0 || text.endsWith("\n");
    const lead = isApart ? entry.lead : (between ?? (tail || " "));
    text += lead + entry.text + (node.separator ? closed(entry.end, !isLast || isClosed) : entry.end);
  });
  return result.length === 0 ? ours.tail : text + tail;
}

type Printing = {
  readonly result: readonly Entry[];
  readonly node: MergeNode;
  /** Whether another entry comes after these. */
  readonly isFollowed: boolean;
};

/** What comes after an entry, with the separator or without it. */
function closed(end: string, isClosed: boolean): string {
  if (end.includes(",")) return isClosed ? end : end.replace(/\s*,/, "");
  return isClosed ? `,${end}` : end;
}
