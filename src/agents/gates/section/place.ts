import { isDistinct } from "../../../drift/change/names.ts";
import { isMarkdownPath } from "../../../syntax/formats/registry.ts";
import { gateText } from "../../../wording/agents.ts";
import type { Objection } from "../objection.ts";
import { type Changes, keyOf } from "./changes.ts";
import { checkFences } from "./fences.ts";
import { fenceMark, isHeading, isInsideFence, isWithin, type Piece } from "./pieces.ts";
import { relation, type SectionPlace } from "./relation.ts";
import { compareTo, compareWords, isAlike, rawWordsOf, shorten } from "./words.ts";

type Placed = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly notices: readonly SectionPlace[];
  /** Words of the code that the model was shown. */
  readonly shown: ReadonlySet<string>;
};

/** Sentences that a notice is not about stay, and new sentences are about a notice. */
export function checkPlace(given: Placed, changes: Changes): Objection[] {
  return [
    ...checkEmptied(given, changes),
    ...checkRelated(given, changes),
    ...checkReplaced(given, changes),
    ...checkTables(given),
    ...checkFences(given),
  ];
}

/** A heading without a text is no section. */
function checkEmptied({ path }: Placed, { old, fresh }: Changes): Objection[] {
  const says = (pieces: readonly Piece[]): boolean => pieces.some((piece) => !isHeading(piece));
  return says(old) && !says(fresh) ? [{ gate: "place", path, detail: gateText.emptied }] : [];
}

/** Rows of Markdown without a header, or without the line below it, are no table. */
function checkTables({ path, before, after }: Placed): Objection[] {
  return isMarkdownPath(path) && brokenTables(withoutSamples(after)) > brokenTables(withoutSamples(before))
    ? [{ gate: "place", path, detail: gateText.brokenTable }]
    : [];
}

function withoutSamples(text: string): string {
  let open = "";
  return text
    .split("\n")
    .map((line) => {
      const mark = fenceMark(line);
      const isCode = open !== "" || mark !== "";
      if (open === "") open = mark;
      else if (mark.startsWith(open)) open = "";
      return isCode ? "" : line;
    })
    .join("\n");
}

/** The groups of rows that have a header or the line below it, and not both. */
function brokenTables(text: string): number {
  const groups = text.match(/(?:^[ \t]*\|.*\|[ \t]*\r?\n?)+/gm) ?? [];
  return groups.filter((group) => {
    const [, second = ""] = group.split("\n");
    return group.trim().includes("\n") && !/^(?=[\s|:-]*$)[^-]*-(?:[^-]+-)*-/.test(second);
  }).length;
}

function checkRelated({ path, notices }: Placed, changes: Changes): Objection[] {
  const { old, fresh: now, removed, added } = changes;
  const isMerged = countSamples(now) < countSamples(old);
  const rewordingsOf = findRewordings(changes);
  const [isNamed, isTied, isForm] = [
    relation(notices),
    relation(notices, "exact"),
    relation(notices, "form"),
  ];
  const isUnused = findUnusedDefinitions(changes);
  const gone = new Set(removed);
  const lost = new Set(removed.filter((piece) => rewordingsOf(piece).length === 0));
  const stray = removed.filter((piece) => {
    const rewordings = rewordingsOf(piece);
    // A sentence that goes altogether must hold the name itself. One that only comes near it must change in a name.
    const isRelated = rewordings.length > 0 ? isNamed : isTied;
    if (!isStatement(piece) || (rewordings.length > 0 ? isForm : isTied)(piece.text)) return false;
    if (isRelated(piece.text) && changesName(piece, rewordings, isNamed)) return false;
    if (gainsName(piece, rewordings, isTied) || becomesName(piece, added, isTied)) return false;
    // A paragraph, a list entry or a sample is reworded as a whole.
    const block = blockOf(piece, { old, gone, added, isMerged });
    if (block.some((one) => (one === piece ? isTied : isRelated)(one.text))) return false;
    if (rewordings.some((fresh) => gainsLine(piece, fresh, { added, isTied }))) return false;
    if (isUnused(piece)) return false;
    return !notices.some((notice) => coversChange(notice, { piece, rewordings, old, lost, isRelated }));
  });
  return stray
    .slice(0, 3)
    .map(({ text }) => ({ gate: "place", path, detail: gateText.unrelated(shorten(text)) }));
}

