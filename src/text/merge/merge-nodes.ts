import { mergeEntries, type SideGap } from "./merge-entries.ts";
import { type MergeNode, type MergeText, textOf } from "./merge-tree.ts";
import { countWords, type Placed, pairChildren } from "./pair-children.ts";
import { mapVersions, type ThreeWays } from "./three-ways.ts";

/**
 * The text with the changes of both sides, as edits of its tree, or null where they cannot both be made. A change of one side
 * keeps its bytes. In places where order does not matter both sides may add at one place; elsewhere there must be something
 * between their changes that neither touched. Every word of the result is counted: none is lost, and none is there twice.
 */
export function mergeTrees(versions: ThreeWays<MergeText>): string | null {
  const shared: SharedChange[] = [];
  const merged = mergeNode(
    mapVersions(versions, (source) => ({ source, node: source.root })),
    shared,
  );
  return merged !== null && isSum(versions, merged, shared) ? merged : null;
}

/** A change that both sides made. It is in the result once. */
export type SharedChange = { readonly before: string; readonly after: string };

function mergeNode(versions: ThreeWays<Placed>, shared: SharedChange[]): string | null {
  const whole = mapVersions(versions, ({ source, node }) => textOf(source, node));
  const simple = mergeTexts(whole, shared);
  if (simple !== null) return simple;
  const { base, ours, theirs } = versions;
  if (base.node.kind !== ours.node.kind || base.node.kind !== theirs.node.kind) return null;
  if ([base, ours, theirs].some(({ node }) => node.children.length === 0))
    return whole.base.includes("\n") ? mergeNode(mapVersions(versions, withLines), shared) : null;
  return mergeChildren(versions, shared);
}

/** What is decided without looking inside: one side changed it, or both in the same way. */
function mergeTexts({ base, ours, theirs }: ThreeWays<string>, shared: SharedChange[]): string | null {
  if (ours === base) return theirs;
  if (theirs === base) return ours;
  if (ours !== theirs) return null;
  shared.push({ before: base, after: ours });
  return ours;
}

/** A long comment or string, with its lines as its parts. */
function withLines({ source, node }: Placed): Placed {
  const children: MergeNode[] = [];
  for (let start = node.start; start < node.end; ) {
    const feed = source.text.indexOf("\n", start);
    const end = feed < 0 || feed >= node.end ? node.end : feed;
    if (end > start) children.push({ kind: "line", start, end, children: [], role: "part" });
    start = end + 1;
  }
  return { source, node: { ...node, kind: `${node.kind} in lines`, children } };
}

function mergeChildren(versions: ThreeWays<Placed>, shared: SharedChange[]): string | null {
  const found = pairAll(versions);
  if (!found) return null;
  let from = mapVersions(versions, () => 0);
  let merged = "";
  let above: readonly Side[] = [];
  for (const at of found.stable) {
    const gaps = gapsBetween(versions, from, at);
    const inserter = inserterOf(gaps);
    const between = mergeGap(gaps, found, shared);
    if (between === null || isBeside(inserter, above)) return null;
    merged += between;
    if (at.base === versions.base.node.children.length) break;
    const children = childrenAt(versions, at);
    above = changersOf(mapVersions(children, ({ source, node }) => textOf(source, node)));
    const child = isBeside(inserter, above) ? null : mergeNode(children, shared);
    if (child === null) return null;
    merged += child;
    from = mapVersions(at, (index) => index + 1);
  }
  return merged;
}

/** The children that all three versions have, and the end; null where both sides added two things under one key. */
function pairAll(versions: ThreeWays<Placed>): (Pairs & { stable: ThreeWays<number>[] }) | null {
  const { base, ours, theirs } = versions;
  const inOurs = pairChildren(base, ours);
  const inTheirs = pairChildren(base, theirs);
  const twins = findTwins(versions, { inOurs, inTheirs });
  if (!twins) return null;
  const stable = base.node.children.flatMap((_, at) =>
    inOurs[at]! < 0 || inTheirs[at]! < 0 ? [] : [{ base: at, ours: inOurs[at]!, theirs: inTheirs[at]! }],
  );
  return {
    inOurs,
    inTheirs,
    twins,
    stable: [...stable, mapVersions(versions, ({ node }) => node.children.length)],
  };
}

function gapsBetween(
  { base, ours, theirs }: ThreeWays<Placed>,
  from: ThreeWays<number>,
  to: ThreeWays<number>,
): ThreeWays<SideGap> {
  return {
    base: { placed: base, from: from.base, to: to.base },
    ours: { placed: ours, from: from.ours, to: to.ours },
    theirs: { placed: theirs, from: from.theirs, to: to.theirs },
  };
}

type Side = "ours" | "theirs";

/** The sides that changed something, unless both did the same. */
function changersOf(texts: ThreeWays<string>): Side[] {
  if (texts.ours === texts.theirs) return [];
  return (["ours", "theirs"] as const).filter((side) => texts[side] !== texts.base);
}

