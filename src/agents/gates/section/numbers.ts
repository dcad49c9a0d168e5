import { STATUS_CODES } from "node:http";
import { fold } from "../../../drift/change/names.ts";
import type { Changes } from "./changes.ts";
import { isHeading, isInsideFence, type Piece } from "./pieces.ts";
import { codeNamesIn } from "./sentences.ts";
import { compareWords, rawWordsOf } from "./words.ts";

/** The text that numbers of an edited section may come from. */
type NumberSources = {
  readonly before: string;
  readonly sources: readonly string[];
  readonly change?: readonly string[] | undefined;
  readonly knows: (name: string) => boolean;
  readonly documents?: (name: string) => boolean;
};

export type NewNumber = {
  readonly number: string;
  readonly text: string;
  /** The version of a release that no file knows yet, or of another product: a small number right after its name. */
  readonly isVersion: boolean;
};

const tellsVersion =
  /\b(?:versions?|version(?:added|changed|removed)|since|introduced|deprecated|removed|new[- ]in|added in|as of|starting with|until)\b/i;

/** A heading that is a version, as those of upgrade guides are. */
const isVersionHeading = /^#{1,6}\s+\[?v?\d+(?:\.\d+){1,2}\]?(?:\s|$)/;

/**
 * Numbers of new text that stand neither in the old section nor in what the model was shown. A number of the rest of the
 * change counts in a sentence that has a name of its line as code.
 */
export function findNewNumbers(edited: NumberSources, changes: Changes): NewNumber[] {
  const { before, sources, change = [] } = edited;
  const { added } = changes;
  const isNewSample = findNewSamples(changes);
  const samples = added.filter(isNewSample).map(({ text }) => text);
  const shown = [before, ...sources, ...samples].join("\n");
  const known = new Set(numbersIn(withPorts(shown)));
  const isTied = findTies(change);
  const isOwned = findOwners(edited, shown);
  return added
    .filter((piece) => !isNewSample(piece) && !isBuilderLine(piece))
    .flatMap(({ text, kind }) => {
      const products = productsIn(kind === "prose" ? text : "");
      const isAboutVersions = kind === "prose" && (tellsVersion.test(text) || isVersionHeading.test(text));
      return numbersIn(kind === "prose" ? statedIn(text) : withPorts(text)).map((number) => ({
        number,
        text,
        isVersion:
          products.has(number) ||
          (isAboutVersions && /^\d+(?:\.\d+){1,3}$/.test(number)) ||
          (kind === "prose" && /^\d+\.\d+\.\d+$/.test(number)),
      }));
    })
    .filter(({ number, text }) => !known.has(number) && !isTied(number, text) && !isOwned(number, text));
}

/**
 * Whether the number belongs to the name before it: `Jinja 2` where what was shown has `Jinja2`, or `Python 3.9` where the
 * code or other pages have the number beside the name.
 */
function findOwners(
  { knows, documents = () => false }: NumberSources,
  shown: string,
): (number: string, sentence: string) => boolean {
  const owners = new Map<string, Map<string, string>>();
  let words: Set<string> | undefined;
  return (number, sentence) => {
    if (!owners.has(sentence)) owners.set(sentence, ownersIn(sentence));
    const owner = owners.get(sentence)!.get(number);
    if (owner === undefined) return false;
    words ??= new Set(rawWordsOf(shown).map(fold));
    const pair = `${owner} ${number}`;
    return words.has(fold(owner + number)) || knows(pair) || documents(pair);
  };
}

/**
 * The names that the numbers of a sentence belong to: the nearest before each, in inline code, in a link, in italics, or
 * with a capital. Of `tool-core`, the last word.
 */
function ownersIn(sentence: string): Map<string, string> {
  const owners = new Map<string, string>();
  const words = sentence.replace(/\]\([^)\n]{0,1000}\)|\s<https?:[^>\n]{0,1000}>/g, "]");
  let owner: { readonly name: string; readonly end: number } | null = null;
  for (const { 0: found, 1: name, 2: number, index } of words.matchAll(ownerOrNumber))
    if (name !== undefined)
      owner = { name: name.slice(name.lastIndexOf("-") + 1), end: index + found.length };
    else if (owner && index - owner.end <= farthestOwner)
      owners.set(number!.replace(/(?<!\.)\.+$/, ""), owner.name);
  return owners;
}

const farthestOwner = 40;
const ownerOrNumber =
  /(?<![\p{L}\p{N}_$])(?:(\p{Lu}[\p{L}\p{N}_$]+|(?<=[`*[])[\p{L}_$][\p{L}\p{N}_$-]+(?=[`*\]]))|(\d[\d.]*))/gu;

/** Numbers of products in a sentence: `on Windows 10`. The first word of a sentence has a capital anyway. */
function productsIn(sentence: string): Set<string> {
  const found = sentence.matchAll(productShape);
  return new Set(Array.from(found, ([, number]) => number!));
}

const productShape =
  /(?<=[\p{Ll},;)] |\()\p{Lu}\p{L}+ ([12]?\d)(?![\p{L}\p{N}_%]|[.,]\d| (?:times|m?s|bytes|[km]b|(?:hour|day|minute|second|item|line|request|character)s?)\b)/gu;

/** Whether a line of some code has a number together with a name that a sentence has as code. */
function findTies(code: readonly string[]): (number: string, sentence: string) => boolean {
  let words: Map<string, Set<string>> | undefined;
  return (number, sentence) => {
    words ??= wordsByNumber(code);
    const beside = words.get(number);
    return beside !== undefined && codeNamesIn(sentence).some((name) => beside.has(name));
  };
}

