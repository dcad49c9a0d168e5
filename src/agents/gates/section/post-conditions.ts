import { fold } from "../../../drift/change/names.ts";
import { compareTexts } from "../../../text/diff/compare.ts";
import { gateText } from "../../../wording/agents.ts";
import type { Checks } from "../check-draft.ts";
import type { GateVerdict, Objection, Risk } from "../objection.ts";
import { defaultSizeLimits } from "../size.ts";
import { type Changes, findChanges } from "./changes.ts";
import { otherLanguageThan } from "./language.ts";
import { isHeading, isInsideFence, type Piece } from "./pieces.ts";
import { checkPlace, codeNamesIn } from "./place.ts";
import type { SectionPlace } from "./relation.ts";
import { findNewNames } from "./sample-names.ts";
import { compareWords, isAlike, rawWordsOf, shorten } from "./words.ts";

export type { SectionPlace } from "./relation.ts";

/** A section that a model wrote, and everything that its new words may come from. */
export type EditedSection = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The page above the section, which may leave a sample open. */
  readonly above?: string;
  /** The notices that the edit is about: their lines in the section, counted from 0, and the names they are about. */
  readonly notices: readonly SectionPlace[];
  /** Whether something is to be added: then the section may grow more. */
  readonly adds: boolean;
  /** The code, the commits, the evidence and the proposals that the model was shown. */
  readonly sources: readonly string[];
  /** The whole change of the code: its names count also where the question had no room for them. */
  readonly change?: readonly string[] | undefined;
  /** The versions that the project has by its manifests; the next ones may be named too. */
  readonly versions?: readonly string[] | undefined;
  /** Whether the code knows a name. */
  readonly knows: (name: string) => boolean;
  /** Whether other pages of the repository use a name. */
  readonly documents?: (name: string) => boolean;
  /** Whether the repository calls or declares a name as a function; without it, every name may be one. */
  readonly calls?: (name: string) => boolean;
};

/**
 * What must hold after a model has edited a section, decided by code: only sentences that a notice is about change, new
 * numbers and names come from what the model was shown, the section grows little, and it does not speak of the edit.
 */
export function checkPostConditions(edited: EditedSection): Partial<GateVerdict> {
  const changes = findChanges(edited);
  const shown = new Set(edited.sources.flatMap(rawWordsOf));
  return {
    objections: [
      ...checkPlace({ ...edited, shown }, changes),
      ...checkOrigin(edited, changes),
      ...checkGrowth(edited, changes),
      ...checkTalk(edited, changes),
      ...checkLanguage(edited, changes),
    ],
    risks: [...findNegations(edited, changes), ...findVersions(edited, changes)],
  };
}

/** New numbers and names must stand in the section as it was or in what the model was shown. */
function checkOrigin(edited: EditedSection, changes: Changes): Objection[] {
  const { path, before, above, sources, change = [], knows, documents, calls, versions = [] } = edited;
  const { added } = changes;
  const numbers = findNewNumbers(edited, changes).filter(
    ({ isVersion, isOfProduct, number }) =>
      !isOfProduct && (!isVersion || (versions.length > 0 && !isVersionNear(number, versions))),
  );
  const objections: Objection[] = [...new Set(numbers.map(({ number }) => number))].map((number) => ({
    gate: "numbers",
    path,
    detail: gateText.unknownNumber(number),
  }));
  const shown = [before, ...sources, ...change].join("\n");
  for (const name of findNewNames({ added, shown, above, templates: change, knows, documents, calls }))
    objections.push({ gate: "names", path, detail: gateText.unseenName(name) });
  return objections.slice(0, 6);
}

/** "Since version 1.4", "on Windows 10": the version often stands nowhere else, so a person is told. */
function findVersions(edited: EditedSection, changes: Changes): Risk[] {
  const { path } = edited;
  return findNewNumbers(edited, changes)
    .filter(({ isVersion, isOfProduct }) => isVersion || isOfProduct)
    .map(({ text }) => ({ path, what: "version", detail: shorten(text) }));
}

