import type { DocumentPage } from "../change/change-model.ts";
import { fold } from "../change/names.ts";
import { tokenise } from "../change/tokens.ts";

const LEVELS = 6;
const REACH = 400;

/** Folded names of the code that encloses a line, nearest first, by indentation alone; then the file's own name. */
export function enclosingNames(lines: readonly string[], line: number, path: string): string[] {
  const names: string[] = [];
  let indent = indentOf(lines[line - 1] ?? "");
  let levels = 0;
  for (let i = line - 2; i >= 0 && i > line - REACH && levels < LEVELS && indent > 0; i--) {
    const text = lines[i]!;
    if (!text.trim() || indentOf(text) >= indent || /^\s*[)}\]]/.test(text)) continue;
    indent = indentOf(text);
    levels++;
    for (const token of tokenise(text)) if (token.kind === "name") names.push(fold(token.text));
  }
  return [...names, ...stemNames(path)];
}

/** Folded names of the context of a line: its headings, its introductory line, the page's name. */
export function pageOwners(
  page: DocumentPage,
  line: number,
): { introduction: string[]; headings: string[]; stem: string[] } {
  const { lines } = page.read();
  const headings: string[] = [];
  let level = 7;
  for (let i = line; i >= 0 && level > 1; i--) {
    if (lines[i]!.place !== "heading") continue;
    const depth = /^#+/.exec(lines[i]!.text)?.[0].length ?? underlineDepth(lines[i + 1]?.text ?? "");
    if (depth >= level) continue;
    level = depth;
    headings.push(...foldedNames(lines[i]!.text));
    if (headings.length > 24) break;
  }
  return { introduction: introductoryNames(page, line), headings, stem: stemNames(page.path) };
}

/** Names on the line that introduces this one: a list item, a directive, a key with deeper lines below it. */
function introductoryNames(page: DocumentPage, line: number): string[] {
  const { lines } = page.read();
  let indent = indentOf(lines[line]!.text);
  const names: string[] = [];
  for (let i = line - 1, steps = 0; i >= 0 && line - i < 40 && steps < 2; i--) {
    const text = lines[i]!.text;
    if (!text.trim()) continue;
    if (lines[i]!.place === "heading") break;
    const introduces = /^\s*\.\. [\w:-]+::/.test(text) || indentOf(text) < indent;
    if (!introduces) continue;
    indent = Math.min(indent, indentOf(text));
    steps++;
    names.push(...foldedNames(text));
    if (/^\s*\.\. [\w:-]+::/.test(text)) break;
  }
  return names;
}

function foldedNames(text: string): string[] {
  return tokenise(text)
    .filter((token) => token.kind === "name")
    .map((token) => fold(token.text));
}

function stemNames(path: string): string[] {
  const parts = path.split("/");
  const stem = parts.at(-1)!.replace(/\.[a-z]+$/i, "");
  const names = [fold(stem)];
  if (/^(index|mod|__init__|main|readme|lib)$/i.test(stem) && parts.length > 1)
    names.push(fold(parts.at(-2)!));
  return names.filter(Boolean);
}

function underlineDepth(underline: string): number {
  const at = "=-~^\"'`#*+.:_".indexOf(underline[0] ?? "");
  return at < 0 ? 6 : Math.min(at + 1, 6);
}

function indentOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character === " ") width++;
    else if (character === "\t") width += 4;
    else break;
  }
  return width;
}
