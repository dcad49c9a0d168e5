import { posix } from "node:path";
import { findExpressions } from "./expressions.ts";
import { isNode, type Node, type Source } from "./sources.ts";

/** A function with a body of statements. */
type Measured = {
  readonly place: string;
  readonly lines: number;
  readonly parameters: number;
  readonly table: boolean;
};

export type Figures = {
  /** Lines of the product, those of its packages apart. */
  readonly lines: { readonly core: number; readonly packages: number };
  /** Regular expressions, each counted once. */
  readonly expressions: number;
  readonly functions: number;
  readonly functionLines: { readonly median: number; readonly p99: number; readonly max: number };
  /** Functions over 80 lines that are not tables, longest first. */
  readonly long: readonly string[];
  /** Functions with five or more parameters. */
  readonly wide: readonly string[];
  readonly largestFolder: { readonly folder: string; readonly files: number };
  /** Folders with more than twenty sources. */
  readonly crowded: readonly string[];
  readonly types: number;
  /** Type names with more than one declaration in a room. Two rooms may use one word, each for its own thing. */
  readonly repeatedTypes: readonly string[];
  readonly assertionsPer1000: number;
  /** Spreads that add fields to an object in one case only: `defined` has the fields that have a value. */
  readonly conditionalSpreads: readonly string[];
  /** Conditions that compare the text of a message. */
  readonly prose: readonly string[];
  /** Sources that mention an existing part, as a measure of what a new one would touch. */
  readonly touched: Readonly<Record<Part, readonly string[]>>;
};

