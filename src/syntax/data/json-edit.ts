import { endingAt } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import { type DataNode, dataAt } from "./data.ts";
import { scanJson } from "./json.ts";

/**
 * Changes to JSON texts that people keep: what is not added or removed stays as it is, to the byte. Comments and
 * trailing commas are kept. Each function answers `null` where the text cannot be read, or has something else there.
 */

/** The text with a member in the map that `keys` lead to. Maps on the way are added where they are missing. */
export function addMember(text: string, keys: readonly string[], value: unknown): string | null {
  const root = readRoot(text);
  if (!root) return null;
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const map = dataAt(root, ...keys.slice(0, depth));
    if (!map) continue;
    if (map.kind !== "map" || dataAt(map, keys[depth]!)) return null;
    const added = keys.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    return insert(text, map, { key: keys[depth]!, value: added });
  }
  return null;
}

/** The text with one more item at the end of the list that `keys` lead to. */
export function addItem(text: string, keys: readonly string[], value: unknown): string | null {
  const root = readRoot(text);
  const list = root && dataAt(root, ...keys);
  if (!root || (list && list.kind !== "list")) return null;
  return list ? insert(text, list, { value }) : addMember(text, keys, [value]);
}

/** The text without one value: a member of a map by its last key, or an item of a list by its place. */
export function removeValue(text: string, keys: readonly string[], last: string | number): string | null {
  const root = readRoot(text);
  const parent = root && dataAt(root, ...keys);
  if (!parent) return null;
  const parts = partsOf(text, parent);
  const at =
    typeof last === "number" ? last : (parent.entries ?? []).findIndex((entry) => entry.key === last);
  const part = parts[at];
  if (!part) return null;
  const [start, end] = cutOf(text, { parent, parts, at });
  return text.slice(0, start) + text.slice(end);
}

/** The value of a node as JavaScript data. */
export function plainValue(text: string, node: DataNode): unknown {
  if (node.kind === "list") return (node.items ?? []).map((item) => plainValue(text, item));
  if (node.kind === "map")
    return Object.fromEntries(
      (node.entries ?? []).map(({ key, node: each }) => [key, plainValue(text, each)]),
    );
  return text[node.region.start - 1] === '"' ? node.value : JSON.parse(node.value ?? "null");
}

export function readRoot(text: string): DataNode | null {
  const { root, trouble } = scanJson(text, { comments: true });
  return trouble || root?.kind !== "map" ? null : root;
}

type Added = { readonly key?: string; readonly value: unknown };

/** Puts a member or an item behind the last one, in the layout of the file. */
function insert(text: string, parent: DataNode, { key, value }: Added): string {
  const parts = partsOf(text, parent);
  const last = parts.at(-1);
  const label = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const isTall = last ? isOwnLine(text, last.start, parent) : text.includes("\n");
  const printed = (indent: string): string => {
    const lines = JSON.stringify(value, null, isTall ? unitOf(text) : undefined).split("\n");
    return `${label}${lines.join(`${endingAt(text, parent.region.start)}${indent}`)}`;
  };
  if (last) {
    const indent = indentAt(text, last.start);
    const between = isTall ? `,${endingAt(text, last.start)}${indent}` : ", ";
    return text.slice(0, last.end) + between + printed(indent) + text.slice(last.end);
  }
  const outer = indentAt(text, parent.region.start);
  const inner = `${outer}${unitOf(text)}`;
  const ending = endingAt(text, parent.region.start);
  const body = isTall ? `${ending}${inner}${printed(inner)}${ending}${outer}` : ` ${printed("")} `;
  return text.slice(0, parent.region.start + 1) + body + text.slice(parent.region.end - 1);
}

/** The regions of the members or items of a value, keys and quotes included. */
function partsOf(text: string, { entries = [], items = [] }: DataNode): Region[] {
  return [
    ...entries.map(({ keyRegion, node }) => ({ start: keyRegion.start - 1, end: wholeOf(text, node).end })),
    ...items.map((item) => wholeOf(text, item)),
  ];
}

/** A value with its quotes: a string's region is the text between them. */
function wholeOf(text: string, { kind, region }: DataNode): Region {
  const isString = kind === "scalar" && text[region.start - 1] === '"' && text[region.end] === '"';
  return isString ? { start: region.start - 1, end: region.end + 1 } : region;
}

/** The range to remove with a part: its comma and the layout before it, or behind it where it is the first of several. */
function cutOf(
  text: string,
  {
    parent,
    parts,
    at,
  }: { readonly parent: DataNode; readonly parts: readonly Region[]; readonly at: number },
): [number, number] {
  const part = parts[at]!;
  const before = parts[at - 1];
  if (before) return [before.end, part.end];
  const next = parts[at + 1];
  if (next) return [part.start, next.start];
  const inside = text.slice(parent.region.start + 1, parent.region.end - 1);
  const isBare = inside.slice(0, part.start - parent.region.start - 1).trim() === "";
  return isBare &&
    text
      .slice(part.end, parent.region.end - 1)
      .trim()
      .replace(",", "") === ""
    ? [parent.region.start + 1, parent.region.end - 1]
    : [part.start, part.end];
}

function isOwnLine(text: string, at: number, parent: DataNode): boolean {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return line > parent.region.start && text.slice(line, at).trim() === "";
}

function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))![0];
}

/** One step of indentation, as the file has it. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}
