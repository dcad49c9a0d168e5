import { createRequire } from "node:module";
import type { Document } from "yaml";
import { defined } from "../../text/model/defined.ts";
import type { DataEntry, DataNode, DataScan } from "./data.ts";

/** Larger data files are generated. The library reads only a quarter of a megabyte in a second. */
const LARGEST = 128_000;
/** A page's metadata must be refused or read in a tenth of a second. */
export const LARGEST_METADATA = 16_000;
const DEEPEST = 100;

/** The library compares each key of a map with all others; we look for repeated keys ourselves, in linear time. */
const OPTIONS = {
  schema: "core",
  merge: false,
  uniqueKeys: false,
  logLevel: "silent",
  prettyErrors: false,
} as const;

type YamlLibrary = typeof import("yaml");

let library: YamlLibrary | undefined;

/** Required with the first text, not imported: its seventy files take longer to load than a small check to run. */
function yaml(): YamlLibrary {
  library ??= createRequire(import.meta.filename)("yaml") as YamlLibrary;
  return library;
}

type YamlTrouble = { readonly offset: number; readonly why: string };

/**
 * YAML with every value's place, by the core schema: no tags make objects, nothing is executed, aliases are never
 * expanded. Of several documents the first is read. Never throws.
 */
export function scanYaml(text: string): DataScan {
  const hostile = findHostile(text, LARGEST);
  if (hostile) return { trouble: hostile };
  try {
    const documents = yaml().parseAllDocuments(text, OPTIONS);
    const list: readonly Document[] = Array.isArray(documents) ? documents : [];
    const trouble = list.map(findTrouble).find((each) => each !== undefined);
    const root = list[0] && convert(text, list[0].contents, 0);
    return defined({ root, trouble });
  } catch (error) {
    return { trouble: { offset: 0, why: error instanceof RangeError ? "nested too deep" : "not readable" } };
  }
}

/** A plain value without prototypes, for metadata that programs read, or why it cannot be had. */
export function parseYaml(text: string): { readonly value: unknown } | { readonly trouble: YamlTrouble } {
  const hostile = findHostile(text, LARGEST_METADATA);
  if (hostile) return { trouble: hostile };
  try {
    const document = yaml().parseDocument(text, OPTIONS);
    const trouble = findTrouble(document);
    if (trouble) return { trouble };
    return { value: withoutMaps(document.toJS({ mapAsMap: true, maxAliasCount: 20 }), 0) };
  } catch (error) {
    return {
      trouble: { offset: 0, why: error instanceof ReferenceError ? "too many aliases" : "nested too deep" },
    };
  }
}

function findTrouble(document: Document): YamlTrouble | undefined {
  const error = document.errors[0];
  return error ? { offset: error.pos[0], why: error.message } : findRepeatedKey(document.contents, 0);
}

function findRepeatedKey(node: unknown, depth: number): YamlTrouble | undefined {
  if (depth > DEEPEST) return undefined;
  const { isSeq, isMap, isScalar } = yaml();
  if (isSeq(node)) return firstOf(node.items, (item) => findRepeatedKey(item, depth + 1));
  if (!isMap(node)) return undefined;
  const keys = new Set<unknown>();
  return firstOf(node.items, ({ key, value }) => {
    if (isScalar(key)) {
      if (keys.has(key.value))
        return { offset: key.range?.[0] ?? 0, why: `the key ${String(key.value)} is there twice` };
      keys.add(key.value);
    }
    return findRepeatedKey(value, depth + 1);
  });
}

function firstOf<T>(
  items: readonly T[],
  find: (item: T) => YamlTrouble | undefined,
): YamlTrouble | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

/** The reason to refuse a text by its size or depth, before any parser reads it. */
function findHostile(text: string, largest: number): YamlTrouble | undefined {
  if (text.length > largest) return { offset: 0, why: `longer than ${largest} characters` };
  let depth = 0;
  let dashes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 91 || code === 123) depth++;
    else if (code === 93 || code === 125) depth = Math.max(0, depth - 1);
    else if (code === 10) dashes = 0;
    else if ((code === 45 || code === 63) && text.charCodeAt(at + 1) === 32) dashes++;
    if (depth > DEEPEST || dashes > DEEPEST) return { offset: at, why: "nested too deep" };
  }
  return undefined;
}

function convert(text: string, node: unknown, depth: number): DataNode | undefined {
  const { isNode, isAlias, isScalar, isSeq, isMap } = yaml();
  if (!isNode(node) || !node.range || depth > DEEPEST) return undefined;
  const [start, end] = node.range;
  if (isAlias(node)) return { kind: "scalar", region: { start, end }, value: `*${node.source}` };
  if (isScalar(node)) return scalar(text, start, end, node.value);
  if (isSeq(node)) {
    const items = node.items.flatMap((item) => convert(text, item, depth + 1) ?? []);
    return { kind: "list", region: { start, end }, items };
  }
  if (!isMap(node)) return undefined;
  const entries = node.items.flatMap((pair): DataEntry[] => {
    const key = convert(text, pair.key, depth + 1);
    if (key?.kind !== "scalar") return [];
    const value = convert(text, pair.value, depth + 1) ?? {
      kind: "scalar",
      region: { start: key.region.end, end: key.region.end },
      value: "",
    };
    return [{ key: key.value!, keyRegion: key.region, node: value }];
  });
  return { kind: "map", region: { start, end }, entries };
}

function scalar(text: string, start: number, end: number, value: unknown): DataNode {
  const quoted =
    (text[start] === '"' || text[start] === "'") && end - start > 1 && text[end - 1] === text[start];
  const region = quoted ? { start: start + 1, end: end - 1 } : { start, end };
  return {
    kind: "scalar",
    region,
    value: value === null || typeof value === "symbol" ? text.slice(start, end) : String(value),
  };
}

function withoutMaps(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => withoutMaps(item, depth + 1));
  if (!(value instanceof Map)) return value;
  const plain: Record<string, unknown> = Object.create(null);
  for (const [key, item] of value) plain[String(key)] = withoutMaps(item, depth + 1);
  return plain;
}
