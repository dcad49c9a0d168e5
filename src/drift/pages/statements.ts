import type { Block, Outline } from "../../syntax/formats/document.ts";
import { defined } from "../../text/model/defined.ts";
import type { Region } from "../../text/model/region.ts";
import type { DocumentPage } from "../change/change-model.ts";
import { fold } from "../change/names.ts";
import { tokenise } from "../change/tokens.ts";
import { isDescription } from "./page.ts";

/** A name that a statement writes as code. */
export type Named = {
  readonly name: string;
  /** What stands before it with dots: `client` in `client.timeout`. */
  readonly owner: readonly string[];
  readonly region: Region;
  /** It is a flag as a reader types it. */
  readonly isFlag: boolean;
};

/** A sentence, a row of a table or a line of a sample: the stretch of a page that says one thing. */
export type Statement = {
  readonly page: DocumentPage;
  readonly region: Region;
  readonly place: "sentence" | "row" | "code" | "signature";
  /** Of a row: its cells, each with the words of its column's header. */
  readonly cells?: readonly Cell[];
  /** Names in code, in their order. */
  readonly names: readonly Named[];
  /** Names that the statement is filed under: its list item, its term, its directive; the nearest first. */
  readonly leads: readonly Named[];
  /** Of a line of a sample: the paragraph directly above the sample. */
  readonly introduction?: Region;
  /** The headings above it, the nearest first. */
  readonly headings: readonly Region[];
};

export type Cell = { readonly region: Region; readonly header: string };

/** The statements of a page in their order. */
export function readStatements(page: DocumentPage): readonly Statement[] {
  const known = read.get(page);
  if (known) return known;
  const statements = new StatementReader(page, page.outline()).read();
  read.set(page, statements);
  return statements;
}

/** The headings of a page as statements. */
export function readHeadings(page: DocumentPage): readonly Statement[] {
  return new StatementReader(page, page.outline()).headings();
}

/** The statement that holds an offset of the page. */
export function statementAt(page: DocumentPage, at: number): Statement | undefined {
  const statements = readStatements(page);
  const regions = starts.get(page) ?? statements.map(({ region }) => region);
  starts.set(page, regions);
  const found = statements[firstFrom(regions, at + 1) - 1];
  return found && at <= found.region.end ? found : undefined;
}

const starts = new WeakMap<DocumentPage, readonly Region[]>();
const read = new WeakMap<DocumentPage, readonly Statement[]>();

/** Samples that draw a picture: their words are labels. */
const DRAWINGS: ReadonlySet<string> = new Set(["mermaid", "plantuml", "dot", "graphviz", "d2", "ditaa"]);

class StatementReader {
  readonly #page: DocumentPage;
  readonly #outline: Outline;
  readonly #codes: readonly Region[];
  readonly #chains = new Map<number, readonly Region[]>();
  readonly #headers = new Map<number, readonly string[]>();
  readonly #firstParagraphs = new Map<number, number>();

  constructor(page: DocumentPage, outline: Outline) {
    this.#page = page;
    this.#outline = outline;
    const spans = outline.spans.filter(({ kind }) => kind === "code").map(({ content }) => content);
    this.#codes = [...spans, ...this.#markedCode()].sort((a, b) => a.start - b.start);
  }

  read(): Statement[] {
    const { blocks } = this.#outline;
    blocks.forEach(({ kind, parent, header, table, content }, at) => {
      if (kind === "paragraph" && parent !== undefined && !this.#firstParagraphs.has(parent))
        this.#firstParagraphs.set(parent, at);
      if (kind === "table-cell" && header && table !== undefined)
        this.#headers.set(table, [...(this.#headers.get(table) ?? []), this.#text(content)]);
    });
    return blocks.flatMap((block, at) => {
      if (block.kind === "paragraph" || block.kind === "html" || block.kind === "definition")
        return this.#sentences(block, at);
      if (block.kind === "table-row" && !block.header) return [this.#row(block, at)];
      if (block.kind === "code-fence") return this.#lines(block, blocks[at - 1]);
      if (block.kind === "admonition" && isDescription(block)) return this.#signature(block);
      return [];
    });
  }

  headings(): Statement[] {
    return this.#outline.blocks.flatMap((block) => {
      if (block.kind !== "heading") return [];
      const region = block.content;
      const text = this.#text(region).trim();
      const names = /^[\w.$:#-]+(?:\(.*\))?$/.test(text) ? this.#namesIn(region) : this.#names(region);
      return [this.#statement({ region, place: "sentence", names, leads: [] }, block)];
    });
  }

  /** Code that HTML marks, which no span of the outline covers. */
  #markedCode(): Region[] {
    const html = this.#outline.blocks.filter(({ kind }) => kind === "html");
    return html.flatMap(({ content }) =>
      Array.from(this.#text(content).matchAll(/<code>([^<]*)<\/code>/g), (match) => {
        const start = content.start + match.index + "<code>".length;
        return { start, end: start + match[1]!.length };
      }),
    );
  }

