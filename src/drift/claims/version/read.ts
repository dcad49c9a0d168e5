import type { Demand } from "../../../syntax/manifests/demands/demands.ts";
import type { Region } from "../../../text/model/region.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { headingWords, readStatements, type Statement } from "../../pages/statements.ts";
import type { Claim } from "../claim.ts";
import { readBadges } from "./badges.ts";
import { productOf } from "./products.ts";
import {
  CONDITIONS,
  EARLIER,
  isDemandWord,
  isRequirementWord,
  isUseWord,
  JOINS,
  LATER,
  NOT_NOW,
  OWNERS,
} from "./vocabulary.ts";

/** "Requires Node.js 18 or newer": the version of a product that the project asks for or uses. */
export type VersionClaim = Claim & {
  readonly product: string;
  /** The numbers that the page writes: `18`, `3.8.1`. */
  readonly says: string;
  readonly as: Demand["as"];
  /** The words say that newer versions will do too. */
  readonly isFloor: boolean;
  /** Other versions of the same product in the statement: a list or a range. */
  readonly others: readonly string[];
  /** What the sentence is about, where only the project can say whether that is its own name. */
  readonly subject?: string;
};

/** The claims of a page about versions that the project asks for. */
export function readVersions(page: DocumentPage): readonly VersionClaim[] {
  const own = titleWords(page);
  const told = readStatements(page).flatMap((statement) =>
    statement.place === "sentence" || statement.place === "row" ? readStatement(statement, own) : [],
  );
  const taken = new Set(told.map(({ region }) => region.start));
  return [...told, ...readBadges(page).filter(({ region }) => !taken.has(region.start))];
}

/** The words of the first heading: a page is usually named after what it is about. */
function titleWords(page: DocumentPage): ReadonlySet<string> {
  const title = page.outline().blocks.find(({ kind }) => kind === "heading");
  return title ? headingWords(page, title.content) : new Set();
}

type VersionToken = {
  readonly text: string;
  readonly region: Region;
  readonly is: "version" | "word" | "mark";
};

function readStatement(statement: Statement, own: ReadonlySet<string>): VersionClaim[] {
  const { page, region } = statement;
  const text = withoutMarks(page.text.slice(region.start, region.end));
  if (!/\d/.test(text) || isPast(statement)) return [];
  const from = (AS_OF.exec(text) ?? BEFORE.exec(text))?.[0].length ?? 0;
  const tokens = cutTokens(text.slice(from), region.start + from);
  return tokens.flatMap((token, at) => {
    if (token.is !== "version") return [];
    const named = productBefore(tokens, at);
    if (named === null) return [];
    const claim = claimAt(tokens, { ...named, at }, page);
    if (!claim || !(claim.isFloor || statement.place === "row" || isDemanded(tokens, { ...named, at })))
      return [];
    if (speaksForProject(tokens, { ...named, at }, statement, own)) return [claim];
    const [subject, verb] = tokens;
    if (subject?.is !== "word" || verb?.is !== "word" || !isRequirementWord(verb.text.toLowerCase()))
      return [];
    const known = new Set([...own, subject.text.toLowerCase()]);
    return speaksForProject(tokens, { ...named, at }, statement, known)
      ? [{ ...claim, subject: subject.text }]
      : [];
  });
}

