import type { Region } from "../../text/model/region.ts";
import type { DataEntry, DataNode } from "./data.ts";

/** A key of a TOML file by its full path, and where it and its value are written. */
export type TomlItem = {
  readonly path: readonly string[];
  readonly keyRegion: Region;
  readonly node: DataNode;
};

const DEEPEST = 50;

/**
 * The keys of a TOML file with their places; tables and dotted keys are paths, and each `[[array of tables]]` item
 * repeats its path. Reads on after what it does not understand. The parser proper has no places to give.
 */
export function scanToml(text: string): TomlItem[] {
  const items: TomlItem[] = [];
  let table: readonly string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    skipGap();
    if (text[at] === "[") readTable();
    else readPair();
    skipLine();
  }
  return items;

  function skipGap(): void {
    while (at < text.length && /[\s,]/.test(text[at]!)) at++;
    while (text[at] === "#") {
      skipLine();
      while (at < text.length && /[\s,]/.test(text[at]!)) at++;
    }
  }

  function skipLine(): void {
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }

  function readTable(): void {
    while (text[at] === "[") at++;
    table = readKey()?.path ?? [];
  }

  function readPair(): void {
    const key = readKey();
    if (!key || text[at] !== "=") return;
    at++;
    const node = readValue(0);
    if (node) items.push({ path: [...table, ...key.path], keyRegion: key.region, node });
  }

  function readKey(): { readonly path: string[]; readonly region: Region } | undefined {
    const path: string[] = [];
    let region: Region | undefined;
    for (;;) {
      skipSpaces();
      const start = at;
      const quoted = text[at] === '"' || text[at] === "'" ? readQuoted(text[at]!) : undefined;
      if (!quoted) while (at < text.length && /[\w-]/.test(text[at]!)) at++;
      region = quoted ?? { start, end: at };
      if (region.end === region.start && !quoted) return undefined;
      path.push(text.slice(region.start, region.end));
      skipSpaces();
      if (text[at] !== ".") return { path, region };
      at++;
    }
  }

  function skipSpaces(): void {
    while (text[at] === " " || text[at] === "\t") at++;
  }

  function readValue(depth: number): DataNode | undefined {
    skipSpaces();
    const start = at;
    if (depth > DEEPEST) return undefined;
    if (text[at] === "[") return readList(depth);
    if (text[at] === "{") return readInline(depth);
    if (text[at] === '"' || text[at] === "'") {
      const mark = text.startsWith(text[at]!.repeat(3), at) ? text[at]!.repeat(3) : text[at]!;
      const region = readQuoted(mark);
      return region && { kind: "scalar", region, value: text.slice(region.start, region.end) };
    }
    while (at < text.length && !/[\s,\]}#]/.test(text[at]!)) at++;
    return at > start
      ? { kind: "scalar", region: { start, end: at }, value: text.slice(start, at) }
      : undefined;
  }

  function readQuoted(mark: string): Region | undefined {
    const start = at + mark.length;
    for (let i = start; i < text.length; i++) {
      if (text[i] === "\\" && mark[0] === '"') i++;
      else if (text[i] === "\n" && mark.length === 1) return undefined;
      else if (text.startsWith(mark, i)) {
        at = i + mark.length;
        return { start, end: i };
      }
    }
    return undefined;
  }

  function readList(depth: number): DataNode {
    const start = at++;
    const held: DataNode[] = [];
    for (skipGap(); at < text.length && text[at] !== "]"; skipGap()) {
      const node = readValue(depth + 1);
      if (!node) break;
      held.push(node);
    }
    if (text[at] === "]") at++;
    return { kind: "list", region: { start, end: at }, items: held };
  }

  function readInline(depth: number): DataNode {
    const start = at++;
    const entries: DataEntry[] = [];
    for (skipGap(); at < text.length && text[at] !== "}"; skipGap()) {
      const key = readKey();
      if (!key || text[at] !== "=") break;
      at++;
      const node = readValue(depth + 1);
      if (!node) break;
      entries.push({ key: key.path.join("."), keyRegion: key.region, node });
    }
    if (text[at] === "}") at++;
    return { kind: "map", region: { start, end: at }, entries };
  }
}
