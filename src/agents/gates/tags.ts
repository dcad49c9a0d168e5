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
  const reader = new AttributeReader(text);
  for (const { 1: slash, 2: name, index } of text.matchAll(/<(\/?)([A-Za-z][^\s/><"'=`]*)/g)) {
    const start = index + 1 + slash!.length + name!.length;
    const { attributes, end } = reader.readFrom(start);
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

type Attribute = WrittenTag["attributes"][number];

/** What stands at one place of a tag: an attribute, or `null` for the end of the tag; and where the next one begins. */
type TagPart = { readonly attribute: Attribute | null; readonly next: number };

/**
 * Attributes as HTML tokenises them: names up to white space, `/`, `=` or `>`; values quoted or up to white space. A tag
 * without an end reads on into the next ones, so each attribute is parsed once.
 */
class AttributeReader {
  readonly #text: string;
  readonly #parts = new Map<number, TagPart | null>();
  // An equals sign that begins a name is a part of it.
  readonly #shape = /[\s/]*(?:(>)|(=?[^\s/>=]+|=)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?)/y;

  constructor(text: string) {
    this.#text = text;
  }

  readFrom(from: number): { attributes: Attribute[]; end: number } {
    const attributes: Attribute[] = [];
    const limit = Math.min(this.#text.length, from + longestTag);
    let at = from;
    for (;;) {
      const part = at < limit ? this.#partAt(at) : null;
      // At the end of the text a tag may be open: another program may put text behind it.
      if (!part)
        return { attributes: at < this.#text.length ? [...attributes, unread] : attributes, end: at };
      at = part.next;
      if (part.attribute === null) return { attributes, end: at };
      // A tag of more attributes is not read on.
      if (attributes.length === mostAttributes) return { attributes: [...attributes, unread], end: at };
      attributes.push(part.attribute);
    }
  }

  #partAt(at: number): TagPart | null {
    let part = this.#parts.get(at);
    if (part === undefined) this.#parts.set(at, (part = this.#scan(at)));
    return part;
  }

  #scan(at: number): TagPart | null {
    this.#shape.lastIndex = at;
    const found = this.#shape.exec(this.#text);
    if (!found) return null;
    const [, end, name = "", quoted, single, bare] = found;
    const attribute = end ? null : { name: name.toLowerCase(), value: quoted ?? single ?? bare ?? "" };
    return { attribute, next: this.#shape.lastIndex };
  }
}
