import { fold, isDistinct } from "../../drift/change/names.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { gateText } from "../../wording/agents.ts";
import type { GateVerdict, Objection, Risk } from "./objection.ts";
import { isInsideFence, type Piece, piecesOf } from "./pieces.ts";
import { findNewNames } from "./sample-names.ts";

/** A section that a model wrote, and everything that its new words may come from. */
export type EditedSection = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The notices that the edit is about: their lines in the section, counted from 0, and the names they are about. */
  readonly notices: readonly SectionPlace[];
  /** Whether something is to be added: then the section may grow more. */
  readonly adds: boolean;
  /** The code, the commits, the evidence and the proposals that the model was shown. */
  readonly sources: readonly string[];
  /** Whether the code knows a name. */
  readonly knows: (name: string) => boolean;
  /** Whether other pages of the repository use a name. */
  readonly documents?: (name: string) => boolean;
};

export type SectionPlace = {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly terms: readonly string[];
};

/**
 * What must hold after a model has edited a section, decided by code: only sentences that a notice is about change, new
 * numbers and names come from what the model was shown, the section grows little, and it does not speak of the edit.
 */
export function checkPostConditions(edited: EditedSection): Partial<GateVerdict> {
  const changes = findChanges(edited.before, edited.after);
  return {
    objections: [
      ...checkRelated(edited, changes),
      ...checkReplaced(edited, changes),
      ...checkOrigin(edited, changes),
      ...checkGrowth(edited, changes),
      ...checkTalk(edited, changes),
    ],
    risks: findNegations(edited, changes),
  };
}

type Changes = { readonly removed: readonly Piece[]; readonly added: readonly Piece[] };

/** The sentences, rows and lines of code that only one side has. */
function findChanges(before: string, after: string): Changes {
  const [old, fresh] = [piecesOf(before), piecesOf(after)];
  const [had, has] = [new Set(old.map(keyOf)), new Set(fresh.map(keyOf))];
  return {
    removed: old.filter((piece) => !has.has(keyOf(piece))),
    added: fresh.filter((piece) => !had.has(keyOf(piece))),
  };
}

/** Layout and marks around a sentence are not its words. */
function keyOf({ text }: Piece): string {
  return text.replace(/[\s|:-]+/g, " ").trim();
}

/** Whether a text shares a name with a notice; `exact` leaves out names that are only near. */
function relation(
  notices: readonly SectionPlace[],
  { exact = false }: { readonly exact?: boolean } = {},
): (text: string) => boolean {
  const terms = [...new Set(notices.flatMap((notice) => notice.terms))];
  // A capital tells a name from a word of every sentence: `Response` is not "response".
  const capital = terms.filter((term) => !isDistinct(term) && /^\p{Lu}/u.test(term));
  const names = terms.filter((term) => !capital.includes(term)).map(fold);
  return (text) => {
    // A heading names what its section is about; only the name itself ties it to a notice.
    const isStrict = exact || /^\s*#{1,6}\s/.test(text);
    return rawWordsOf(text).some((word) => {
      if (capital.some((term) => word === term || (!isStrict && isNear(term, word)))) return true;
      const folded = fold(word);
      return names.some((term) => folded === term || (!isStrict && isNear(term, folded)));
    });
  };
}

/** New sentences must reword old ones or name what a notice is about; a few may explain those. */
function checkReplaced({ path, notices }: EditedSection, { removed, added }: Changes): Objection[] {
  const isRelated = relation(notices);
  const prose = added.filter((piece) => !isInsideFence(piece) && keyOf(piece).length > 2);
  const isFounded = ({ text }: Piece): boolean =>
    isRelated(text) || removed.some((old) => isAlike(old.text, text));
  const loose = prose.filter((piece) => !isFounded(piece));
  const founded = prose.length - loose.length + added.filter(isInsideFence).length;
  if (loose.length <= 2 * Math.min(founded, 4)) return [];
  const detail = gateText.unfounded(shorten(loose[0]?.text ?? ""));
  return [{ gate: "place", path, detail }];
}

function checkRelated({ path, before, notices }: EditedSection, { removed, added }: Changes): Objection[] {
  const [isNamed, isTied] = [relation(notices), relation(notices, { exact: true })];
  const pieces = piecesOf(before);
  const stray = removed.filter((piece) => {
    // A sentence that goes altogether must hold the name itself.
    const isReworded = added.some((fresh) => isAlike(piece.text, fresh.text));
    const isRelated = isReworded ? isNamed : isTied;
    if (isRelated(piece.text) || !isStatement(piece)) return false;
    // A paragraph, a list entry or a sample is reworded as a whole.
    const around = pieces.filter((other) => other.block === piece.block);
    if (around.some(({ text }) => isRelated(text))) return false;
    // Where a notice points at words that share no name with it, its own lines may change as a whole.
    return !notices.some(
      ({ firstLine, lastLine }) =>
        piece.line >= firstLine &&
        piece.line <= lastLine &&
        !pieces.some((other) => other.line >= firstLine && other.line <= lastLine && isRelated(other.text)),
    );
  });
  return stray
    .slice(0, 3)
    .map(({ text }) => ({ gate: "place", path, detail: gateText.unrelated(shorten(text)) }));
}

/** A word that holds the name, as `maxRetries` holds `retries`; a large part of it; or another form, as `caching`. */
function isNear(term: string, word: string): boolean {
  if (Math.min(term.length, word.length) < 5) return false;
  if (word.includes(term)) return true;
  if (term.includes(word)) return word.length * 3 >= term.length * 2;
  return word.startsWith(term.slice(0, -1)) && word.length - term.length <= 3;
}