type NewNumber = {
  readonly number: string;
  readonly text: string;
  readonly isVersion: boolean;
  /** The version of another product: a small number right after a name with a capital. */
  readonly isOfProduct: boolean;
};

const tellsVersion =
  /\b(?:versions?|since|introduced|deprecated|removed|new in|added in|as of|starting with|until)\b/i;

/**
 * Numbers of new text that stand neither in the old section nor in what the model was shown. A number of the rest of the
 * change counts in a sentence that has a name of its line as code.
 */
function findNewNumbers(edited: EditedSection, changes: Changes): NewNumber[] {
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
      const isAboutVersions = kind === "prose" && tellsVersion.test(text);
      return numbersIn(kind === "prose" ? statedIn(text) : withPorts(text)).map((number) => ({
        number,
        text,
        isOfProduct: products.has(number),
        isVersion: isAboutVersions && /^\d+(?:\.\d+){1,3}$/.test(number),
      }));
    })
    .filter(({ number, text }) => !known.has(number) && !isTied(number, text) && !isOwned(number, text));
}

/**
 * Whether the number belongs to the name before it: `Jinja 2` where what was shown has `Jinja2`, or `Python 3.9` where the
 * code or other pages have the number beside the name.
 */
function findOwners(
  { knows, documents = () => false }: EditedSection,
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

/** The names that the numbers of a sentence belong to: the nearest before each, in inline code or with a capital. */
function ownersIn(sentence: string): Map<string, string> {
  const owners = new Map<string, string>();
  let owner: { readonly name: string; readonly end: number } | null = null;
  for (const { 0: found, 1: name, 2: number, index } of sentence.matchAll(ownerOrNumber))
    if (name !== undefined) owner = { name, end: index + found.length };
    else if (owner && index - owner.end <= farthestOwner) owners.set(number!.replace(/\.+$/, ""), owner.name);
  return owners;
}

const farthestOwner = 40;
const ownerOrNumber =
  /(?<![\p{L}\p{N}_$])(?:(\p{Lu}[\p{L}\p{N}_$]+|(?<=`)[\p{L}_$][\p{L}\p{N}_$]+(?=`))|(\d[\d.]*))/gu;

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

/** A sentence without numbers that state nothing: a switch or an index in inline code, the number of a step in a heading. */
function statedIn(text: string): string {
  const words = text.replace(/`[01]`/g, " ").replace(/(`[^`\n[]{1,80})\[[01]\]/g, "$1");
  return isHeading({ text }) ? words.replace(/\b(\p{Lu}?\p{L}+) \d{1,2}(?=:|$|\s[-–—])/u, "$1") : words;
}

/** A tag for the builder of the site: a template, a component or a directive. Its numbers are layout. */
function isBuilderLine({ text, kind }: Piece): boolean {
  return kind === "prose" && /^\{[*%{].*[*%}]\}$|^<[A-Z][\s\S]*\/>$/.test(text.trim());
}

/** Whether a version is one that the project has, or one that may come next. */
function isVersionNear(version: string, versions: readonly string[]): boolean {
  const wanted = version.split(".").map(Number);
  return versions.some((known) => {
    const parts = known.split(".").map(Number);
    // The version itself, or one where a part rises by one and the parts after it begin anew.
    return [-1, ...parts.keys()].some((raised) => {
      const next = parts.map((part, i) => (raised < 0 || i < raised ? part : i === raised ? part + 1 : 0));
      return wanted.every((part, i) => part === (next[i] ?? 0)) && (raised < wanted.length || raised < 0);
    });
  });
}

/**
 * Whether a piece is a new line of a sample. Its numbers are an author's choice, unless the line rewords one that was
 * there, or differs from one only in its numbers.
 */
function findNewSamples({ old, removed }: Changes): (piece: Piece) => boolean {
  const shapes = new Set(old.filter(isInsideFence).map(shapeOf));
  const isReworded = (piece: Piece, line: Piece): boolean => {
    const { both, more } = compareWords(line.text, piece.text);
    return isInsideFence(line) && both * 3 >= more * 2;
  };
  return (piece) =>
    isInsideFence(piece) && !shapes.has(shapeOf(piece)) && !removed.some((line) => isReworded(piece, line));
}

/** A line of code without its numbers. */
function shapeOf({ text }: Piece): string {
  return text.replace(/\d[\d_,.]*/g, "0");
}

/** Numbers without their separators. The number of a list entry is layout. */
function numbersIn(text: string): string[] {
  const words = text
    .replace(/^\s*\d+[.)](?=\s|$)/gm, " ")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/\bhttps?:\/\/[^\s<>"'`]+/g, " ");
  return Array.from(words.matchAll(/(?<![\p{L}_$#&\d.-])\d[\d_,.]*/gu), ([found]) =>
    found.replace(/[_,]/g, "").replace(/\.+$/, ""),
  );
}

const freeGrowth = 700;
const freeLines = 12;
const addedGrowth = 5000;
const addedLines = 80;

/** The checks of a page for an edit that adds: the page may grow as much as the section may. */
export function sizedChecks(checks: Checks, adds: boolean): Checks {
  const { limits = defaultSizeLimits } = checks;
  return adds ? { ...checks, limits: { ...limits, lines: Math.max(limits.lines, addedLines) } } : checks;
}

function checkGrowth({ path, before, after, adds }: EditedSection, { added }: Changes): Objection[] {
  const lines = compareTexts(before, after).reduce(
    (sum, { region, text }) => sum + countLines(text) - countLines(before.slice(region.start, region.end)),
    0,
  );
  const [mostLines, most] = adds ? [addedLines, addedGrowth] : [freeLines, freeGrowth];
  const limit = Math.max(most, adds ? before.length : 0);
  const growth = withoutTags(after).length - withoutTags(before).length;
  if (added.length === 0 || (lines <= mostLines && growth <= limit)) return [];
  return [{ gate: "size", path, detail: gateText.growth(Math.max(0, lines), mostLines) }];
}

/** Tags are no words. A page of HTML colours every word of its samples. */
function withoutTags(text: string): string {
  return text.replace(/<\/?[a-z][^<>]{0,200}>/gi, "");
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

/** A page speaks one language. Models may answer in that of their users or of their makers. */
function checkLanguage({ path, before, above = "" }: EditedSection, { added }: Changes): Objection[] {
  const isOther = otherLanguageThan(`${above}\n${before}`);
  const found = added.find((piece) => !isInsideFence(piece) && isOther(piece.text));
  return found ? [{ gate: "talk", path, detail: gateText.otherLanguage(shorten(found.text)) }] : [];
}

const negation =
  /\b(?:not|never|no longer|cannot|can't|don't|doesn't|isn't|aren't|won't|without|nor|neither)\b(?:\W+\w+)?/gi;

/** A sentence that denies other words than before may say the opposite. Code cannot tell, so a person is told. */
function findNegations({ path }: EditedSection, { removed, added }: Changes): Risk[] {
  return added
    .filter((piece) => !isInsideFence(piece))
    .flatMap((fresh) => {
      const old = closestTo(fresh, removed);
      const turned = deniedIn(fresh.text) !== deniedIn(old?.text ?? "");
      return turned ? [{ path, what: "negation", detail: shorten(fresh.text) }] : [];
    });
}

/** The old sentence that a new one rewords; `null` where there is none. */
function closestTo(fresh: Piece, removed: readonly Piece[]): Piece | null {
  const alike = removed.filter((piece) => isAlike(piece.text, fresh.text));
  const shared = (piece: Piece): number => compareWords(piece.text, fresh.text).both;
  return alike.reduce<Piece | null>(
    (best, one) => (best === null || shared(one) > shared(best) ? one : best),
    null,
  );
}

/** The words that a sentence denies. */
function deniedIn(text: string): string {
  return (text.toLowerCase().match(negation) ?? []).sort().join();
}
