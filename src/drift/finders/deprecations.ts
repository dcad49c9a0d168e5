import { readDeclarations } from "../change/additions.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { isProductPath } from "../change/code-path.ts";
import type { Comparison, Line } from "../change/comparison.ts";
import { isDistinct } from "../change/names.ts";
import { splitLines } from "../change/tokens.ts";
import type { Notice } from "../findings.ts";
import { findMentions } from "../pages/mentions.ts";
import { isFilledIn } from "../pages/page.ts";
import { plainName } from "../surface/surface-change.ts";

/** A declaration that this change marks as deprecated. */
type Retirement = {
  readonly name: string;
  readonly instead?: string;
  readonly path: string;
  readonly line: Line;
};

const MARK = /\bdeprecat(?:ed|ion)\b/i;
/** A line that only silences a deprecation warning deprecates nothing. */
const SILENCER =
  /\b(?:allow|expect)\s*\(\s*[\w:, ]*deprecated|SuppressWarnings|\bSuppress\b|-Wno-|\bno(?:qa|lint)\b|eslint-disable|pylint:\s*disable|filterwarnings|simplefilter/;
const SAID_OF = /[`'"]-{0,2}([\p{L}_][\w.-]*)(?:\(\))?[`'"]?[^.;`'"]{0,60}\bdeprecated\b/iu;
const SAID_WITH = /\bdeprecated\b[^.;`'"]{0,40}[`'"]-{0,2}([\p{L}_][\w.-]*)[`'"]/iu;
const INSTEAD =
  /\b(?:use|favou?r of|replaced by|renamed to|switch to|prefer)\s+(?:the\s+)?(?:new\s+)?[`'"]-{0,2}([\p{L}_][\w.-]*)[`'"\s(]/iu;
/** A text of the code that is broken over two lines. */
const SEAM = /(["'`])\s*[+\\]?\s*\1/g;
// A message spans a few lines, and a comment is a few lines above its declaration.
const REACH = 3;
const MOST = 500;

/**
 * The change deprecates something, and a page tells people to use it without mentioning that. Likely for a name of two
 * parts or more that the page has as code. A person has to write the new sentence.
 */
export async function findDeprecations(change: ChangeModel): Promise<Notice[]> {
  const retired = new Map<string, Retirement>();
  for (const comparison of change.comparisons)
    for (const one of findRetirements(comparison)) if (!retired.has(one.name)) retired.set(one.name, one);
  const told = toldBefore(change);
  const { facts, isPartlyDeprecated } = await change.surface();
  const names = [...retired.keys()]
    .slice(0, MOST)
    .filter((name) => !isPartlyDeprecated(name) && !told.some((text) => text.includes(name)));
  const declared = new Set(
    facts.flatMap(({ kind, after }) => (kind === "deprecated" && after ? [plainName(after.name)] : [])),
  );
  const notices: Notice[] = [];
  for (const [name, mentions] of findMentions(change.pages, new Set(names)))
    for (const { page, line, index } of mentions)
      if (isCode(page, line, index) && !isTold(page, line) && !isFilledIn(page.read().lines[line]!))
        notices.push(toNotice(change, { page, line }, retired.get(name)!, declared.has(name)));
  return notices;
}

function findRetirements({ path, before, after, rewrites }: Comparison): Retirement[] {
  if (before === null || after === null || !isProductPath(path)) return [];
  const found: Retirement[] = [];
  const lines = splitLines(after);
  const { nameAt } = readDeclarations(lines);
  for (const { added } of rewrites)
    for (const line of added.slice(0, 400)) {
      if (line.text.length > 400 || !MARK.test(line.text) || SILENCER.test(line.text)) continue;
      const told = toldAround(lines, line.number - 1);
      const instead = INSTEAD.exec(told)?.[1];
      const said = [SAID_OF.exec(told)?.[1], SAID_WITH.exec(told)?.[1]].find(
        (name) => name !== undefined && name !== instead,
      );
      for (const name of said ? [said] : declaredBy(lines, line, nameAt))
        if (isDistinct(name) && name !== instead && before.includes(name))
          found.push({ name, path, line, ...(instead ? { instead } : {}) });
    }
  return found;
}

/** The declared name on or directly below a deprecation mark, and the key that it is written as. */
function declaredBy(
  lines: readonly string[],
  { number }: Line,
  nameAt: (line: number) => string | undefined,
): string[] {
  for (let at = number - 1; at < lines.length && at <= number - 1 + REACH; at++) {
    const name = nameAt(at);
    const keys = [...lines[at]!.slice(0, 400).matchAll(/\w+:"([\w-]+)[",]/g)].map((match) => match[1]!);
    if (name || keys.length) return name ? [name, ...keys] : keys;
  }
  return [];
}

/** The deprecation messages before the change. This change did not deprecate the names in them. */
function toldBefore({ comparisons }: ChangeModel): string[] {
  return comparisons
    .flatMap(({ before }) => {
      if (before === null || !MARK.test(before)) return [];
      const lines = splitLines(before);
      return lines.flatMap((text, at) => (MARK.test(text) ? [wholeMessage(lines, at)] : []));
    })
    .slice(0, 2000);
}

/** A line together with the lines that continue its text. */
function wholeMessage(lines: readonly string[], at: number): string {
  const goesOn = (line: string | undefined): boolean =>
    line !== undefined && /^\s*[furb]{0,2}["'`]/.test(line);
  let [first, last] = [at, at];
  while (at - first < REACH && first > 0 && goesOn(lines[first])) first--;
  while (last - at < REACH && goesOn(lines[last + 1])) last++;
  return lines.slice(first, last + 1).join(" ");
}

/** A line together with the lines that may belong to its message. */
function toldAround(lines: readonly string[], at: number): string {
  return lines
    .slice(Math.max(0, at - REACH), at + 1 + REACH)
    .join(" ")
    .slice(0, 1200)
    .replace(SEAM, "");
}

function isCode(page: DocumentPage, line: number, index: number): boolean {
  const { place, spans } = page.read().lines[line]!;
  const token = page.tokens(line)[index]!;
  return (
    place === "code" ||
    place === "heading" ||
    spans.some((one) => one.start <= token.start && token.end <= one.end)
  );
}

/** Whether the page mentions the deprecation on the line or next to it. */
function isTold(page: DocumentPage, line: number): boolean {
  const { lines } = page.read();
  return lines.slice(Math.max(0, line - REACH), line + REACH + 1).some(({ text }) => MARK.test(text));
}

function toNotice(
  change: ChangeModel,
  { page, line }: Pick<Notice, "page" | "line">,
  { name, instead, path, line: said }: Retirement,
  isDeclared: boolean,
): Notice {
  return {
    page,
    line,
    endLine: line,
    tier: "likely",
    kind: "deprecation",
    features: {
      "mark on a declaration": isDeclared ? 1 : 0,
      "mark says what to use": instead ? 1 : 0,
      "mark names it": said.text.includes(name) ? 1 : 0,
    },
    message: { what: "deprecated", old: name, ...(instead ? { new: instead } : {}) },
    evidence: [
      { path, revision: change.input.head, startLine: said.number, endLine: said.number, after: said.text },
    ],
  };
}
