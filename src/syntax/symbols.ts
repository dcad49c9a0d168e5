import { defined } from "../text/model/defined.ts";
import { lineNumber } from "../text/model/lines.ts";
import { accept, type Outcome, type Refused, refuse } from "../text/model/outcome.ts";
import type { Region } from "../text/model/region.ts";
import type { Block, Outline } from "./formats/document.ts";
import { formatOf, outlineDocument } from "./formats/outline.ts";
import type { Declaration, DeclarationKind, SourceOutline } from "./source/declaration.ts";
import { outlineSource, sourceLanguage } from "./source/source.ts";

/** The region `name` means in a file: a section of a document, a declaration of source code. */
export async function locateWithin(path: string, text: string, name: string): Promise<Outcome<Region>> {
  if (formatOf(path) !== "plain" || !sourceLanguage(path, text))
    return locateSection(text, outlineDocument(path, text), name);
  const found = locateSymbol(text, await outlineSource(path, text), name);
  return found.ok ? accept(found.value.region) : found;
}

/**
 * The section under the one heading `name` means: its words, with `#` marks for its level (`## Install`), its anchor
 * (`#install`), or a path of headings (`Usage > Options`). It reaches to the next heading of its level or above.
 */
export function locateSection(text: string, outline: Outline, name: string): Outcome<Region> {
  const headings = outline.blocks.flatMap((block, index) => (block.kind === "heading" ? [index] : []));
  const found = [name.trim(), ...(name.includes(" > ") ? [name.split(" > ").map((part) => part.trim())] : [])]
    .map((asked) => findHeadings(text, outline, headings, asked))
    .find((matches) => matches.length > 0);
  if (!found)
    return refuseUnknown(
      "section",
      name,
      headings.map((index) => wordsOf(text, outline.blocks[index]!)),
    );
  if (found.length > 1)
    return refuse({
      code: "ambiguous",
      count: found.length,
      places: found.map((index) => headingPlace(text, outline, index)),
    });
  return accept(sectionRegion(text, outline, found[0]!));
}

/** From a heading to the next of its level or above. The section of a heading in a quote or an item ends with that block. */
function sectionRegion(text: string, outline: Outline, heading: number): Region {
  const { region, depth = 1, parent } = outline.blocks[heading]!;
  if (parent !== undefined) return { start: region.start, end: outline.blocks[parent]!.region.end };
  const next = outline.blocks.find(
    (block, index) =>
      index > heading &&
      block.kind === "heading" &&
      block.parent === undefined &&
      (block.depth ?? 1) <= depth,
  );
  return { start: region.start, end: next ? next.region.start : text.length };
}

function findHeadings(
  text: string,
  outline: Outline,
  headings: readonly number[],
  asked: string | string[],
): number[] {
  const path = typeof asked === "string" ? [asked] : asked;
  for (const fold of [(words: string) => words, plain, (words: string) => plain(words).toLowerCase()]) {
    const matches = headings.filter((index) => isUnder(text, outline, index, { path, fold }));
    if (matches.length > 0) return matches;
  }
  return [];
}

/** The headings that were asked for, outermost first, and the form in which they are compared. */
type AskedHeading = { readonly path: readonly string[]; readonly fold: (words: string) => string };

/** Whether a heading is the last of `path` and the others are among those above it, in order. */
function isUnder(text: string, outline: Outline, heading: number, { path, fold }: AskedHeading): boolean {
  let step = path.length - 1;
  if (!isNamed(text, outline.blocks[heading]!, path[step]!, fold)) return false;
  for (
    let above = outline.blocks[heading]!.section;
    above >= 0 && step > 0;
    above = outline.blocks[above]!.section
  )
    if (isNamed(text, outline.blocks[above]!, path[step - 1]!, fold)) step--;
  return step === 0;
}

