import { formatAt, isMarkdownPath } from "../../../syntax/formats/registry.ts";

/** A sentence, a table row, a heading or a line of code, with its lines (from 0) and its block. */
export type Piece = {
  readonly text: string;
  readonly line: number;
  /** The last line of a sentence that goes over several. */
  readonly lastLine?: number;
  /** Pieces of one paragraph, list entry, table row or sample share a block. */
  readonly block: number;
  readonly kind: "prose" | "code";
};

export function isInsideFence({ kind }: Piece): boolean {
  return kind === "code";
}

/** A heading with marks before it, or with a line of marks below it. A comment of a sample is none. */
export function isHeading({ text, kind }: Pick<Piece, "text"> & Partial<Pick<Piece, "kind">>): boolean {
  if (kind === "code") return false;
  return /^\s*(?:#{1,6}|={1,6})\s|^[^\n|]{1,200}?\s(?:={3,}|-{3,}|~{3,}|\^{3,}|"{3,}|\*{3,}|\+{3,})$/.test(
    text,
  );
}

/** Whether a piece stands on one of some lines. */
export function isWithin(
  { line, lastLine = line }: Piece,
  lines: { readonly firstLine: number; readonly lastLine: number },
): boolean {
  return line <= lines.lastLine && lastLine >= lines.firstLine;
}

/** The page of a section, whose format says what is a sample, and the sample that opens above the section. */
export type SectionStart = { readonly path?: string | undefined; readonly opened?: OpenSample | null };

/** Cuts a section into pieces. Sentences may go over line ends; code is cut line by line. */
export function piecesOf(text: string, start: SectionStart = {}): Piece[] {
  return new PieceScanner(start).scan(text);
}

/** The sample that is still open at the end of a text; `null` where there is none. */
export function openSampleAt(text: string, { path }: Pick<SectionStart, "path"> = {}): OpenSample | null {
  const scanner = new PieceScanner({ path });
  scanner.scan(text);
  return scanner.sample();
}

/**
 * A sample whose end has not come yet: a fence or a listing with its mark, a Liquid block, an element of HTML, or lines
 * that are indented deeper.
 */
export type OpenSample =
  | { readonly is: "fence"; readonly mark: string }
  | { readonly is: "listing"; readonly mark: string }
  | { readonly is: "liquid" }
  | { readonly is: "element"; readonly name: string }
  | { readonly is: "indented"; readonly indent: number };

type TextLine = { readonly text: string; readonly line: number };

class PieceScanner {
  readonly #pieces: Piece[] = [];
  readonly #style: SampleStyle;
  #block = 0;
  #sample: OpenSample | null;
  #paragraph: TextLine[] = [];
  /** Whether indented lines belong to an entry of a list, an admonition or an element, also to one above the section. */
  #isNested = true;

  constructor({ path, opened = null }: SectionStart) {
    this.#style = styleOf(path);
    this.#sample = opened;
  }

  sample(): OpenSample | null {
    return this.#sample;
  }

  scan(text: string): Piece[] {
    for (const [line, content] of text.split(/\r?\n/).entries())
      if (!this.#readCode(content, line)) this.#readProse(content, line);
    this.#flush();
    return this.#pieces;
  }

  /** Whether a line belongs to the open sample. */
  #readCode(content: string, line: number): boolean {
    const sample = this.#sample;
    if (sample === null) return false;
    const isLast = closes(sample, content);
    if (isLast) this.#sample = null;
    if (isLast && sample.is !== "element") return sample.is !== "indented";
    if (content.trim() !== "")
      this.#pieces.push({ text: content.trim(), line, block: this.#block, kind: "code" });
    return true;
  }