/**
 * The lines of a notice may be reworded. They may go together with all of its lines that share a name with it, or where
 * none does.
 */
function coversChange(
  { firstLine, lastLine, adds = false }: SectionPlace,
  change: {
    readonly piece: Piece;
    readonly rewordings: readonly Piece[];
    readonly old: readonly Piece[];
    /** Pieces that are gone in any wording. */
    readonly lost: ReadonlySet<Piece>;
    readonly isRelated: (text: string) => boolean;
  },
): boolean {
  const covers = (piece: Piece): boolean => isWithin(piece, { firstLine, lastLine });
  if (!covers(change.piece)) return false;
  if (change.rewordings.length > 0) return true;
  const named = change.old.filter((other) => covers(other) && change.isRelated(other.text));
  return !adds && named.every((other) => change.lost.has(other));
}

/**
 * Whether the sample of a new line got a line about a notice: the others may be set anew around it. In a paragraph that
 * got a sentence about a notice, another one may change if it keeps nearly all of its words and gets hardly any.
 */
function gainsLine(
  old: Piece,
  fresh: Piece,
  { added, isTied }: { readonly added: readonly Piece[]; readonly isTied: (text: string) => boolean },
): boolean {
  if (isInsideFence(old) !== isInsideFence(fresh) || isHeading(old)) return false;
  const gains = added.some(
    (one) => one !== fresh && one.kind === fresh.kind && one.block === fresh.block && isTied(one.text),
  );
  if (isInsideFence(old)) return gains || isTied(fresh.text);
  const { both, more } = compareWords(old.text, fresh.text);
  return gains && both * 8 >= more * 7;
}

/** Whether a piece says where a link leads that stood in a sentence which is gone, and stands nowhere else. */
function findUnusedDefinitions({ fresh, removed }: Changes): (piece: Piece) => boolean {
  let [gone, kept]: [Set<string>?, Set<string>?] = [];
  return ({ text, kind }) => {
    const [, label] = kind === "prose" ? (linkDefinition.exec(text) ?? []) : [];
    if (label === undefined) return false;
    gone ??= new Set(removed.flatMap(labelsIn));
    kept ??= new Set(fresh.flatMap(labelsIn));
    return gone.has(label) && !kept.has(label);
  };
}