  #sentences(block: Block, at: number): Statement[] {
    const { content } = block;
    const text = this.#text(content);
    const term = termOf(text);
    const leads = [
      ...(term === null ? [] : this.#term({ start: content.start, end: content.start + term })),
      ...this.#leads(block, at),
    ];
    const html = block.kind === "html";
    let shownTerm: readonly Named[] = [];
    let headers: readonly string[] = [];
    return cutSentences(text, html).map(({ start, end }) => {
      const region = { start: content.start + start, end: content.start + end };
      const names = this.#names(region);
      const isTerm = html && /^\s*<dt\b/i.test(text.slice(start, end));
      if (isTerm) shownTerm = names;
      const cells = html ? cellsOf(text.slice(start, end), region.start) : [];
      if (cells.length > 1) {
        if (/<th\b/i.test(text.slice(start, end))) headers = cells.map((cell) => this.#text(cell));
        const held = cells.map((cell, index) => ({ region: cell, header: headers[index] ?? "" }));
        return this.#statement(
          { region, place: "row", names, leads: this.#namesIn(cells[0]!), cells: held },
          block,
        );
      }
      return this.#statement({ region, place: "sentence", names, leads: [...shownTerm, ...leads] }, block);
    });
  }

  /** The names of a term. One word needs no marks. */
  #term(region: Region): Named[] {
    const names = this.#names(region);
    return names.length > 0 || /\s/.test(this.#text(region).trim()) ? names : this.#namesIn(region);
  }

  #row(block: Block, at: number): Statement {
    const cells: Cell[] = [];
    for (let next = at + 1; this.#outline.blocks[next]?.parent === at; next++) {
      const { content, depth = 0 } = this.#outline.blocks[next]!;
      cells.push({ region: content, header: this.#headers.get(block.table ?? -1)?.[depth] ?? "" });
    }
    const names = this.#names(block.region);
    const first = cells[0];
    const bare = first && names.every(({ region }) => region.start >= first.region.end);
    const lead = bare ? this.#namesIn(first.region) : [];
    return this.#statement({ region: block.region, place: "row", names, leads: lead, cells }, block);
  }

  #lines(block: Block, above: Block | undefined): Statement[] {
    const { start, end } = block.content;
    if (DRAWINGS.has(block.language ?? "")) return [];
    const introduction = above?.kind === "paragraph" ? above.content : undefined;
    return linesOf(this.#page.text, start, end).map((region) => ({
      ...this.#statement({ region, place: "code", names: this.#namesIn(region), leads: [] }, block),
      ...defined({ introduction }),
    }));
  }

  /** The line of a directive that describes a thing: `.. function:: connect(host, port=80)`. */
  #signature(block: Block): Statement[] {
    const [region] = linesOf(this.#page.text, block.region.start, block.region.end);
    if (!region) return [];
    // The name of the directive is a word of the format.
    const own = /^\s*(?:\.\.\s+)?[\w:-]+::/.exec(this.#page.text.slice(region.start, region.end));
    const from = region.start + (own?.[0].length ?? 0);
    const names = this.#namesIn({ start: from, end: region.end });
    return [this.#statement({ region, place: "signature", names, leads: [] }, block)];
  }

  #statement(own: Omit<Statement, "page" | "headings">, { section }: Block): Statement {
    return { page: this.#page, ...own, headings: this.#chain(section) };
  }

  /** Names that open the list items and directives around a block. */
  #leads({ parent }: Block, at: number): Named[] {
    const found: Named[] = [];
    for (let outer = parent; outer !== undefined; outer = this.#outline.blocks[outer]?.parent) {
      const block = this.#outline.blocks[outer]!;
      const first = this.#firstParagraphs.get(outer);
      if (block.kind === "admonition") {
        const [line] = linesOf(this.#page.text, block.region.start, block.region.end);
        if (line) found.push(...this.#namesIn(line));
      } else if (first !== undefined) {
        const head = this.#outline.blocks[first]!.content;
        const names = this.#names(head);
        const [opening] = names;
        if (opening && (first !== at || this.#opens(head, opening.region)))
          found.push(...names.filter(({ region }) => region.end === opening.region.end));
      }
    }
    return found;
  }

  /** An item is about the name that opens it, not about one in its middle: "The `name`", ".B \-\-name". */
  #opens(head: Region, { start }: Region): boolean {
    const before = this.#page.text.slice(head.start, Math.min(start, head.start + LONGEST));
    return before.replace(/[^\p{L}\s]/gu, "").length < LEAD;
  }

  #chain(section: number): readonly Region[] {
    if (section < 0) return [];
    const known = this.#chains.get(section);
    if (known) return known;
    const heading = this.#outline.blocks[section]!;
    let outer = heading.section;
    while (outer >= 0 && (this.#outline.blocks[outer]!.depth ?? 0) >= (heading.depth ?? 0))
      outer = this.#outline.blocks[outer]!.section;
    const chain = [heading.content, ...this.#chain(outer)];
    this.#chains.set(section, chain);
    return chain;
  }

  #names({ start, end }: Region): Named[] {
    const found: Named[] = [];
    for (let at = firstFrom(this.#codes, start); at < this.#codes.length; at++) {
      const code = this.#codes[at]!;
      if (code.start >= end) break;
      found.push(...this.#namesIn(code));
    }
    return found;
  }

  #namesIn({ start, end }: Region): Named[] {
    return namesOf(this.#page.text.slice(start, Math.min(end, start + LONGEST)), start);
  }

  #text({ start, end }: Region): string {
    return this.#page.text.slice(start, end);
  }
}

const LEAD = 5;
const LONGEST = 2000;

/** The names of a piece of code: words with their owner, flags without their dashes. */
export function namesOf(code: string, offset = 0): Named[] {
  const found: Named[] = [];
  for (const match of code.matchAll(NAME)) {
    const path = match[0].replace(/^-+|::class$/g, "");
    const parts = path.split(/\.|::|#|\\/).filter(Boolean);
    const name = parts.at(-1) ?? path;
    const end = offset + match.index + match[0].replace(/::class$/, "").length;
    const isFlag = match[0].startsWith("-");
    found.push({ name, owner: parts.slice(0, -1), region: { start: end - name.length, end }, isFlag });
    // A variable of shells, PHP or Perl is declared without its sign.
    if (name.startsWith("$") && name.length > 1)
      found.push({ name: name.slice(1), owner: [], region: { start: end - name.length + 1, end }, isFlag });
    if (parts.length > 1 && /^[\w.-]+$/.test(path))
      found.push({ name: path, owner: [], region: { start: end - path.length, end }, isFlag });
  }
  const joined = /^[A-Za-z][\w-]*(?::[A-Za-z][\w-]*)+$/.exec(code.trim())?.[0];
  if (joined !== undefined) {
    const start = offset + code.indexOf(joined);
    found.push({ name: joined, owner: [], region: { start, end: start + joined.length }, isFlag: false });
  }
  return found;
}

const NAME = /(?<![\w-])-{0,2}[\p{L}_$][\w$-]*(?:(?:\.|::|#|\\(?=\p{Lu}))[\p{L}_$][\w$-]*)*/gu;

/** The end of a definition's term: a first line that is followed by `: …`. */
function termOf(text: string): number | null {
  const end = text.indexOf("\n");
  return end > 0 && /^\s*:\s/.test(text.slice(end + 1, end + 12)) ? end : null;
}

/** The cells of a row that HTML writes on one line. */
function cellsOf(line: string, offset: number): Region[] {
  return Array.from(line.matchAll(/<t([dh])\b[^<>]*>(.*?)<\/t\1>/gi), ({ 0: whole, 2: cell = "", index }) => {
    const start = offset + index + whole.indexOf(">") + 1;
    return { start, end: start + cell.length };
  });
}

/** Sentences of a paragraph; of HTML, its elements. A sentence may cross lines; one that does not end is cut. */
function cutSentences(text: string, html: boolean): Region[] {
  const found: Region[] = [];
  let start = 0;
  const ends = Array.from(
    text.matchAll(html ? /\n/g : SENTENCE_END),
    (match) => match.index + match[0].length,
  );
  for (const end of [...ends, text.length]) {
    while (end - start > LONGEST) {
      const space = text.lastIndexOf(" ", start + LONGEST);
      const cut = space > start ? space + 1 : start + LONGEST;
      found.push({ start, end: cut });
      start = cut;
    }
    if (start < end) found.push({ start, end });
    start = end;
  }
  return found;
}

const SENTENCE_END = /[.!?](?=\s+[\p{Lu}`*"'([<_:-])|\n(?=\s*:\s)/gu;

function linesOf(text: string, start: number, end: number): Region[] {
  const found: Region[] = [];
  for (let at = start; at < end; ) {
    const next = text.indexOf("\n", at);
    const stop = next < 0 || next > end ? end : next;
    if (stop > at) found.push({ start: at, end: stop });
    at = stop + 1;
  }
  return found;
}

/** The position of the first region that begins at an offset or after it; regions stand in their order. */
export function firstFrom(regions: readonly Region[], start: number): number {
  let low = 0;
  let high = regions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (regions[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The folded words of a heading, and the heading as one word. */
export function headingWords(page: DocumentPage, { start, end }: Region): ReadonlySet<string> {
  const text = page.text.slice(start, end);
  const words = tokenise(text).flatMap(({ kind, text: word }) => (kind === "name" ? [fold(word)] : []));
  return new Set([fold(text), ...words]);
}
