import { scanJson } from "../../syntax/data/json.ts";
import type { Block, Outline } from "../../syntax/formats/document.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { outlineSource } from "../../syntax/source/source.ts";
import { gateText } from "../../wording/agents.ts";
import { blank } from "./addresses.ts";
import { findCode } from "./markup.ts";
import type { DraftedPage, GateVerdict, Objection } from "./objection.ts";

/** Tables must stay rectangular, fences and elements closed, and code parsable where it was. */
export async function checkShape({ path, before, after }: DraftedPage): Promise<Partial<GateVerdict>> {
  const was = before === null ? null : { text: before, outline: outlineDocument(path, before) };
  const is = { text: after, outline: outlineDocument(path, after) };
  const objections = [
    ...checkTables(path, was, is),
    ...checkClosing(path, was, is),
    ...checkElements(path, was, is),
  ];
  return { objections: [...objections, ...(await checkFences(path, was, is))] };
}

type ReadPage = { readonly text: string; readonly outline: Outline };

function checkTables(path: string, was: ReadPage | null, { text, outline }: ReadPage): Objection[] {
  const had = was ? findRagged(was).length : 0;
  const ragged = findRagged({ text, outline });
  const broken = ragged.length <= had ? [] : ragged;
  if (findLooseRows({ text, outline }) > (was ? findLooseRows(was) : 0))
    return [{ gate: "tables", path, detail: gateText.brokenTable }];
  return broken.slice(0, 3).map(({ row, cells, columns }) => ({
    gate: "tables",
    path,
    detail: gateText.raggedRow(firstLine(text.slice(row.region.start, row.region.end)), { cells, columns }),
  }));
}

/** Paragraphs of rows: a table without its header, or without the line below it. */
function findLooseRows({ text, outline }: ReadPage): number {
  return outline.blocks.filter(({ kind, content }) => {
    const lines = kind === "paragraph" ? text.slice(content.start, content.end).split("\n") : [];
    return lines.length > 1 && lines.every((line) => /^\s*\|.*\|\s*$/.test(line));
  }).length;
}

/** Rows with another number of cells than their table's header. In a row of several lines, each line may have its own. */
function findRagged({ text, outline }: ReadPage): { row: Block; cells: number; columns: number }[] {
  const { blocks } = outline;
  const cells = new Map<number, number>();
  for (const { kind, parent } of blocks)
    if (kind === "table-cell" && parent !== undefined) cells.set(parent, (cells.get(parent) ?? 0) + 1);
  return blocks.flatMap((row, index) => {
    if (row.kind !== "table-row" || row.table === undefined) return [];
    if (text.slice(row.region.start, row.region.end).trim().includes("\n")) return [];
    const count = cells.get(index) ?? 0;
    const columns = cells.get(row.table) ?? 0;
    return count === columns ? [] : [{ row, cells: count, columns }];
  });
}

/** An unclosed fence swallows the rest of the page. */
function checkClosing(path: string, was: ReadPage | null, is: ReadPage): Objection[] {
  if (!endsOpen(is) || (was && endsOpen(was))) return [];
  return [{ gate: "fences", path, detail: gateText.openFence }];
}

function endsOpen({ text, outline }: ReadPage): boolean {
  const last = outline.blocks.findLast(({ kind }) => kind === "code-fence");
  // A literal block of reStructuredText ends with its indentation.
  if (!last?.fence || last.fence === "::" || text.slice(last.region.end).trim() !== "") return false;
  const lines = text.slice(last.region.start, last.region.end).split(/\r?\n/);
  return (
    lines.length === 1 ||
    !lines
      .at(-1)!
      .trim()
      .replace(/^[>\s]+/, "")
      .startsWith(last.fence)
  );
}

/** Elements that always need an end: an open one takes in the rest of the page. */
const closedElements = ["div", "details", "table", "section", "figure", "aside"];