/** A definition of Markdown or of reStructuredText: `[label]: address`, `.. _label: address`. */
const linkDefinition = /^(?:\[|\.\. _)([^\]:`\n]{1,100})\]?:\s+\S/;

/** The labels of the links in a sentence: `[label]`, `` `label`_ ``, `label_`. */
function labelsIn({ text }: Piece): string[] {
  const sentence = text.replace(linkDefinition, " ");
  const links = sentence.matchAll(
    /\[([^\][\n]{1,100})\]|`([^`\n]{1,100})`_|(?<![\w-])(\w[\w-]{0,100})_(?!\w)/g,
  );
  return Array.from(links, ([, markdown, quoted, bare]) => (markdown ?? quoted ?? bare)!);
}

/**
 * The new sentences that may reword one that is gone. A sentence below a new heading rewords none of a section whose
 * heading is still there.
 */
function findRewordings({ old, fresh, added }: Changes): (piece: Piece) => Piece[] {
  const isNew = new Set(added);
  const [above, now] = [headingsAbove(old), headingsAbove(fresh)];
  const kept = new Set(fresh.filter(isHeading).map(keyOf));
  const found = new Map<Piece, Piece[]>();
  return (piece) => {
    let rewordings = found.get(piece);
    if (rewordings) return rewordings;
    const heading = above.get(piece);
    const stays = heading === undefined || kept.has(keyOf(heading));
    rewordings = added.filter((one) => {
      const other = now.get(one);
      const isElsewhere = stays && other !== undefined && isNew.has(other);
      return !isElsewhere && isAlike(piece.text, one.text);
    });
    found.set(piece, rewordings);
    return rewordings;
  };
}

/** The heading above each piece; none for headings themselves. */
function headingsAbove(pieces: readonly Piece[]): Map<Piece, Piece> {
  const above = new Map<Piece, Piece>();
  let last: Piece | undefined;
  for (const piece of pieces)
    if (!isInsideFence(piece) && isHeading(piece)) last = piece;
    else if (last) above.set(piece, last);
  return above;
}

/** Whether a sentence that lacked a name got it, and kept most of its words. */
function gainsName(old: Piece, rewordings: readonly Piece[], isTied: (text: string) => boolean): boolean {
  const shared = rewordings
    .filter((fresh) => isHeading(fresh) === isHeading(old))
    .map((fresh) => ({ fresh, ...compareTo(old.text, fresh.text) }));
  const closest = shared.reduce<(typeof shared)[number] | null>(
    (best, one) => (one.both > (best?.both ?? 0) ? one : best),
    null,
  );
  return closest !== null && isTied(closest.fresh.text) && closest.both * 5 >= closest.old * 3;
}

/** Whether the new wording of a sentence has other names or numbers: more than its style changed. */
function changesName(old: Piece, rewordings: readonly Piece[], isNamed: (text: string) => boolean): boolean {
  const namesOf = ({ text }: Piece): string =>
    [...codeNamesIn(text), ...rawWordsOf(text).filter(isNamed), ...(text.match(/\d+/g) ?? [])]
      .sort()
      .join(" ");
  return isInsideFence(old) || rewordings.some((fresh) => namesOf(fresh) !== namesOf(old));
}

/** Whether one word of a line became a name of a notice, and nothing else of the line changed. */
function becomesName(old: Piece, added: readonly Piece[], isTied: (text: string) => boolean): boolean {
  const words = old.text.split(wordEnds);
  return added.some((fresh) => {
    const others = fresh.text.split(wordEnds);
    const changed = others.filter((word, i) => word !== words[i]);
    return (
      fresh.kind === old.kind && others.length === words.length && changed.length === 1 && isTied(changed[0]!)
    );
  });
}

const wordEnds = /(?<![\p{L}\p{N}_$])|(?![\p{L}\p{N}_$])/u;

function countSamples(pieces: readonly Piece[]): number {
  return new Set(pieces.filter(isInsideFence).map(({ block }) => block)).size;
}

/** The block of a piece. If a sample and the sentence that introduces it both go, the blocks of both. */
function blockOf(
  piece: Piece,
  {
    old,
    gone,
    added,
    isMerged,
  }: {
    readonly old: readonly Piece[];
    readonly gone: ReadonlySet<Piece>;
    readonly added: readonly Piece[];
    /** The section has fewer samples than before, so that another one may have taken in the lines of this one. */
    readonly isMerged: boolean;
  },
): Piece[] {
  const own = old.filter(({ block }) => block === piece.block);
  const isCode = isInsideFence(piece);
  const beside = old.filter(({ block }) => block === piece.block + (isCode ? -1 : 1));
  const words = isCode ? beside : own;
  const sample = isCode ? own : beside;
  const introduces = /(?::|\.\.\.|…)[*_]*$/.test(words.at(-1)?.text ?? "");
  const isPair =
    introduces &&
    sample.length > 0 &&
    words.every((one) => !isInsideFence(one)) &&
    sample.every(isInsideFence);
  // A short line of a sample stands in other samples too.
  const isGone = (one: Piece): boolean => gone.has(one) || (isInsideFence(one) && keyOf(one).length < 16);
  const isMostlyGone = sample.filter(isGone).length * 4 >= sample.length * 3;
  const isReworded = !isMerged && sample.some((one) => gone.has(one) && isRewordedIn(one, added));
  return isPair && !isReworded && words.every(isGone) && isMostlyGone ? [...own, ...beside] : own;
}

/** Whether a line of code is still there in another wording. */
function isRewordedIn(line: Piece, added: readonly Piece[]): boolean {
  return added.some((fresh) => isInsideFence(fresh) && isAlike(line.text, fresh.text));
}

/** A label or a bare value says nothing by itself. */
function isStatement(piece: Piece): boolean {
  if (isInsideFence(piece) || isHeading(piece)) return keyOf(piece).length > 2;
  if (/^\.\.\s+[\w-]+::/.test(piece.text)) return true;
  const words = rawWordsOf(piece.text);
  return words.length > 1 || words.some(isDistinct);
}

/** Up to twice as many sentences may explain those that name something. */
const mostExplained = 8;

/** A new heading with the name of a notice counts as so many sentences more, so that the text below need not repeat it. */
const headingWeight = 3;

/**
 * New sentences must reword old ones, name what a notice is about, or what the code shows. A few may explain those, and
 * one may take the place of each sentence that a notice points at.
 */
function checkReplaced({ path, notices, shown }: Placed, { old, removed, added }: Changes): Objection[] {
  const [isRelated, isTied] = [relation(notices, "part"), relation(notices, "exact")];
  const entries = old.filter((piece) => isHeading(piece) || /^\s*(?:[-*+]|\d+[.)]|\||<)/.test(piece.text));
  const rewordable = [...removed, ...entries];
  const prose = added.filter((piece) => isProse(piece) && keyOf(piece).length > 2);
  // Inline code of the sentences that a notice points at.
  const noticed = new Set(
    old
      .filter((piece) => notices.some((notice) => isWithin(piece, notice)))
      .flatMap(({ text }) => spansIn(text)),
  );
  const isFounded = ({ text }: Piece): boolean =>
    isRelated(text) ||
    rewordable.some((one) => isAlike(one.text, text)) ||
    codeNamesIn(text).some((name) => shown.has(name)) ||
    spansIn(text).some((span) => noticed.has(span));
  const unfounded = prose.filter((piece) => !isFounded(piece));
  const named = prose.filter((piece) => isHeading(piece) && isTied(piece.text)).length * headingWeight;
  const founded = added.filter((piece) => !isProse(piece)).length + prose.length - unfounded.length + named;
  const replaced = removed.filter(({ text }) => isTied(text)).length;
  const noticedOnes = removed.filter(
    (piece) => !isTied(piece.text) && notices.some((notice) => !notice.adds && isWithin(piece, notice)),
  );
  // A heading only names the text below it.
  const loose = unfounded.filter((piece) => founded === 0 || !isHeading(piece));
  const allowed = 2 * Math.min(founded + replaced, mostExplained) + noticedOnes.length;
  if (loose.length <= Math.min(allowed, 2 * mostExplained)) return [];
  return [{ gate: "place", path, detail: gateText.unfounded(shorten(loose[0]?.text ?? "")) }];
}

function spansIn(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]{1,80})`/g), ([, span]) => span!);
}

/** A sentence is prose also where a sample is still open. */
function isProse(piece: Piece): boolean {
  return !isInsideFence(piece) || /^\p{Lu}[\p{L}', -]{20,}\.$/u.test(piece.text);
}

/** Names that a sentence has as code, or that are never written by accident. A heading of one word is a name. */
export function codeNamesIn(text: string): string[] {
  if (isHeading({ text }) && rawWordsOf(text).length === 1) return rawWordsOf(text);
  const code = text.matchAll(/`([^`\n]{2,80})`|<(?:code|tt)>([^<\n]{2,80})</g);
  const spans = Array.from(code, ([, span, element]) => span ?? element!).join("\n");
  const names = rawWordsOf(text).filter((word) => isDistinct(word) && !word.includes("-"));
  return [...rawWordsOf(spans).filter((word) => word.length > 3), ...names];
}
