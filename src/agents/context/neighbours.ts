import { isCommon, isDistinct } from "../../drift/change/names.ts";
import { outlineSource } from "../../syntax/source/source.ts";
import { createWordFinder } from "../../syntax/words/words.ts";
import type { Sources } from "./source-context.ts";

const maxNames = 40;
const maxOutlined = 24;

/**
 * The files that declare the names in a page's inline code, linked or not. Files that declare most of them come
 * first.
 */
export async function findNeighbours(
  sources: Pick<Sources, "read"> & { readonly code: readonly string[] },
  page: string,
  most: number,
): Promise<string[]> {
  const names = namesOn(page);
  if (names.length === 0) return [];
  const find = createWordFinder(names);
  const holders: { path: string; text: string; names: ReadonlySet<string> }[] = [];
  for (const path of sources.code) {
    const text = (await sources.read(path)) ?? "";
    const matched = new Set(find(text).map(({ name }) => name));
    if (matched.size > 0) holders.push({ path, text, names: matched });
  }
  holders.sort((a, b) => b.names.size - a.names.size || (a.path < b.path ? -1 : 1));
  const declaring: { path: string; count: number }[] = [];
  for (const { path, text, names } of holders.slice(0, maxOutlined)) {
    const { declarations } = await outlineSource(path, text);
    const declared = new Set(declarations.flatMap(({ name }) => (names.has(name) ? [name] : [])));
    if (declared.size > 0) declaring.push({ path, count: declared.size });
  }
  declaring.sort((a, b) => b.count - a.count);
  return declaring.slice(0, most).map(({ path }) => path);
}

/** Distinctive names in inline code. */
function namesOn(page: string): string[] {
  const spans = Array.from(page.matchAll(/`([^`\n]{1,120})`/g), ([, code]) => code!);
  const words = spans.flatMap((code) => code.match(/[A-Za-z_$][\w$]*/g) ?? []);
  return [...new Set(words.filter((word) => isDistinct(word) && !isCommon(word)))].slice(0, maxNames);
}