/** The side that alone put lines between two children in a place where order matters. */
function inserterOf(gaps: ThreeWays<SideGap>): Side | null {
  const texts = mapVersions(gaps, gapText);
  const [changer, other] = changersOf(texts);
  if (!changer || other || !texts[changer].includes("\n")) return null;
  const { placed, from, to } = gaps[changer];
  const isOrdered = ({ role, group }: MergeNode): boolean => role === "part" && group === undefined;
  return placed.node.children.slice(from, to).some(isOrdered) ? changer : null;
}

/** Whether one side put lines beside a statement that the other changed. Nothing tells then that they fit together. */
function isBeside(inserter: Side | null, changers: readonly Side[]): boolean {
  return inserter !== null && changers.some((side) => side !== inserter);
}

function childrenAt(versions: ThreeWays<Placed>, at: ThreeWays<number>): ThreeWays<Placed> {
  const { base, ours, theirs } = versions;
  return { base: childAt(base, at.base), ours: childAt(ours, at.ours), theirs: childAt(theirs, at.theirs) };
}

function childAt({ source, node }: Placed, index: number): Placed {
  return { source, node: node.children[index]! };
}

export type Pairs = {
  readonly inOurs: Int32Array;
  readonly inTheirs: Int32Array;
  /** Children that both sides added: of each of theirs, which of ours it equals. */
  readonly twins: ReadonlyMap<number, number>;
};

/** The children that both sides added, or null if they are two things under one key. */
function findTwins(
  { ours, theirs }: ThreeWays<Placed>,
  { inOurs, inTheirs }: Omit<Pairs, "twins">,
): Map<number, number> | null {
  const added = ({ node }: Placed, known: Int32Array) =>
    node.children.flatMap((child, index) =>
      child.group !== undefined && child.key !== undefined && !known.includes(index)
        ? [{ index, child, id: `${child.group}\0${child.key}` }]
        : [],
    );
  const mine = new Map(added(ours, inOurs).map((each) => [each.id, each]));
  const twins = new Map<number, number>();
  for (const { index, child, id } of mine.size > 0 ? added(theirs, inTheirs) : []) {
    const twin = mine.get(id);
    if (!twin) continue;
    if (tight(textOf(ours.source, twin.child)) !== tight(textOf(theirs.source, child))) return null;
    twins.set(index, twin.index);
  }
  return twins;
}

function tight(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** What lies between two children that all three versions have. */
function mergeGap(gaps: ThreeWays<SideGap>, pairs: Pairs, shared: SharedChange[]): string | null {
  const texts = mapVersions(gaps, gapText);
  const { from, to } = gaps.theirs;
  const isTwice = [...pairs.twins.keys()].some((index) => index >= from && index < to);
  const simple = isTwice && texts.ours !== texts.theirs ? null : mergeTexts(texts, shared);
  if (simple !== null) return simple;
  return mergeEntries(gaps, pairs, shared);
}

function gapText({ placed: { source, node }, from, to }: SideGap): string {
  const start = from === 0 ? node.start : node.children[from - 1]!.end;
  const end = to === node.children.length ? node.end : node.children[to]!.start;
  return source.text.slice(start, end);
}

/**
 * Whether the result has the words of the base, those that each side added, and not those that a side took. It has not where
 * both sides took something from one place and each put it to another, nor where one side adds uses of a name of which the
 * other took the last one: neither side knows then what the other made of it.
 */
function isSum(
  { base, ours, theirs }: ThreeWays<MergeText>,
  merged: string,
  shared: readonly SharedChange[],
): boolean {
  const known = wordsOf(base.text);
  const mine = less(wordsOf(ours.text), known);
  const others = less(wordsOf(theirs.text), known);
  const changes = shared.map(({ before, after }) => less(wordsOf(after), wordsOf(before)));
  if (changes.some((change) => isMoved(change, mine) && isMoved(change, others))) return false;
  if (missesName(known, mine, others) || missesName(known, others, mine)) return false;
  const rest = less(less(less(wordsOf(merged), known), mine), others);
  for (const change of changes)
    for (const [word, count] of change) rest.set(word, (rest.get(word) ?? 0) + count);
  return [...rest.values()].every((count) => count === 0);
}

type Words = ReadonlyMap<string, number>;

/** Whether a side has what a change takes as often as before. */
function isMoved(change: Words, side: Words): boolean {
  const taken = [...change].flatMap(([word, count]) => (count < 0 ? [word] : []));
  return taken.length > 0 && taken.every((word) => (side.get(word) ?? 0) >= 0);
}

/** Whether one side adds a name that the other leaves nowhere. */
function missesName(known: Words, leaving: Words, adding: Words): boolean {
  return [...leaving].some(
    ([word, count]) => /\w/.test(word) && count + (known.get(word) ?? 0) === 0 && (adding.get(word) ?? 0) > 0,
  );
}

function wordsOf(text: string): Map<string, number> {
  const words = countWords(text);
  for (const mark of separators) words.delete(mark);
  return words;
}

/** What stands between entries belongs to the list, not to a side. */
const separators = [",", ";"];

function less(all: Words, some: Words): Map<string, number> {
  const left = new Map(all);
  for (const [word, count] of some) left.set(word, (left.get(word) ?? 0) - count);
  return left;
}