/** A longer line is data, or many statements of which each has numbers and names of its own. */
const longestLine = 400;

/** The words that stand on a line with each number. */
function wordsByNumber(code: readonly string[]): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  for (const line of code.flatMap((text) => text.split("\n")).filter(({ length }) => length <= longestLine))
    for (const number of new Set(numbersIn(line))) {
      const beside = words.get(number) ?? new Set();
      for (const word of rawWordsOf(line)) beside.add(word);
      words.set(number, beside);
    }
  return words;
}

/** A text with the ports of its addresses as numbers beside them. */
function withPorts(text: string): string {
  return text.replace(/\bhttps?:\/\/[^\s/:<>"'`]+:(\d+)/g, "$& $1 ");
}

/**
 * A sentence without numbers that state nothing: a switch in inline code, an index, the number of a step in a heading,
 * a usual width in bits, an address of an example, a status of HTTP before its words.
 */
function statedIn(text: string): string {
  const words = text
    .replace(/`[01]`/g, " ")
    .replace(/([\p{L}\p{N}_$)])\[[01]\]/gu, "$1")
    .replace(
      /(?<![\w.-])(?:8|16|32|64|128|256)(?=-bits?\b)|\b2(?:\^|\*\*)(?:8|16|31|32|53|63|64)(?:-1)?\b/g,
      " ",
    )
    .replace(exampleAddress, " ")
    .replace(
      /(?<!\d)([1-5]\d\d)(?=`?\s+([A-Z][a-z]+(?:[ -][A-Z]?[a-z]+){0,3}))/g,
      (found, code: string, words: string) => (words.startsWith(STATUS_CODES[code] ?? "\n") ? " " : found),
    );
  return isHeading({ text }) ? words.replace(/\b(\p{Lu}?\p{L}+) \d{1,2}(?=:|$|\s[-–—])/u, "$1") : words;
}

/** Addresses of private networks, of the machine itself, and those that are kept for examples. */
const exampleAddress =
  /(?<![\d.])(?:(?:10\.\d+|127\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01])|0\.0)\.\d+|192\.0\.2|198\.51\.100|203\.0\.113)\.\d+(?:\/\d+)?(?![\d.]*\d)/g;

/** A tag for the builder of the site: a template, a component, a directive, the line that opens a sample. Its numbers are layout. */
function isBuilderLine({ text, kind }: Piece): boolean {
  if (/^[\s>]*(?:`{3,}|~{3,})/.test(text)) return true;
  return kind === "prose" && /^\{[*%{].*[*%}]\}$|^<[A-Z][\s\S]*\/>$/.test(text.trim());
}

/**
 * Whether a piece is a new line of a sample. Its numbers are an author's choice, unless the line rewords one that is
 * gone, or differs from one only in its numbers and stands between lines that stay.
 */
function findNewSamples({ old, fresh, removed, added }: Changes): (piece: Piece) => boolean {
  const kept = Map.groupBy(fresh.filter(isInsideFence), ({ text }) => text);
  const gone = [...Map.groupBy(old.filter(isInsideFence), ({ text }) => text)].filter(
    ([text, lines]) => lines.length > (kept.get(text)?.length ?? 0),
  );
  const shapes = new Set(gone.map(([text]) => shapeOf(text)));
  const had = new Set(old.filter(isInsideFence).map(({ text }) => shapeOf(text)));
  const isNew = new Set(added);
  // A line between lines that stay is one of them with another number, not a line of a new sample.
  const isAmongNew = new Set(
    fresh.filter((piece, i) =>
      [fresh[i - 1], fresh[i + 1]].some((one) => one?.block === piece.block && isNew.has(one)),
    ),
  );
  const isReworded = (piece: Piece, line: Piece): boolean => {
    const { both, more } = compareWords(line.text, piece.text);
    // One word in common proves nothing, unless the marks around it are the same.
    const isSame = more > 1 || marksOf(line.text) === marksOf(piece.text);
    return isInsideFence(line) && isSame && both * 3 >= more * 2;
  };
  return (piece) =>
    isInsideFence(piece) &&
    (!had.has(shapeOf(piece.text)) || isAmongNew.has(piece)) &&
    !shapes.has(shapeOf(piece.text)) &&
    !removed.some((line) => isReworded(piece, line));
}

/** A line of code without its letters and digits. */
function marksOf(text: string): string {
  return text.replace(/[\p{L}\p{N}_\s]+/gu, "");
}

/** A line of code without its numbers. */
function shapeOf(text: string): string {
  return text.replace(/\d[\d_,.]*/g, "0");
}

/** Numbers without their separators. The number of a list entry is layout. */
function numbersIn(text: string): string[] {
  const words = text
    .replace(/^[^\S\n]*\d+[.)](?=\s|$)/gm, " ")
    .replace(/\]\([^)\n]{0,1000}\)/g, "]")
    .replace(/\bhttps?:\/\/[^\s<>"'`]+/g, " ")
    .replace(/\/\d[\d.]*(?=\/)/g, "/");
  // Digits between letters are a part of a word, as in a hash; letters after digits may be a unit.
  return Array.from(words.matchAll(/(?<![\p{L}_#&\d.-])(?!\d+\p{L}+\d)\d[\d_,.]*/gu), ([found]) =>
    found.replace(/[_,]/g, "").replace(/\.+$/, ""),
  );
}
