import { compareTexts } from "../../text/diff/compare.ts";
import { hasDoubles } from "../../text/merge/doubles.ts";
import {
  type LineConflict,
  type Merged,
  type MergePiece,
  type MergePrint,
  mergeLines,
  printMerge,
} from "../../text/merge/merge.ts";
import { mergeTrees } from "../../text/merge/merge-nodes.ts";
import type { MergeText } from "../../text/merge/merge-tree.ts";
import { countWords } from "../../text/merge/pair-children.ts";
import type { ThreeWays } from "../../text/merge/three-ways.ts";
import type { Region } from "../../text/model/region.ts";
import { createOffsetMap, type Splice } from "../../text/model/splice.ts";
import { type MergeGrammar, mergeGrammarAt } from "./grammar.ts";
import { readMergeTree } from "./read-tree.ts";

/** More conflicts than this are not tried one by one. */
const MOST_TRIED = 20;

/**
 * Merges two versions of a file. Where lines conflict, what both sides did is merged as edits of the file's tree, if its
 * grammar is known and understands all three versions. The result parses, or the lines are a conflict.
 */
export async function mergeFile(
  path: string,
  versions: ThreeWays<string>,
  names?: MergePrint,
): Promise<Merged> {
  return printMerge(versions.base, await mergePieces(path, versions), names);
}

/** The merge of a file, or null where both sides changed something in ways that do not go together. */
export async function mergeFileCleanly(path: string, versions: ThreeWays<string>): Promise<string | null> {
  const pieces = await mergePieces(path, versions);
  return isSettled(pieces) ? pieces.join("") : null;
}

async function mergePieces(path: string, versions: ThreeWays<string>): Promise<readonly MergePiece[]> {
  const pieces = mergeLines(versions);
  const grammar = mergeGrammarAt(path, versions.base || versions.ours);
  if (!grammar || versions.ours === versions.base || versions.theirs === versions.base) return pieces;
  if (isSettled(pieces)) return settleClean(grammar, versions, pieces.join(""));
  const merged =
    (await mergeByTree(grammar, versionsOf(versions.base, pieces))) ?? (await mergeByTree(grammar, versions));
  return merged === null ? settleEach(grammar, versions.base, pieces) : [merged];
}

function isSettled(pieces: readonly MergePiece[]): pieces is readonly string[] {
  return pieces.every((piece) => typeof piece === "string");
}

/** A merge whose lines do not conflict stands, unless it breaks the file or has something twice. */
async function settleClean(
  grammar: MergeGrammar,
  versions: ThreeWays<string>,
  text: string,
): Promise<readonly MergePiece[]> {
  if (text === versions.ours || text === versions.theirs) return [text];
  const merged = await readMergeTree(grammar, text, [
    ...changedIn(versions.ours, text),
    ...changedIn(versions.theirs, text),
  ]);
  if (merged && !mayDouble(versions)) return [text];
  const sides = await readVersions(grammar, versions);
  if (!sides || (merged && !hasDoubles(merged, sides))) return [text];
  const other = await mergeByTree(grammar, versions);
  return other === null ? [wholeConflict(versions)] : [other];
}

/** Whether both sides added the same word, without which they cannot have added the same thing. */
function mayDouble({ base, ours, theirs }: ThreeWays<string>): boolean {
  const added = (side: string) =>
    countWords(
      compareTexts(base, side)
        .map(({ text }) => text)
        .join("\n"),
    );
  const mine = added(ours);
  return [...added(theirs).keys()].some((word) => /\w/.test(word) && mine.has(word));
}

/** Everything from the first change to the last as one conflict. */
function wholeConflict({ base, ours, theirs }: ThreeWays<string>): LineConflict {
  return { base: { start: 0, end: base.length }, ours, theirs };
}

/** The conflicts that a tree settles by themselves, while the others stay as they are in ours. */
async function settleEach(
  grammar: MergeGrammar,
  base: string,
  pieces: readonly MergePiece[],
): Promise<MergePiece[]> {
  const settled = [...pieces];
  const open = pieces.flatMap((piece, index) => (typeof piece === "string" ? [] : [{ piece, index }]));
  if (open.length < 2 || open.length > MOST_TRIED) return settled;
  for (const { piece, index } of open) {
    const alone = settled.map((other) => (typeof other === "string" || other === piece ? other : other.ours));
    const merged = await mergeByTree(grammar, versionsOf(base, alone));
    const head = alone.slice(0, index).join("");
    const tail = alone.slice(index + 1).join("");
    if (merged?.startsWith(head) && merged.endsWith(tail) && merged.length >= head.length + tail.length)
      settled[index] = merged.slice(head.length, merged.length - tail.length);
  }
  return settled;
}

/** Three versions that differ only where lines conflict. */
function versionsOf(base: string, pieces: readonly MergePiece[]): ThreeWays<string> {
  const joined = (pick: (conflict: LineConflict) => string): string =>
    pieces.map((piece) => (typeof piece === "string" ? piece : pick(piece))).join("");
  return {
    base: joined(({ base: { start, end } }) => base.slice(start, end)),
    ours: joined(({ ours }) => ours),
    theirs: joined(({ theirs }) => theirs),
  };
}

async function mergeByTree(grammar: MergeGrammar, versions: ThreeWays<string>): Promise<string | null> {
  const trees = await readVersions(grammar, versions);
  const text = trees && mergeTrees(trees);
  if (text === null) return null;
  const regions = [...changedIn(versions.ours, text), ...changedIn(versions.theirs, text)];
  const merged = await readMergeTree(grammar, text, regions);
  return merged && !hasDoubles(merged, trees!) ? text : null;
}

/** The trees of three versions, opened where any of them differs; null if one does not parse. */
async function readVersions(
  grammar: MergeGrammar,
  { base, ours, theirs }: ThreeWays<string>,
): Promise<ThreeWays<MergeText> | null> {
  const mine = compareTexts(base, ours);
  const other = compareTexts(base, theirs);
  const regions = [...mine, ...other].map(({ region }) => region);
  const inBase = await readMergeTree(grammar, base, regions);
  const inOurs = inBase && (await readMergeTree(grammar, ours, carried(regions, mine)));
  const inTheirs = inOurs && (await readMergeTree(grammar, theirs, carried(regions, other)));
  return inTheirs && { base: inBase!, ours: inOurs, theirs: inTheirs };
}

/** Where regions of a text are after a change of it. */
function carried(regions: readonly Region[], splices: readonly Splice[]): Region[] {
  const map = createOffsetMap(splices);
  return regions.map(({ start, end }) => ({ start: map(start, "before"), end: map(end, "after") }));
}

/** The regions of a text in which it differs from another. */
function changedIn(other: string, text: string): Region[] {
  return compareTexts(text, other).map(({ region }) => region);
}
