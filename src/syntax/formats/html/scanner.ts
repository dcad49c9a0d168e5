import type { Region } from "../../../text/model/region.ts";
import { BlockList } from "../block-list.ts";
import { trimRegion } from "../characters.ts";
import type { Block, Span } from "../document.ts";
import { attributeOf, type Tag, tagAt } from "./tag.ts";

/** Elements that become blocks. */
const KINDS: ReadonlyMap<string, Block["kind"]> = new Map([
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, "heading"] as const),
  ["pre", "code-fence"],
  ["li", "list-item"],
  ["dt", "list-item"],
  ["dd", "list-item"],
  ["blockquote", "quote"],
  ["tr", "table-row"],
  ["td", "table-cell"],
  ["th", "table-cell"],
]);

/** Elements that an opening tag of the same kind ends, up to the list or table that holds them. */
const IMPLIED: ReadonlyMap<string, RegExp> = new Map([
  ["li", /^(?:ul|ol|menu)$/],
  ["dt", /^dl$/],
  ["dd", /^dl$/],
  ["tr", /^table$/],
  ["td", /^(?:table|tr)$/],
  ["th", /^(?:table|tr)$/],
]);

/** Elements that never occur in a heading: they end one that was left open. */
const ENDS_HEADING = /^(?:h[1-6]|p|ul|ol|dl|table|pre|blockquote)$/;

/** Elements inside a line: they do not end a paragraph. */
const INLINE =
  /^(?:a|abbr|b|bdi|bdo|br|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|tt|u|var|wbr)$/;

/** Elements whose text is not the page's. */
const OPAQUE = /^(?:script|style|template|svg|textarea)$/;

/** Deeper nesting than people write is read as if it were not there, which keeps the work per tag bounded. */
const DEEPEST = 200;
const DEEPEST_INLINE = 20;

type OpenElement = { readonly name: string; readonly block: number | undefined };