/** Whether the words before the product ask for it, or it stands alone: "Python 3.8 is slow" asks for nothing. */
function isDemanded(tokens: readonly VersionToken[], { at }: NamedVersion): boolean {
  if (tokens.slice(0, at).some(({ text }) => isDemandWord(text.toLowerCase()))) return true;
  const stop = tokens.findIndex(({ text }, index) => index > at && /^[,;.(]$/.test(text));
  const rest = tokens.slice(at + 1, stop < 0 ? undefined : stop);
  return rest.every(
    ({ is, text }) => is !== "word" || productOf(text) !== undefined || isRequirementWord(text.toLowerCase()),
  );
}

/** "As of v8, gull requires …": true of that release and of all that follow. */
export const AS_OF = /^[\s>]*as of (?:\w+ )?v?\d+(?:\.\d+)*,?/i;
/** "Before you begin, install …": when to do it, not for which release. */
const BEFORE = /^[\s>]*before\s[^,.\d]{0,60},/i;

/** The text without the marks of its format; every character keeps its place. */
function withoutMarks(text: string): string {
  return text.replace(MARKS, (marks) => " ".repeat(marks.length));
}

const MARKS = /\]\([^()\s]*(?:\s+"[^"]*")?\)|\]\[[^\]]*\]|<\/?[a-z][^<>]*>|https?:\/\/\S+|[`*[\]|!_]/gi;

function cutTokens(text: string, offset: number): VersionToken[] {
  return Array.from(text.matchAll(TOKEN), (match) => {
    const start = offset + match.index;
    const { version, word } = match.groups!;
    const digits = version ? /\d+(?:\.\d+)*/.exec(version)! : null;
    const from = start + (digits?.index ?? 0);
    const shown = digits?.[0] ?? match[0];
    return {
      text: shown,
      region: { start: from, end: from + shown.length },
      is: version ? "version" : word ? "word" : "mark",
    };
  });
}

/** A number, or one of an image with its variant: `python:3.11-slim`. */
const VERSION = /(?<version>(?<![\w.-])v?\d+(?:\.(?:\d+|x))*(?![\p{L}\d]|(?<!\w:[\d.]*)-\p{L}))/u;
const WORD = /(?<word>(?:\.NET\b|[\p{L}\p{N}]+)(?:[.'’-][\p{L}\p{N}]+)*)/u;
const MARK = />=|<=|[^\s\p{L}\p{N}]/u;
const TOKEN = new RegExp([VERSION, WORD, MARK].map(({ source }) => source).join("|"), "giu");

/** The product before a version, behind words that only join them: "Node.js (version >= 18". */
function productBefore(
  tokens: readonly VersionToken[],
  at: number,
): { product: string; from: number } | null {
  for (let back = at - 1; back >= 0 && back >= at - 7; back--) {
    const { text, is } = tokens[back]!;
    const product = is === "word" ? productOf(text) : undefined;
    if (product !== undefined) return { product, from: back };
    if (!JOINS.has(text.toLowerCase())) return null;
  }
  return null;
}

type NamedVersion = { readonly product: string; readonly from: number; readonly at: number };

function claimAt(
  tokens: readonly VersionToken[],
  { product, from, at }: NamedVersion,
  page: DocumentPage,
): VersionClaim | null {
  const words = (start: number, end: number): string[] =>
    tokens.slice(Math.max(0, start), end).map(({ text }) => text.toLowerCase());
  const [before, after] = [
    words(from - 3, at),
    words(at + 1, at + 5).filter((word) => word !== "(" && word !== ","),
  ];
  const joined = /^(?:or|and|&)$/.test(after[0] ?? "") ? after.slice(1) : after;
  if (EARLIER.has(joined[0] ?? "") || before.includes("<") || before.includes("<=")) return null;
  const isFloor =
    after[0] === "+" ||
    (joined !== after && LATER.has(joined[0] ?? "")) ||
    before.some((word) => /^(?:>=|≥|\^|least|minimum|msrv)$/.test(word));
  const others = tokens
    .slice(at + 1, at + 3)
    .filter(({ is }) => is === "version")
    .map(({ text }) => text);
  if (others.length > 0 && !isRange(tokens[at + 1]!.text)) return null;
  const { text: says, region } = tokens[at]!;
  const lead = words(0, from);
  const as = !isFloor && lead.some(isUseWord) ? "used" : "least";
  return { page, region, product, says, as, isFloor, others };
}

/**
 * Whether the sentence is about the project, or a bare requirement below a heading about requirements. Each word before
 * the product is one that requirements are told with, or a name of the project. Any other word may be the subject: a
 * feature, another program, an older release.
 */
function speaksForProject(
  tokens: readonly VersionToken[],
  { from, at }: NamedVersion,
  statement: Statement,
  own: ReadonlySet<string>,
): boolean {
  if (tokens.some(({ text, is }) => is === "word" && NOT_NOW.has(text.toLowerCase()))) return false;
  const isPlain = (index: number): boolean => {
    const { is, text } = tokens[index]!;
    if (is === "mark") return text !== "(" || index > from - 3;
    if (is === "version") return productBefore(tokens, index) !== null;
    const word = text.toLowerCase();
    return productOf(word) !== undefined || isRequirementWord(word) || own.has(word);
  };
  const lead = tokens.slice(0, from);
  if (lead[0]?.text === "(") return false;
  if (!lead.every((_, index) => isPlain(index)) || !hasPlainCondition(tokens, at, isPlain)) return false;
  const isAboutProject = lead.some(
    ({ text }) => own.has(text.toLowerCase()) || OWNERS.has(text.toLowerCase()),
  );
  return (
    isAboutProject ||
    ((statement.place === "row" || statement.leads.length === 0) && isRequirementSection(statement))
  );
}

/** Whether the words behind a version, if they begin a condition, are about the project: "to build it", not "for the tests". */
function hasPlainCondition(
  tokens: readonly VersionToken[],
  at: number,
  isPlain: (index: number) => boolean,
): boolean {
  const rest = tokens.findIndex(({ is, text }, index) => index > at && is === "word" && !isRange(text));
  const end = tokens.findIndex(({ text }, index) => index > at && /^[,;.]$/.test(text));
  const stop = end < 0 ? tokens.length : end;
  const condition = tokens.findIndex(
    ({ text }, index) => index >= rest && CONDITIONS.has(text.toLowerCase()),
  );
  if (rest < 0 || condition < 0 || condition > stop) return true;
  const isApart = tokens.slice(rest, condition).some((_, index) => !isPlain(rest + index));
  if (isApart) return true;
  return tokens.slice(condition + 1, stop).every((_, index) => isPlain(condition + 1 + index));
}

function isRange(text: string): boolean {
  return /^(?:-|–|—|to|through)$/.test(text);
}

/** A heading about what is needed, or the title of the page. */
function isRequirementSection({ page, headings }: Statement): boolean {
  const [nearest] = headings;
  return nearest === undefined || headings.length === 1 || REQUIREMENTS.test(textOf(page, nearest));
}

const REQUIREMENTS =
  /requirement|prerequisite|install|start|set ?up|build|develop|contribut|compatib|support|minimum|msrv|version|environment|depend|need|begin|usage/i;

/** A section of an older release, or of the way from one. */
function isPast({ page, headings }: Statement): boolean {
  return headings.slice(0, -1).some((heading) => PAST_SECTION.test(textOf(page, heading)));
}

const PAST_SECTION = /\d\.(?:\d|x)|\bv\d|change|release|history|migrat|upgrad|what.?s new|faq|roadmap/i;

function textOf({ text }: DocumentPage, { start, end }: Region): string {
  return text.slice(start, end);
}
