import type { Block, Outline } from "../../syntax/formats/document.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import type { Region } from "../../text/model/region.ts";
import { isDocumentPath } from "./policies.ts";

/** The position of a line on its page. It decides how strong a name on the line is as evidence. */
export type PageLine = {
  readonly text: string;
  /** Offset of the line's first character in the page. */
  readonly start: number;
  readonly place: "code" | "table" | "heading" | "list" | "prose" | "blank" | "front-matter" | "comment";
  /** Language of the fence around the line. */
  readonly language?: string;
  /** Regions of the line that are inline code, counted within the line. */
  readonly spans: readonly Region[];
};

export type Page = {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly PageLine[];
};

/**
 * A page line by line, by the reader of its format; the doc comments of a source file as plain lines with fences. The
 * outline is that of the whole file, where the text is a part of it.
 */
export function readPage(path: string, text: string, outline?: Outline): Page {
  const lines = isDocumentPath(path)
    ? new PageLines(text, outline ?? outlineDocument(path, text)).read()
    : readComments(text);
  return { path, text, lines };
}

type MutableLine = {
  text: string;
  start: number;
  place: PageLine["place"];
  language?: string;
  spans: Region[];
};

/** The lines of a document while its outline assigns their places. */
class PageLines {
  readonly #lines: MutableLine[];
  readonly #outline: Outline;

  constructor(text: string, outline: Outline) {
    this.#lines = cutLines(text).map((line) => ({
      ...line,
      place: line.text.trim() === "" ? "blank" : "prose",
      spans: [],
    }));
    this.#outline = outline;
  }

  read(): PageLine[] {
    for (const block of this.#outline.blocks) this.#place(block);
    for (const { kind, content } of this.#outline.spans) if (kind === "code") this.#addSpan(content);
    this.#placeDelimiters();
    return this.#lines;
  }

  /** The delimiter line below a table's header belongs to the table but is not a row. */
  #placeDelimiters(): void {
    for (const [at, line] of this.#lines.entries())
      if (line.place === "prose" && this.#lines[at - 1]?.place === "table" && DELIMITER.test(line.text))
        line.place = "table";
  }

  /** Outer blocks come first, so that the innermost block of a line decides. */
  #place(block: Block): void {
    const place = PLACES[block.kind];
    if (place) this.#set(block.region, place);
    else if (block.kind === "list-item") this.#setFirst(block.region, "list");
    else if (block.kind === "admonition" && isDescription(block)) this.#setFirst(block.region, "code");
    if (block.kind === "code-fence") this.#setCode(block);
  }

  #setCode({ content, language, fence, region }: Block): void {
    const body = fence === "" ? region : content;
    for (const line of this.#within(body)) {
      line.place = "code";
      line.language = language ?? "";
    }
  }

  #set(region: Region, place: PageLine["place"]): void {
    for (const line of this.#within(region)) if (line.text.trim() !== "") line.place = place;
  }

  #setFirst(region: Region, place: PageLine["place"]): void {
    const line = this.#lines[this.#lineAt(region.start)];
    if (line) line.place = place;
  }

  #addSpan({ start, end }: Region): void {
    for (const line of this.#within({ start, end })) {
      if (line.place === "code" || line.place === "front-matter") continue;
      const span = {
        start: Math.max(0, start - line.start),
        end: Math.min(line.text.length, end - line.start),
      };
      if (span.end > span.start) line.spans.push(span);
    }
  }

  *#within({ start, end }: Region): Iterable<MutableLine> {
    if (end <= start) return;
    for (let at = this.#lineAt(start); at < this.#lines.length && this.#lines[at]!.start < end; at++)
      yield this.#lines[at]!;
  }

  #lineAt(offset: number): number {
    return lastAtOrBefore(this.#lines, offset);
  }
}

/** Blocks that give all of their lines a place. The delimiters of a fence count as a comment. */
const PLACES: Partial<Record<Block["kind"], PageLine["place"]>> = {
  "front-matter": "front-matter",
  comment: "comment",
  heading: "heading",
  "table-row": "table",
  "code-fence": "comment",
};

const DELIMITER = /^\s*\|?[\s:|+=-]*-[\s:|+=-]*\|?\s*$/;

/** A directive that describes a thing of the code, such as `.. function:: name(a, b)`, not a note or a figure. */
export function isDescription({ language }: Block): boolean {
  return language !== undefined && DESCRIBING.test(language);
}

const DESCRIBING =
  /(?:^|:)(?:module|currentmodule|class|method|function|attribute|data|exception|setting|signal|reqmeta|command|option|envvar|auto\w+|describe|program|confval|staticmethod|classmethod|property|decorator|type|macro|struct|enum|member|var|cmdoption|directive|role)$/;

/** Doc comments at their positions in the file. Their indentation has no meaning. */
function readComments(text: string): PageLine[] {
  let fence: { readonly mark: string; readonly language: string } | null = null;
  return cutLines(text).map(({ text: line, start }) => {
    const mark = /^\s*(`{3,}|~{3,})\s*([^\s`{]*)/.exec(line);
    if (fence) {
      const { language } = fence;
      if (mark !== null && mark[1]!.startsWith(fence.mark) && !mark[2]) fence = null;
      else return { text: line, start, place: "code", language, spans: [] };
      return { text: line, start, place: "comment", spans: [] };
    }
    if (mark) {
      fence = { mark: mark[1]!, language: mark[2] ?? "" };
      return { text: line, start, place: "comment", spans: [] };
    }
    const place = line.trim() === "" ? "blank" : /^\s*[-*+]\s/.test(line) ? "list" : "prose";
    return { text: line, start, place, spans: findSpans(line) };
  });
}

function cutLines(text: string): { text: string; start: number }[] {
  const lines: { text: string; start: number }[] = [];
  let start = 0;
  for (const ending of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, ending.index), start });
    start = ending.index + ending[0].length;
  }
  lines.push({ text: text.slice(start), start });
  return lines;
}

function findSpans(line: string): Region[] {
  const spans: Region[] = [];
  for (const match of line.matchAll(/(?<!`)(`+)([^`]|[^`].*?[^`])\1(?!`)/g))
    spans.push({
      start: match.index + match[1]!.length,
      end: match.index + match[0].length - match[1]!.length,
    });
  return spans;
}

/** The line, counted from 0, that holds an offset of the page. */
export function lineAt({ lines }: Page, offset: number): number {
  return lastAtOrBefore(lines, offset);
}

function lastAtOrBefore(lines: readonly { readonly start: number }[], offset: number): number {
  let low = 0;
  let high = lines.length;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (lines[middle]!.start <= offset) low = middle;
    else high = middle;
  }
  return low;
}