  #readProse(content: string, line: number): void {
    if (this.#style === "markdown") this.#nest(content);
    const opened = opens(content, this.#style) ?? this.#opensListing(content);
    const within = this.#isIndentedCode(content) ? indentedCode : opensElement(content);
    if (within !== null) {
      this.#flush();
      this.#sample = within;
      this.#block++;
      this.#readCode(content, line);
    } else if (opened !== null) {
      // The words before a literal block stand on the line that opens it.
      if (opened.is === "indented" && !/^\s*\.\.\s/.test(content))
        this.#paragraph.push({ text: content, line });
      this.#flush();
      this.#sample = opened;
      this.#block++;
    } else if (content.trim() === "") this.#flush();
    else {
      const isComment = this.#style === "asciidoc" && /^\/\/(?!\/)/.test(content);
      if (isComment || beginsBlock.test(content)) this.#flush();
      this.#paragraph.push({ text: content, line });
      if (isComment || /^\s*#{1,6}\s|^={1,6}\s|^\s*\|/.test(content) || underline.test(content))
        this.#flush();
    }
  }

  #nest(content: string): void {
    if (content.trim() === "" || indentOf(content) >= codeIndent) return;
    if (beginsContainer.test(content)) this.#isNested = true;
    else if (this.#paragraph.length === 0) this.#isNested = false;
  }

  #isIndentedCode(content: string): boolean {
    if (this.#style !== "markdown" || this.#isNested || this.#paragraph.length > 0) return false;
    return indentOf(content) >= codeIndent && !/^\s*(?:<|$)/.test(content);
  }

  /**
   * A listing, a literal block or a passthrough of AsciiDoc. A line of marks as long as the words above it makes a title
   * of them.
   */
  #opensListing(line: string): OpenSample | null {
    const mark = line.trimEnd();
    if (this.#style !== "asciidoc" || !/^(?:-{4,}|\.{4,}|\+{4,})$/.test(mark)) return null;
    const above = this.#paragraph.at(-1)?.text.trim() ?? "";
    const isTitle = above !== "" && !/^[[.]/.test(above) && Math.abs(above.length - mark.length) <= 2;
    return isTitle ? null : { is: "listing", mark };
  }

  #flush(): void {
    if (this.#paragraph.length > 0) this.#pieces.push(...cutSentences(this.#paragraph, ++this.#block));
    this.#paragraph = [];
  }
}

type SampleStyle = "markdown" | "asciidoc" | "underlined" | "other";

function styleOf(path: string | undefined): SampleStyle {
  if (path === undefined) return "other";
  if (isMarkdownPath(path)) return "markdown";
  return formatAt(path).name === "asciidoc" ? "asciidoc" : "underlined";
}

/** In Markdown, lines that are indented by this much are code. */
const codeIndent = 4;
const indentedCode: OpenSample = { is: "indented", indent: codeIndent - 1 };

/** An element of HTML for code that does not end on the line that it begins on. */
function opensElement(line: string): OpenSample | null {
  const code = line.replace(/`[^`]*`/g, "").toLowerCase();
  const begins = Array.from(code.matchAll(/<(pre|code)\b[^<>]*>/g), ({ 1: name, index }) => ({
    name: name!,
    index,
  }));
  const ends = { pre: code.lastIndexOf("</pre>"), code: code.lastIndexOf("</code>") };
  const open = begins.find(({ name, index }) => index > ends[name as keyof typeof ends]);
  return open === undefined ? null : { is: "element", name: open.name };
}

/** The beginning of something that indented paragraphs below it belong to. */
const beginsContainer = /^\s*(?:[-*+]|\d+[.)]|:)\s|^\s*(?:!!!|\?\?\?\+?|===)\s|^\s*\[\^[^\]]+\]:|^\s*</;

/** The line below a heading. */
const underline = /^(?:={3,}|-{3,}|~{3,}|\^{3,}|"{3,}|\*{3,}|\+{3,})\s*$/;

/** A list entry, a heading, a table row, or a row or block of HTML. */
const beginsBlock =
  /^\s*(?:[-*+]|\d+[.)])\s|^\s*#{1,6}\s|^\s*\||^\s*<\/?(?:tr|li|dt|dd|h[1-6]|table|tbody|thead|ul|ol|dl|div|details|section)\b/i;

/** The sample that a line opens: a fence, `{% highlight %}`, `.. code-block::`, or a literal block after `::`. */
function opens(line: string, style: SampleStyle): OpenSample | null {
  const mark = fenceMark(line);
  if (mark !== "" && !isUnderline(mark, style)) return { is: "fence", mark };
  if (/^\s*\{%-?\s*highlight\b/.test(line)) return { is: "liquid" };
  if (/^\s*\.\.\s+(?:code-block|sourcecode|code|parsed-literal)::|(?:^|[^:]):: *$/.test(line))
    return { is: "indented", indent: indentOf(line) };
  return null;
}

/** Tildes are a fence in Markdown. In other formats they stand below titles. */
function isUnderline(mark: string, style: SampleStyle): boolean {
  return mark.startsWith("~") && (style === "asciidoc" || style === "underlined");
}

function closes(sample: OpenSample, line: string): boolean {
  switch (sample.is) {
    case "fence":
      return fenceMark(line).startsWith(sample.mark);
    case "listing":
      return line.trimEnd() === sample.mark;
    case "liquid":
      return /\{%-?\s*endhighlight\b/.test(line);
    case "element":
      return line.toLowerCase().includes(`</${sample.name}>`);
    case "indented":
      return line.trim() !== "" && indentOf(line) <= sample.indent;
  }
}

/** The marks of a line that opens or closes a fence; empty for other lines. */
export function fenceMark(line: string): string {
  return /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)![0].replaceAll("\t", "    ").length;
}

const betweenSentences = /(?<=[.!?:]["')\]*_`]*)\s+(?=["'(*_`[]*[\p{Lu}`])/u;

/** Marks that may follow the end of a sentence are few. */
const longestEnd = 40;

function cutSentences(lines: readonly TextLine[], block: number): Piece[] {
  const pieces: Piece[] = [];
  let open = "";
  let start = lines[0]?.line ?? 0;
  let last = start;
  let end = "";
  const close = (): void => {
    if (open !== "") {
      const piece: Piece = { text: open, line: start, block, kind: "prose" };
      pieces.push(last > start ? { ...piece, lastLine: last } : piece);
    }
    open = "";
  };
  for (const { text, line } of lines) {
    // The cells of a row say one thing together, and so do the words of a heading or of a mark of reStructuredText.
    const parts = /^\s*(?:\||#{1,6}\s|={1,6}\s|\.\.\s)/.test(text)
      ? [text.trim()]
      : text.trim().split(betweenSentences);
    // Only the end of what is open matters: a paragraph may have thousands of lines.
    if (open !== "" && betweenSentences.test(`${end} ${parts[0]}`)) close();
    for (const [i, part] of parts.entries()) {
      // The number of a list entry is no sentence.
      if (i > 0 && !/^\d+[.)]$/.test(open)) close();
      if (open === "") start = line;
      last = line;
      open = open === "" ? part : `${open} ${part}`;
      end = part.slice(-longestEnd);
    }
  }
  close();
  return pieces;
}
