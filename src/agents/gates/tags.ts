import type { Region } from "../../text/model/region.ts";

/** A tag of a page: its name in lower case, its attributes, and where it stands. */
export type WrittenTag = {
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly region: Region;
};

/**
 * Everything that a browser could take for a tag, also inside comments and without its end: what is no tag to a
 * Markdown reader may be one to the next program.
 */
export function findTags(text: string): WrittenTag[] {
  const tags: WrittenTag[] = [];
  for (const { 1: slash, 2: name, index } of text.matchAll(/<(\/?)([A-Za-z][^\s/><"'=`]*)/g)) {
    const start = index + 1 + slash!.length + name!.length;
    const { attributes, end } = readAttributes(text, start);
    tags.push({ name: name!.toLowerCase(), attributes, region: { start: index, end } });
    if (tags.length === MOST_TAGS) break;
  }
  return tags;
}

/** No page that people write has more. */
export const MOST_TAGS = 10_000;

const longestTag = 20_000;
const mostAttributes = 40;

/** An attribute that stands for what was not read. Its name is on no list. */
const unread = { name: "", value: "" };

/** Attributes as HTML tokenises them: names up to white space, `/`, `=` or `>`; values quoted or up to white space. */
function readAttributes(
  text: string,
  from: number,
): { attributes: WrittenTag["attributes"][number][]; end: number } {
  const attributes: WrittenTag["attributes"][number][] = [];
  const limit = Math.min(text.length, from + longestTag);
  // An equals sign that begins a name is a part of it.
  const shape = /[\s/]*(?:(>)|(=?[^\s/>=]+|=)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?)/y;
  let at = from;
  for (;;) {
    shape.lastIndex = at;
    const found = at < limit ? shape.exec(text) : null;
    // At the end of the text a tag may be open: another program may put text behind it.
    if (!found) return { attributes: at < text.length ? [...attributes, unread] : attributes, end: at };
    at = shape.lastIndex;
    if (found[1]) return { attributes, end: at };
    // A tag of more attributes is not read on.
    if (attributes.length === mostAttributes) return { attributes: [...attributes, unread], end: at };
    attributes.push({ name: found[2]!.toLowerCase(), value: found[3] ?? found[4] ?? found[5] ?? "" });
  }
}