/** Reads an HTML page tag by tag. Elements that are never closed end where the one that holds them does. */
export class HtmlScanner {
  readonly list: BlockList = new BlockList();
  readonly spans: Span[] = [];
  readonly #text: string;
  readonly #open: OpenElement[] = [];
  /** Where the text that belongs to no block yet began. */
  #proseStart = -1;
  #pending: { readonly tag: Tag; readonly kind: Span["kind"] }[] = [];
  #ready: Omit<Span, "block">[] = [];
  /** The first row of the table that is being read, and the cells of the row that is. */
  #table: number | undefined;
  #cells = 0;
  /** Closing marks that were looked for and not found, so that they are looked for only once. */
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  read(): this {
    let at = this.#text.charCodeAt(0) === 0xfeff ? 1 : 0;
    while (at < this.#text.length) {
      const next = this.#text.indexOf("<", at);
      const stop = next < 0 ? this.#text.length : next;
      if (stop > at && this.#proseStart < 0 && /\S/.test(this.#text.slice(at, stop))) this.#proseStart = at;
      at = next < 0 ? stop : this.#readMarkup(next);
    }
    this.#closeDownTo(0, this.#text.length);
    return this;
  }

  #readMarkup(at: number): number {
    if (this.#text.startsWith("<!--", at)) return this.#readComment(at);
    if (this.#text[at + 1] === "!" || this.#text[at + 1] === "?")
      return this.#indexAfter(">", at + 1) ?? at + 1;
    const tag = tagAt(this.#text, at);
    if (!tag) {
      if (this.#proseStart < 0) this.#proseStart = at;
      return at + 1;
    }
    if (INLINE.test(tag.name)) this.#readInline(tag);
    else if (tag.closing) this.#closeElement(tag);
    else if (OPAQUE.test(tag.name)) return this.#skipElement(tag);
    else this.#openElement(tag);
    return tag.region.end;
  }

  #indexAfter(mark: string, from: number): number | undefined {
    if (this.#missing.has(mark)) return undefined;
    const found = this.#text.indexOf(mark, from);
    if (found < 0) this.#missing.add(mark);
    return found < 0 ? undefined : found + mark.length;
  }

  #readComment(at: number): number {
    const end = this.#indexAfter("-->", at + 4);
    if (end === undefined) return at + 4;
    this.#endProse(at);
    const block = this.list.add("comment", { start: at, end }, this.#holder());
    this.list.blocks[block]!.content = trimRegion(this.#text, at + 4, end - 3);
    return end;
  }

  #skipElement({ name, region }: Tag): number {
    this.#endProse(region.start);
    const end = this.#indexAfter(`</${name}>`, region.end);
    if (end === undefined) return region.end;
    this.list.add("html", { start: region.start, end }, this.#holder());
    return end;
  }

  #openElement(tag: Tag): void {
    this.#endProse(tag.region.start);
    const { name, region } = tag;
    const stop = IMPLIED.get(name);
    if (stop) this.#closeImplied(name, stop, region.start);
    if (ENDS_HEADING.test(name)) this.#closeHeading(region.start);
    if (this.#open.length >= DEEPEST) return;
    const kind = KINDS.get(name);
    const block = kind && this.list.add(kind, region, this.#holder());
    if (block !== undefined) this.#describe(block, tag);
    if (name === "table") this.#table = undefined;
    this.#open.push({ name, block });
  }

  #describe(block: number, tag: Tag): void {
    const made = this.list.blocks[block]!;
    made.content = { start: tag.region.end, end: tag.region.end };
    if (made.kind === "heading") {
      made.depth = Number(tag.name[1]);
      const id = attributeOf(this.#text, tag, "id");
      if (id) made.slug = this.#text.slice(id.start, id.end);
      this.list.beginSection(block);
    } else if (made.kind === "code-fence") {
      made.fence = "";
      this.#nameLanguage(block, this.#text.slice(tag.attributes.start, tag.attributes.end));
    } else if (made.kind === "table-row") {
      made.table = this.#table ??= block;
      this.#cells = 0;
    } else if (made.kind === "table-cell") this.#describeCell(block, tag);
  }

  #describeCell(block: number, { name }: Tag): void {
    const made = this.list.blocks[block]!;
    made.depth = this.#cells++;
    if (this.#table !== undefined) made.table = this.#table;
    if (name === "th") made.header = true;
  }

  #closeImplied(name: string, stop: RegExp, at: number): void {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const { name: other } = this.#open[index]!;
      if (stop.test(other)) return;
      if (other === name || (IMPLIED.get(other) === stop && IMPLIED.has(other))) {
        this.#closeDownTo(index, at);
        return;
      }
    }
  }

  #closeHeading(at: number): void {
    const index = this.#open.findLastIndex(({ name }) => KINDS.get(name) === "heading");
    if (index >= 0) this.#closeDownTo(index, at);
  }

  #closeElement({ name, region }: Tag): void {
    this.#endProse(region.start);
    const index = this.#open.findLastIndex((element) => element.name === name);
    if (index < 0) return;
    this.#closeDownTo(index + 1, region.start);
    const { block } = this.#open.pop()!;
    if (block !== undefined) this.#finish(block, region.start, region.end);
  }

  /** Ends every open element above `count`: these have no closing tag. */
  #closeDownTo(count: number, at: number): void {
    this.#endProse(at);
    while (this.#open.length > count) {
      const { block } = this.#open.pop()!;
      if (block !== undefined) this.#finish(block, at, at);
    }
  }

  #finish(block: number, contentEnd: number, end: number): void {
    const made = this.list.blocks[block]!;
    const start = made.content.start;
    made.region = { start: made.region.start, end };
    const inner = { start, end: Math.max(start, contentEnd) };
    made.content =
      made.kind === "code-fence"
        ? this.#codeInside(block, inner)
        : trimRegion(this.#text, inner.start, inner.end);
  }

  /** `<pre><code class="language-js">` holds its code in the inner element. */
  #codeInside(block: number, { start, end }: Region): Region {
    const opening = /^\s*<code\b([^<>]*)>/i.exec(this.#text.slice(start, Math.min(end, start + 500)));
    if (!opening) return { start, end };
    this.#nameLanguage(block, opening[1]!);
    const from = start + opening[0].length;
    const closing = /<\/code>\s*$/i.exec(this.#text.slice(Math.max(from, end - 100), end));
    return { start: from, end: closing ? end - closing[0].length : end };
  }

  #nameLanguage(block: number, attributes: string): void {
    const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(attributes)?.[1];
    if (language) this.list.blocks[block]!.language = language;
  }

  #holder(): number | undefined {
    for (let index = this.#open.length - 1; index >= 0; index--)
      if (this.#open[index]!.block !== undefined) return this.#open[index]!.block;
    return undefined;
  }

  #readInline(tag: Tag): void {
    if (this.#proseStart < 0) this.#proseStart = tag.region.start;
    const { name, closing } = tag;
    if (name === "img" && !closing) this.#addLink("image", tag, tag.region, tag.region);
    else if (/^(?:a|code|kbd|samp|tt)$/.test(name)) {
      if (closing) this.#closeInline(tag);
      else if (this.#pending.length < DEEPEST_INLINE)
        this.#pending.push({ tag, kind: name === "a" ? "link" : "code" });
    }
  }

  #closeInline({ name, region }: Tag): void {
    const index = this.#pending.findLastIndex(({ tag }) => tag.name === name);
    if (index < 0) return;
    const { tag, kind } = this.#pending[index]!;
    this.#pending.length = index;
    const whole = { start: tag.region.start, end: region.end };
    const content = { start: tag.region.end, end: region.start };
    if (kind === "link") this.#addLink(kind, tag, whole, content);
    else this.#ready.push({ kind, region: whole, content });
  }

  #addLink(kind: "link" | "image", tag: Tag, region: Region, content: Region): void {
    const place = attributeOf(this.#text, tag, kind === "image" ? "src" : "href");
    if (!place) return;
    const destination = { value: this.#text.slice(place.start, place.end), region: place };
    this.#ready.push({ kind, region, content, destination });
  }

  /** Text since the last block becomes a paragraph, or the words of the heading, cell or code that is open. */
  #endProse(at: number): void {
    const region = this.#proseStart < 0 ? undefined : trimRegion(this.#text, this.#proseStart, at);
    const holder = this.#holder();
    const kind = holder === undefined ? undefined : this.list.blocks[holder]!.kind;
    if (region && region.end > region.start) {
      const block =
        kind === "heading" || kind === "code-fence" || kind === "table-cell"
          ? holder!
          : this.list.add("paragraph", region, holder);
      if (kind !== "code-fence")
        for (const span of this.#ready.sort((a, b) => a.region.start - b.region.start))
          this.spans.push({ ...span, block });
    }
    this.#proseStart = -1;
    this.#pending = [];
    this.#ready = [];
  }
}
