/** A sentence, a table row, a heading or a line of code, with its line (from 0) and its block. */
export type Piece = {
  readonly text: string;
  readonly line: number;
  /** Pieces of one paragraph, list entry, table row or sample share a block. */
  readonly block: number;
  readonly kind: "prose" | "code";
};

export function isInsideFence({ kind }: Piece): boolean {
  return kind === "code";
}

/** A heading with marks before it, or with a line of marks below it. */
export function isHeading({ text }: Pick<Piece, "text">): boolean {
  return /^\s*(?:#{1,6}|={1,6})\s|^[^\n|]{1,200}?\s(?:={3,}|-{3,}|~{3,}|\^{3,}|"{3,}|\*{3,}|\+{3,})$/.test(
    text,
  );
}

/**
 * Cuts a section into pieces. Sentences may go over line ends; code is cut line by line. A section may begin inside a
 * sample that opens above it.
 */
export function piecesOf(text: string, opened: OpenSample | null = null): Piece[] {
  return new PieceScanner(opened).scan(text);
}

/** The sample that is still open at the end of a text; `null` where there is none. */
export function openSampleAt(text: string): OpenSample | null {
  const scanner = new PieceScanner(null);
  scanner.scan(text);
  return scanner.sample();
}

/** A sample whose end has not come yet: a fence with its mark, a Liquid block, or lines that are indented deeper. */
export type OpenSample =
  | { readonly is: "fence"; readonly mark: string }
  | { readonly is: "liquid" }
  | { readonly is: "indented"; readonly indent: number };

type TextLine = { readonly text: string; readonly line: number };

class PieceScanner {
  readonly #pieces: Piece[] = [];
  #block = 0;
  #sample: OpenSample | null;
  #paragraph: TextLine[] = [];

  constructor(opened: OpenSample | null) {
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
    if (closes(sample, content)) {
      this.#sample = null;
      return sample.is !== "indented";
    }
    if (content.trim() !== "")
      this.#pieces.push({ text: content.trim(), line, block: this.#block, kind: "code" });
    return true;
  }

  #readProse(content: string, line: number): void {
    const opened = opens(content);
    if (opened !== null) {
      // The words before a literal block stand on the line that opens it.
      if (opened.is === "indented" && !/^\s*\.\.\s/.test(content))
        this.#paragraph.push({ text: content, line });
      this.#flush();
      this.#sample = opened;
      this.#block++;
    } else if (content.trim() === "") this.#flush();
    else {
      if (beginsBlock.test(content)) this.#flush();
      this.#paragraph.push({ text: content, line });
      if (/^\s*#{1,6}\s|^={1,6}\s|^\s*\|/.test(content) || underline.test(content)) this.#flush();
    }
  }

  #flush(): void {
    if (this.#paragraph.length > 0) this.#pieces.push(...cutSentences(this.#paragraph, ++this.#block));
    this.#paragraph = [];
  }
}

/** The line below a heading. */
const underline = /^(?:={3,}|-{3,}|~{3,}|\^{3,}|"{3,}|\*{3,}|\+{3,})\s*$/;

/** A list entry, a heading, a table row, or a row or block of HTML. */
const beginsBlock =
  /^\s*(?:[-*+]|\d+[.)])\s|^\s*#{1,6}\s|^\s*\||^\s*<\/?(?:tr|li|dt|dd|h[1-6]|table|tbody|thead|ul|ol|dl|div|details|section)\b/i;

/** The sample that a line opens: a fence, `{% highlight %}`, `.. code-block::`, or a literal block after `::`. */
function opens(line: string): OpenSample | null {
  const mark = fenceMark(line);
  if (mark !== "") return { is: "fence", mark };
  if (/^\s*\{%-?\s*highlight\b/.test(line)) return { is: "liquid" };
  if (/^\s*\.\.\s+(?:code-block|sourcecode|code|parsed-literal)::|(?:^|[^:]):: *$/.test(line))
    return { is: "indented", indent: indentOf(line) };
  return null;
}

function closes(sample: OpenSample, line: string): boolean {
  switch (sample.is) {
    case "fence":
      return fenceMark(line).startsWith(sample.mark);
    case "liquid":
      return /\{%-?\s*endhighlight\b/.test(line);
    case "indented":
      return line.trim() !== "" && indentOf(line) <= sample.indent;
  }
}

function fenceMark(line: string): string {
  return /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)![0].length;
}

const betweenSentences = /(?<=[.!?:]["')\]*_`]*)\s+(?=["'(*_`[]*[\p{Lu}`])/u;

function cutSentences(lines: readonly TextLine[], block: number): Piece[] {
  const pieces: Piece[] = [];
  let open = "";
  let start = lines[0]?.line ?? 0;
  const close = (): void => {
    if (open !== "") pieces.push({ text: open, line: start, block, kind: "prose" });
    open = "";
  };
  for (const { text, line } of lines) {
    // The cells of a row say one thing together, and so do the words of a heading.
    const parts = /^\s*(?:\||#{1,6}\s|={1,6}\s)/.test(text)
      ? [text.trim()]
      : text.trim().split(betweenSentences);
    if (open !== "" && betweenSentences.test(`${open} ${parts[0]}`)) close();
    for (const [i, part] of parts.entries()) {
      // The number of a list entry is no sentence.
      if (i > 0 && !/^\d+[.)]$/.test(open)) close();
      if (open === "") start = line;
      open = open === "" ? part : `${open} ${part}`;
    }
  }
  close();
  return pieces;
}
