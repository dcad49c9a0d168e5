import { isDistinct } from "../../../drift/change/names.ts";
import { gateText } from "../../../wording/agents.ts";
import type { GateVerdict, Objection, Risk } from "../objection.ts";
import { type Changes, keyOf } from "./changes.ts";
import { isHeading, isInsideFence, isWithin, type Piece } from "./pieces.ts";
import { relation, type SectionPlace } from "./relation.ts";
import { compareTo, isAlike, rawWordsOf, shorten } from "./words.ts";

/** Lines of a section that the model names with a reason, counted from 0. */
export type NamedLines = { readonly firstLine: number; readonly lastLine: number; readonly reason: string };

type Judged = {
  readonly path: string;
  readonly notices: readonly SectionPlace[];
  readonly named?: readonly NamedLines[] | undefined;
  /** Words of the code that the model was shown. */
  readonly shown: ReadonlySet<string>;
};

/**
 * A sentence about a notice may go or be reworded. Another one may where the model names it with a reason; a person is
 * told of it, and of new sentences that are about nothing that was shown.
 */
export function checkSentences(judged: Judged, changes: Changes): Partial<GateVerdict> {
  const { path, named = [] } = judged;
  const object = (detail: string): Objection => ({ gate: "place", path, detail });
  const says = (pieces: readonly Piece[]): boolean => pieces.some((piece) => !isHeading(piece));
  if (says(changes.old) && !says(changes.fresh)) return { objections: [object(gateText.emptied)] };
  const risks: Risk[] = [];
  const unnamed: Piece[] = [];
  for (const piece of findStray(judged, changes)) {
    const reason = named.find((lines) => isWithin(piece, lines))?.reason;
    if (reason === undefined) unnamed.push(piece);
    else risks.push({ path, what: "other sentence", detail: gateText.named(shorten(piece.text), reason) });
  }
  if (risks.length > mostNamed) return { objections: [object(gateText.manyNamed(risks.length, mostNamed))] };
  const { loose, allowed } = findLoose(judged, changes);
  if (loose.length > Math.max(allowed, mostLoose))
    return { objections: [object(gateText.unfounded(shorten(loose[0]!.text)))] };
  if (loose.length > allowed)
    risks.push(...loose.map(({ text }) => ({ path, what: "new sentence", detail: shorten(text) })));
  return {
    objections: unnamed.slice(0, 3).map(({ text }) => object(gateText.unrelated(shorten(text)))),
    risks,
  };
}

/** People do not read a longer list to its end. */
const mostNamed = 20;

/** Sentences that change or go, and are not about a notice: neither they, nor their new words, nor their paragraph. */
function findStray({ notices }: Judged, { old, fresh, removed, added }: Changes): Piece[] {
  const isTied = relation(notices);
  const gone = new Set(removed);
  const rewordings = findRewordings({ old, fresh, removed, added });
  const blocks = Map.groupBy(old, ({ block }) => block);
  // The samples that get a line about a notice.
  const gains = new Set(
    added.filter((one) => isInsideFence(one) && isTied(one.text)).map(({ block }) => block),
  );
  const isLost = (piece: Piece): boolean => gone.has(piece) && rewordings(piece).length === 0;
  return removed.filter((piece) => {
    if (!isStatement(piece) || isTied(piece.text)) return false;
    // A paragraph, a list entry or a sample is reworded as a whole.
    if (blocks.get(piece.block)!.some((one) => isTied(one.text))) return false;
    if (rewordings(piece).some((one) => isTied(one.text) && keepsWords(piece, one))) return false;
    if (isInsideFence(piece) && rewordings(piece).some(({ block }) => gains.has(block))) return false;
    return !notices.some((notice) => {
      if (!isWithin(piece, notice)) return false;
      if (rewordings(piece).length > 0) return true;
      const about = old.filter((one) => isWithin(one, notice) && isTied(one.text));
      return notice.adds !== true && about.every(isLost);
    });
  });
}

function keepsWords(old: Piece, fresh: Piece): boolean {
  const { both, old: all } = compareTo(old.text, fresh.text);
  return isHeading(old) === isHeading(fresh) && both * 5 >= all * 3;
}

/** The new sentences that may reword one that is gone. One below a new heading rewords none of a section whose heading stays. */
function findRewordings({ old, fresh, added }: Changes): (piece: Piece) => Piece[] {
  const isNew = new Set(added);
  const [above, now] = [headingsAbove(old), headingsAbove(fresh)];
  const kept = new Set(fresh.filter(isHeading).map(keyOf));
  const found = new Map<Piece, Piece[]>();
  return (piece) => {
    const known = found.get(piece);
    if (known) return known;
    const heading = above.get(piece);
    const stays = heading === undefined || kept.has(keyOf(heading));
    const alike = added.filter((one) => {
      const other = now.get(one);
      return !(stays && other !== undefined && isNew.has(other)) && isAlike(piece.text, one.text);
    });
    found.set(piece, alike);
    return alike;
  };
}

/** The heading above each piece; none for headings themselves. */
function headingsAbove(pieces: readonly Piece[]): Map<Piece, Piece> {
  const above = new Map<Piece, Piece>();
  let last: Piece | undefined;
  for (const piece of pieces)
    if (isHeading(piece)) last = piece;
    else if (last) above.set(piece, last);
  return above;
}

/** A label or a bare value says nothing by itself. */
function isStatement(piece: Piece): boolean {
  if (isInsideFence(piece) || isHeading(piece) || /^\.\.\s/.test(piece.text)) return keyOf(piece).length > 2;
  const words = rawWordsOf(piece.text);
  return words.length > 1 || words.some(isDistinct);
}

/** So many new sentences without a name of the code are listed. More of them are chatter. */
const mostLoose = 8;

/**
 * New sentences that reword no old one and name neither what a notice is about nor what the code shows, and how many of
 * them those that do may have beside them as explanations.
 */
function findLoose({ notices, shown }: Judged, { old, removed, added }: Changes) {
  const [isTied, isRelated] = [relation(notices), relation(notices, "part")];
  const entries = old.filter((piece) => isHeading(piece) || /^\s*(?:[-*+]|\d+[.)]|\||<)/.test(piece.text));
  const rewordable = [...removed, ...entries];
  const prose = added.filter((piece) => isProse(piece) && keyOf(piece).length > 2);
  const isFounded = ({ text }: Piece): boolean =>
    isRelated(text) ||
    rewordable.some((one) => isAlike(one.text, text)) ||
    codeNamesIn(text).some((name) => shown.has(name));
  const unfounded = prose.filter((piece) => !isFounded(piece));
  const founded = added.length - unfounded.length + removed.filter(({ text }) => isTied(text)).length;
  // A heading only names the text below it.
  const loose = unfounded.filter((piece) => founded === 0 || !isHeading(piece));
  return { loose, allowed: 2 * Math.min(founded, mostLoose) };
}

/** A sentence is prose also in a sample: an open one may hide it. */
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