function wordsOf(text: string): string[] {
  return rawWordsOf(text).map(fold);
}

/** The words of a text without those that every sentence has; all words where nothing else is left. */
function tellingWords(text: string): string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => word.length > 3);
  return telling.length > 0 ? telling : words;
}

function rawWordsOf(text: string): string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu) ?? [];
}

/** A label or a bare value says nothing by itself. */
function isStatement(piece: Piece): boolean {
  const isHeading = /^\s*#{1,6}\s/.test(piece.text);
  if (isInsideFence(piece) || isHeading) return keyOf(piece).length > 2;
  const words = rawWordsOf(piece.text);
  return words.length > 1 || words.some(isDistinct);
}

/** New numbers and names must stand in the section as it was or in what the model was shown. */
function checkOrigin(edited: EditedSection, { added, removed }: Changes): Objection[] {
  const { path, before, sources, knows, documents } = edited;
  const shown = [before, ...sources].join("\n");
  const numbers = new Set(numbersIn(shown));
  const objections: Objection[] = [];
  const invented = added
    .filter((piece) => !isNewSample(piece, removed))
    .flatMap(({ text }) => numbersIn(text))
    .filter((number) => !numbers.has(number));
  for (const number of new Set(invented))
    objections.push({ gate: "numbers", path, detail: gateText.unknownNumber(number) });
  for (const name of findNewNames({ added, shown, knows, documents }))
    objections.push({ gate: "names", path, detail: gateText.unseenName(name) });
  return objections.slice(0, 6);
}

/** A new line of a sample. Its numbers are an author's choice, unless the line rewords one that was there. */
function isNewSample(piece: Piece, removed: readonly Piece[]): boolean {
  const isReworded = (old: Piece): boolean => {
    const { both, more } = compareWords(old.text, piece.text);
    return isInsideFence(old) && both * 3 >= more * 2;
  };
  return isInsideFence(piece) && !removed.some(isReworded);
}

/** Numbers without their separators. The number of a list entry is layout. */
function numbersIn(text: string): string[] {
  const words = text.replace(/^\s*\d+[.)]\s/gm, " ").replace(/\]\([^)]*\)/g, "]");
  return Array.from(words.matchAll(/(?<![\p{L}_$#&\d.-])\d[\d_,.]*/gu), ([found]) =>
    found.replace(/[_,]/g, "").replace(/\.+$/, ""),
  );
}

const freeGrowth = 700;
const freeLines = 12;
const addedGrowth = 3500;
const addedLines = 60;

function checkGrowth({ path, before, after, adds }: EditedSection, { added }: Changes): Objection[] {
  const lines = compareTexts(before, after).reduce(
    (sum, { region, text }) => sum + countLines(text) - countLines(before.slice(region.start, region.end)),
    0,
  );
  const [mostLines, most] = adds ? [addedLines, addedGrowth] : [freeLines, freeGrowth];
  const limit = Math.max(most, adds ? before.length : 0);
  if (added.length === 0 || (lines <= mostLines && after.length - before.length <= limit)) return [];
  return [{ gate: "size", path, detail: gateText.growth(Math.max(0, lines), mostLines) }];
}

function countLines(text: string): number {
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

const talk =
  /\b(?:I(?:'ve| have)? (?:updated|changed|fixed|rewritten|added|removed|made|corrected)|as (?:you )?(?:requested|asked|instructed)|per your (?:request|instructions)|(?:this|the) (?:section|page|document|text|passage) (?:has been|was|is now) (?:updated|changed|rewritten|revised|corrected)|(?:updated|revised) (?:section|version)\s*:|here is the (?:updated|corrected|revised)|the (?:notice|notices) (?:above|below)|hope this helps|let me know if|certainly!|sure!|as an ai)\b/i;

function checkTalk({ path }: EditedSection, { added }: Changes): Objection[] {
  const found = added.find(({ text }) => talk.test(text));
  return found ? [{ gate: "talk", path, detail: gateText.talk(shorten(found.text)) }] : [];
}

const negation =
  /\b(?:not|never|no longer|cannot|can't|don't|doesn't|isn't|aren't|won't|without|nor|neither)\b/gi;

/** A sentence that gains or loses a "not" may say the opposite. Code cannot tell, so a person is told. */
function findNegations({ path }: EditedSection, { removed, added }: Changes): Risk[] {
  return added
    .filter((piece) => !isInsideFence(piece))
    .flatMap((fresh) => {
      const before = removed
        .filter((piece) => isAlike(piece.text, fresh.text))
        .map(({ text }) => countOf(text, negation));
      const after = countOf(fresh.text, negation);
      const turned = before.length === 0 ? after > 0 : !before.includes(after);
      return turned ? [{ path, what: "negation", detail: shorten(fresh.text) }] : [];
    });
}

function countOf(text: string, shape: RegExp): number {
  return text.match(shape)?.length ?? 0;
}

/** Whether one sentence may be a new wording of the other. Two words in common prove nothing about a long sentence. */
function isAlike(a: string, b: string): boolean {
  const { both, less, more } = compareWords(a, b);
  return both > 0 && both * 2 >= Math.max(less, more / 2);
}

/** How many words two texts share, and how many each has. */
function compareWords(a: string, b: string): { both: number; less: number; more: number } {
  const [left, right] = [new Set(tellingWords(a)), new Set(tellingWords(b))];
  const both = [...left].filter((word) => right.has(word)).length;
  return { both, less: Math.min(left.size, right.size), more: Math.max(left.size, right.size) };
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}