/** Existing parts of each kind and the words that name them; the one that the most sources mention counts. */
export const parts = {
  rule: [named("enumeration"), named("translation"), named("unsupported")],
  language: [/\bkotlin\b|["'`.]kts?\b/i, /\bswift\b/i, /\bc-?sharp\b|["'`.]cs\b/i],
  format: [/asciidoc|\badoc\b/i, /\brst\b/i],
  dialect: [/json-?edits/i, /codex-?patch/i, /search-?replace/i],
  host: [/gitlab/i],
  option: [/"max-depth"/],
} satisfies Record<string, readonly RegExp[]>;

type Part = keyof typeof parts;

export function measureHouse(sources: readonly Source[]): Figures {
  const measured = sources.flatMap(measureFunctions);
  const lengths = measured.map(({ lines }) => lines).sort((a, b) => a - b);
  const folders = countFolders(sources);
  const [folder, files] = folders[0] ?? ["", 0];
  const types = countTypes(sources);
  const linesOf = (some: readonly Source[]): number => some.reduce((sum, { lines }) => sum + lines, 0);
  const isPackage = ({ path }: Source): boolean => path.startsWith("packages/");
  return {
    lines: {
      core: linesOf(sources.filter((source) => !isPackage(source))),
      packages: linesOf(sources.filter(isPackage)),
    },
    expressions: findExpressions(sources).length,
    functions: measured.length,
    functionLines: { median: at(lengths, 0.5), p99: at(lengths, 0.99), max: lengths.at(-1) ?? 0 },
    long: measured
      .filter(({ lines, table }) => lines > 80 && !table)
      .sort((a, b) => b.lines - a.lines)
      .map(({ place, lines }) => `${place} ${lines}`),
    wide: measured
      .filter(({ parameters }) => parameters >= 5)
      .map(({ place, parameters }) => `${place} ${parameters}`),
    largestFolder: { folder, files },
    crowded: folders.filter(([, count]) => count > 20).map(([name, count]) => `${name} ${count}`),
    types: types.size,
    repeatedTypes: [...types].flatMap(([name, places]) =>
      [...Map.groupBy(places, roomOf)]
        .filter(([, inRoom]) => inRoom.length > 1)
        .map(([, inRoom]) => `${name} ${inRoom.length}`),
    ),
    assertionsPer1000: countAssertions(sources),
    conditionalSpreads: sources.flatMap(findConditionalSpreads),
    prose: sources.flatMap(findProse),
    touched: findTouched(sources),
  };
}

function roomOf(path: string): string {
  return path.split("/")[1] ?? path;
}

function measureFunctions(source: Source): Measured[] {
  const functions = source.nodes.filter(
    ({ type, body }) =>
      /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) &&
      isNode(body) &&
      body.type === "BlockStatement",
  );
  return functions.map((node) => ({
    place: `${source.path}:${source.lineAt(node.start)}`,
    lines: source.lineAt(node.end - 1) - source.lineAt(node.start) + 1,
    parameters: (node.params as unknown[]).length,
    table: isTable(node.body as Node),
  }));
}

/** A body that only returns an object or a list. */
function isTable({ body }: Node): boolean {
  const [only, second] = body as Node[];
  const returned = only?.type === "ReturnStatement" ? only.argument : undefined;
  return second === undefined && isNode(returned) && /^(Object|Array)Expression$/.test(returned.type);
}

function countFolders(sources: readonly Source[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { path } of sources) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

function countTypes(sources: readonly Source[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { path, nodes } of sources)
    for (const { type, id } of nodes) {
      if (type !== "TSTypeAliasDeclaration" && type !== "TSInterfaceDeclaration") continue;
      const name = (id as { name: string }).name;
      places.set(name, [...(places.get(name) ?? []), path]);
    }
  return places;
}

function countAssertions(sources: readonly Source[]): number {
  let [assertions, lines] = [0, 0];
  for (const source of sources) {
    lines += source.lines;
    for (const { type } of source.nodes) if (type === "TSNonNullExpression") assertions++;
  }
  return Math.round((10_000 * assertions) / lines) / 10;
}

/** `...(a === undefined ? {} : { a })` and `...(a && { a })` in an object. */
function findConditionalSpreads(source: Source): string[] {
  const objects = source.nodes.filter(({ type }) => type === "ObjectExpression");
  const spreads = objects
    .flatMap(({ properties }) => properties as Node[])
    .filter(({ type, argument }) => type === "SpreadElement" && isNode(argument) && isConditional(argument));
  return spreads.map((spread) => quote(source, spread));
}

function isConditional({ type, operator, expression, consequent, alternate }: Node): boolean {
  if (type === "ParenthesizedExpression") return isConditional(expression as Node);
  const isEmpty = (node: unknown): boolean =>
    isNode(node) && node.type === "ObjectExpression" && (node.properties as unknown[]).length === 0;
  return type === "ConditionalExpression" ? isEmpty(consequent) || isEmpty(alternate) : operator === "&&";
}

function quote({ path, code, lineAt }: Source, { start, end }: Node): string {
  return `${path}:${lineAt(start)} ${code.slice(start, Math.min(end, start + 80)).replace(/\s+/g, " ")}`;
}

const proseNames = /^(message|detail|what|why|trouble|error)$/;

/** `refusal.what === "the text is empty"`, `/ENOENT/.test(error.message)`, `message.includes("…")`. */
function findProse(source: Source): string[] {
  const found = source.nodes.filter((node) => comparesProse(node) || matchesProse(node));
  return found.map((node) => quote(source, node));
}

function comparesProse({ type, operator, left, right }: Node): boolean {
  if (type !== "BinaryExpression" || !/^[!=]==$/.test(operator as string)) return false;
  const isSentence = (node: unknown) =>
    isNode(node) && node.type === "Literal" && typeof node.value === "string" && node.value.includes(" ");
  return (isProse(left) && isSentence(right)) || (isProse(right) && isSentence(left));
}

function matchesProse({ type, callee, arguments: given }: Node): boolean {
  if (type !== "CallExpression" || !isNode(callee) || callee.type !== "MemberExpression") return false;
  const method = (callee.property as { name?: string }).name ?? "";
  const [argument] = given as unknown[];
  if (/^(test|exec)$/.test(method)) return isProse(argument);
  if (!/^(match|includes|startsWith|endsWith|search)$/.test(method)) return false;
  return isProse(callee.object) && isNode(argument) && argument.type === "Literal";
}

function isProse(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === "ChainExpression" || node.type === "TSNonNullExpression") return isProse(node.expression);
  const name = node.type === "MemberExpression" ? (node.property as { name?: string }).name : node.name;
  return (
    (node.type === "MemberExpression" || node.type === "Identifier") &&
    proseNames.test((name as string) ?? "")
  );
}

function findTouched(sources: readonly Source[]): Record<Part, string[]> {
  // A folder that is named after the part is the part itself, and counts once.
  const ownPlace = (path: string, pattern: RegExp) =>
    pattern.test(posix.basename(posix.dirname(path))) ? posix.dirname(path) : path;
  const mentions = (pattern: RegExp) => [
    ...new Set(sources.filter(({ code }) => pattern.test(code)).map(({ path }) => ownPlace(path, pattern))),
  ];
  const most = (patterns: readonly RegExp[]) =>
    patterns.map(mentions).reduce((a, b) => (b.length > a.length ? b : a));
  return Object.fromEntries(
    Object.entries(parts).map(([part, patterns]) => [part, most(patterns)]),
  ) as Record<Part, string[]>;
}

/** A name as a whole string or as a file that is imported. */
function named(name: string): RegExp {
  return new RegExp(`["'\`/]${name}(["'\`]|\\.ts)`);
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