function checkElements(path: string, was: ReadPage | null, is: ReadPage): Objection[] {
  if (!/<\/?[a-z]/i.test(is.text)) return [];
  const [had, has] = [openElements(path, was?.text ?? ""), openElements(path, is.text)];
  return closedElements
    .filter((name) => (had.get(name) ?? 0) === 0 && (has.get(name) ?? 0) !== 0)
    .map((name) => ({ gate: "fences", path, detail: gateText.openElement(name) }));
}

/** How many more times each element begins than ends. Tags in code are code. */
function openElements(path: string, text: string): Map<string, number> {
  const open = new Map<string, number>();
  for (const [, slash, name] of blank(text, findCode(path, text)).matchAll(
    /<(\/?)([a-z]{3,8})\b(?:[^<>]*[^<>/])?>/gi,
  )) {
    const element = name!.toLowerCase();
    open.set(element, (open.get(element) ?? 0) + (slash === "" ? 1 : -1));
  }
  return open;
}

type CodeFence = { readonly language: string; readonly code: string };

async function checkFences(path: string, was: ReadPage | null, is: ReadPage): Promise<Objection[]> {
  const old = was ? findFences(was) : [];
  const kept = new Set(old.map(({ code }) => code));
  const parsed: boolean[] = [];
  for (const fence of old) parsed.push((await brokenLine(fence)) === null);
  const now = findFences(is);
  const objections: Objection[] = [];
  for (const [index, fence] of now.entries()) {
    if (kept.has(fence.code)) continue;
    // A replaced fence must parse if the old one did. A new fence must parse only if it is data.
    const paired = old.length === now.length;
    if (paired ? !parsed[index] : !isData(fence.language)) continue;
    // Readers may copy data that a program reads as it stands.
    const isLoose =
      paired && isData(fence.language) && isStrictJson(old[index]!.code) && !isStrictJson(fence.code);
    const line = isLoose ? 1 : await brokenLine(fence);
    if (line !== null)
      objections.push({
        gate: "fences",
        path,
        detail: gateText.brokenCode(fence.language, firstLine(fence.code), line),
      });
  }
  return objections;
}

function findFences({ text, outline }: ReadPage): CodeFence[] {
  return outline.blocks.flatMap(({ kind, language, content }) =>
    kind === "code-fence" && language
      ? [{ language: language.toLowerCase(), code: text.slice(content.start, content.end) }]
      : [],
  );
}

const extensions: Readonly<Record<string, string>> = {
  ts: "ts",
  typescript: "ts",
  tsx: "tsx",
  js: "js",
  javascript: "js",
  jsx: "jsx",
  py: "py",
  python: "py",
  go: "go",
  rust: "rs",
  rs: "rs",
  rb: "rb",
  ruby: "rb",
};

function isData(language: string): boolean {
  return language === "json";
}

/** The first line that does not parse; `null` if all lines parse or the language is unknown. */
async function brokenLine({ language, code }: CodeFence): Promise<number | null> {
  if (isData(language)) return isJson(code) ? null : 1;
  const extension = Object.hasOwn(extensions, language) ? extensions[language] : undefined;
  if (extension === undefined) return null;
  return (await outlineSource(`sample.${extension}`, code)).brokenAt ?? null;
}

function isStrictJson(code: string): boolean {
  return scanJson(code).trouble === undefined;
}

/**
 * Whether a sample is JSON as pages show it: with comments, with an ellipsis in place of members, as members without
 * their braces, or as several values.
 */
function isJson(code: string): boolean {
  const text = code.replace(/^[ \t]*(?:\.{3}|…),?[ \t]*$/gm, "");
  const listed = text.replace(valueBeforeAnother, "$1,");
  const readings = [text, `{${text}}`, ...(listed === text ? [] : [`[${listed}]`])];
  return readings.some((one) => scanJson(one, { comments: true }).trouble === undefined);
}

/** The end of a value on its line, and the beginning of another one below it. */
const valueBeforeAnother = /^([}\]].*|\{.*\})(?=[ \t\r]*\n\s*[{[])/gm;

function firstLine(text: string): string {
  const line = (text.split("\n", 1)[0] ?? "").trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