function isNamed(text: string, block: Block, asked: string, fold: (words: string) => string): boolean {
  if (asked.startsWith("#") && asked.slice(1) === block.slug) return true;
  const marks = /^(#{1,6}|={1,6})[ \t]+/.exec(asked);
  if (marks && marks[1]!.length !== block.depth) return false;
  const words = (marks ? asked.slice(marks[0].length) : asked).replace(/[ \t]+#+$/, "");
  return fold(words) === fold(wordsOf(text, block));
}

function wordsOf(text: string, { content }: Block): string {
  return text.slice(content.start, Math.min(content.end, content.start + 500)).replace(/\s+/g, " ");
}

/** Without the marks that only change how words look. */
function plain(words: string): string {
  return words
    .replace(/[`*_]|<[^<>]*>|\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

function headingPlace(
  text: string,
  outline: Outline,
  index: number,
): { line: number; near?: string; text: string } {
  const { region, section } = outline.blocks[index]!;
  const above = section >= 0 ? wordsOf(text, outline.blocks[section]!) : undefined;
  return {
    line: lineNumber(text, region.start),
    ...defined({ near: above }),
    text: text.slice(region.start, Math.min(region.end, region.start + 200)),
  };
}

/**
 * The one declaration `name` means: a path of names (`Foo.bar`, `Foo::bar`, `Foo#bar`, `Foo > bar`), each with or
 * without its kind (`class Foo > method bar`). A path may leave out outer holders.
 */
export function locateSymbol(text: string, outline: SourceOutline, name: string): Outcome<Declaration> {
  if (outline.grammar === "none")
    return refuse({
      code: "unavailable",
      detail: outline.trouble ?? `there is no grammar for ${outline.language}`,
    });
  const steps = parsePath(name);
  const matches = outline.declarations.filter((declaration) => matchesPath(outline, declaration, steps));
  const whole = matches.filter(({ path }) => path.length === steps.length);
  const found = preferred(whole.length > 0 ? whole : matches);
  if (found.length === 1) return accept(found[0]!);
  if (found.length === 0)
    return refuseUnknown(
      "symbol",
      steps.map((step) => step.name).join("."),
      outline.declarations.map(({ path }) => path.join(".")),
    );
  return refuse({
    code: "ambiguous",
    count: found.length,
    places: found.slice(0, 20).map(({ region, signature, path }) => ({
      line: lineNumber(text, region.start),
      near: path.join("."),
      text: text.slice(signature.start, Math.min(signature.end, signature.start + 200)),
    })),
  });
}

type PathStep = { readonly name: string; readonly kinds?: readonly DeclarationKind[] };

const KINDS: ReadonlyMap<string, readonly DeclarationKind[]> = new Map([
  ["class", ["class", "struct"]],
  ["record", ["class", "struct"]],
  ["struct", ["struct", "class"]],
  ["union", ["struct"]],
  ["interface", ["interface"]],
  ["protocol", ["interface"]],
  ["trait", ["trait"]],
  ["impl", ["struct", "enum", "trait"]],
  ["enum", ["enum"]],
  ["type", ["type", "struct", "interface"]],
  ["module", ["module"]],
  ["namespace", ["module"]],
  ["object", ["module", "constant"]],
  ["extension", ["module"]],
  ["method", ["method", "function"]],
  ["function", ["function", "method"]],
  ["func", ["function", "method"]],
  ["fun", ["function", "method"]],
  ["fn", ["function", "method"]],
  ["def", ["function", "method"]],
  ["constructor", ["method"]],
  ["macro", ["macro"]],
  ["property", ["property"]],
  ["field", ["property"]],
  ["member", ["member", "property"]],
  ["variant", ["member"]],
  ["case", ["member"]],
  ["const", ["constant", "variable", "function"]],
  ["constant", ["constant"]],
  ["let", ["variable", "constant", "function"]],
  ["var", ["variable", "property", "function"]],
  ["variable", ["variable", "constant"]],
]);

function parsePath(name: string): PathStep[] {
  return name.split(/\s*>\s*/).flatMap((part): PathStep[] => {
    const words = part.trim().replace(/\(.*\)$/s, "");
    const kind = /^(?:(?:export|default|pub|public|private|static|async|abstract)\s+)*([a-z]+)\s+(?=\S)/.exec(
      words,
    );
    const kinds = kind ? KINDS.get(kind[1]!) : undefined;
    const names = (kinds ? words.slice(kind![0].length) : words)
      .split(/::|\.|#(?=[\p{L}_$])/u)
      .filter((each) => each !== "");
    return names.map((each, index) =>
      kinds && index === names.length - 1 ? { name: each, kinds } : { name: each },
    );
  });
}

function matchesPath(
  outline: SourceOutline,
  { path, kind }: Declaration,
  steps: readonly PathStep[],
): boolean {
  const last = steps.at(-1);
  if (!last || path.length < steps.length || (last.kinds && !last.kinds.includes(kind))) return false;
  const offset = path.length - steps.length;
  if (!steps.every((step, index) => step.name === path[offset + index])) return false;
  return steps
    .slice(0, -1)
    .every(({ kinds }, index) => !kinds || holderHasKind(outline, path.slice(0, offset + index + 1), kinds));
}

// The holder of a method may be declared in another file. Then its kind is unknown, and excludes nothing.
function holderHasKind(
  outline: SourceOutline,
  path: readonly string[],
  kinds: readonly DeclarationKind[],
): boolean {
  const holders = outline.declarations.filter(
    (each) => each.path.length === path.length && each.path.every((name, index) => name === path[index]),
  );
  return holders.length === 0 || holders.some(({ kind }) => kinds.includes(kind));
}

/** Of overloads, the one with a body; of a type and its extensions, the type. */
function preferred(matches: readonly Declaration[]): readonly Declaration[] {
  if (matches.length < 2) return matches;
  const first = matches[0]!.path.join("\0");
  if (matches.some(({ path }) => path.join("\0") !== first)) return matches;
  const types = matches.filter(({ kind }) => kind !== "module");
  if (types.length === 1) return types;
  const withBody = matches.filter(({ body, kind }) => body && (kind === "function" || kind === "method"));
  return withBody.length === 1 ? withBody : matches;
}

function refuseUnknown(what: "section" | "symbol", asked: string, names: readonly string[]): Refused {
  return refuse({ code: "not-found", what, candidates: nearest(asked, names) });
}

/** Up to five names that share most of their letters with the name that was asked for; the first few when none does. */
function nearest(asked: string, names: readonly string[]): string[] {
  const wanted = pairsOf(asked);
  const scored = [...new Set(names)]
    .slice(0, 5000)
    .map((name, order) => ({ name, order, score: likeness(wanted, pairsOf(name)) }));
  const close = scored
    .filter(({ score }) => score > 0.25)
    .sort((a, b) => b.score - a.score || a.order - b.order);
  return (close.length > 0 ? close : scored).slice(0, 5).map(({ name }) => name);
}

function pairsOf(words: string): ReadonlySet<string> {
  const letters = words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .slice(0, 100);
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < letters.length; at++) pairs.add(letters.slice(at, at + 2));
  return pairs.size > 0 ? pairs : new Set([letters]);
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
