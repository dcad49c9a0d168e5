import type { DocumentPage } from "./change-model.ts";
import { fold } from "./names.ts";

/** An entry for a name: the line that introduces it, and its group. */
export type Definition = { readonly name: string; readonly line: number };

/** A group of entries: the rows of a table, the items of a list, headings of one depth, keys of a sample. */
export type DefinitionGroup = {
  readonly kind: "table" | "list" | "headings" | "keys";
  readonly page: DocumentPage;
  readonly entries: readonly Definition[];
  readonly first: number;
  readonly last: number;
};

const ROW = /^\s*(?:\|\s*)?[`*_[<\\-]*([\p{L}_$][\p{L}\p{N}_.$:-]*)/u;
const CELL_NAME = /`(?:--?)?\.?([\p{L}_$][\p{L}\p{N}_.$-]{2,})`/gu;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+[`*_[:'".<-]+\s*(?:\w+:)?`*\.?([\p{L}_$][\p{L}\p{N}_.$-]*)/u;
const HEADING =
  /^#+\s+[`*]*(?:[\w$]+[.#])*(?:--?)?([\p{L}_$][\p{L}\p{N}_$-]*)[`*?:]{0,3}(?:\(.*|\s*[<=(].*)?$/u;
const KEY = /^(\s*)(?:#\s?|\/\/\s?)?["']?([\p{L}_$][\p{L}\p{N}_$-]*)["']?\s*\??[:=]/u;

export function findDefinitionGroups(page: DocumentPage): DefinitionGroup[] {
  return [...blockGroups(page), ...headingGroups(page)];
}

/** Tables, lists and samples: groups of adjacent lines. */
function blockGroups(page: DocumentPage): DefinitionGroup[] {
  const { lines } = page.read();
  const groups: DefinitionGroup[] = [];
  let open: {
    kind: "table" | "list" | "keys";
    indent: number;
    entries: Definition[];
    first: number;
    last: number;
  } | null = null;
  const close = (): void => {
    if (open && open.entries.length > 2) groups.push({ ...open, page });
    open = null;
  };
  lines.forEach(({ text, place }, line) => {
    const indent = /^\s*/.exec(text)![0].length;
    if (place === "blank" && open?.kind !== "table") return;
    if (place === "table") {
      if (open?.kind !== "table") close();
      open ??= { kind: "table", indent: 0, entries: [], first: line, last: line };
      push(open, ROW.exec(text)?.[1], line);
      for (const cell of text.matchAll(CELL_NAME)) push(open, cell[1], line);
    } else if (place === "list") {
      if (open?.kind !== "list" || indent < open.indent) close();
      open ??= { kind: "list", indent, entries: [], first: line, last: line };
      if (indent === open.indent) push(open, ITEM.exec(text)?.[1], line);
      open.last = line;
    } else if (place === "code") {
      if (open?.kind !== "keys") close();
      open ??= { kind: "keys", indent: -1, entries: [], first: line, last: line };
      const key = KEY.exec(text);
      if (key) push(open, key[2], line);
      open.last = line;
    } else if (open?.kind === "list" && indent > open.indent) open.last = line;
    else close();
  });
  close();
  return groups;
}

function push(group: { entries: Definition[]; last: number }, name: string | undefined, line: number): void {
  if (name) group.entries.push({ name: fold(name), line });
  group.last = line;
}

/** Headings of one depth under one parent that each name one thing. */
function headingGroups(page: DocumentPage): DefinitionGroup[] {
  const { lines } = page.read();
  const groups: DefinitionGroup[] = [];
  const open = new Map<number, { entries: Definition[]; first: number }>();
  const close = (depth: number, last: number): void => {
    for (const [level, group] of [...open]) {
      if (level < depth) continue;
      if (group.entries.length > 2) groups.push({ kind: "headings", page, ...group, last });
      open.delete(level);
    }
  };
  lines.forEach(({ text, place }, line) => {
    if (place !== "heading") return;
    const depth = /^#+/.exec(text)?.[0].length ?? 2;
    close(depth + 1, line - 1);
    const group = open.get(depth) ?? { entries: [], first: line };
    open.set(depth, group);
    const name = text.length < 200 ? HEADING.exec(text)?.[1] : undefined;
    if (name) group.entries.push({ name: fold(name), line });
  });
  close(0, lines.length - 1);
  return groups;
}
