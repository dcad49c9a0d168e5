import type { Block } from "../../../syntax/formats/document.ts";
import { outlineDocument } from "../../../syntax/formats/outline.ts";
import { indexLines, lineAt } from "../../../text/model/lines.ts";

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

/** The page of a section, whose format says what is a sample, and its text above the section. */
export type SectionStart = { readonly path?: string | undefined; readonly above?: string | undefined };

/** Cuts a section into pieces by the outline of its page. Sentences may go over line ends; code is cut line by line. */
export function piecesOf(text: string, { path = "page.md", above = "" }: SectionStart = {}): Piece[] {
  if (text === "") return [];
  const page = above + text;
  const lines = indexLines(page);
  const first = lineAt(lines, above.length);
  const { blocks } = outlineDocument(path, page);
  const owners = ownersOf(blocks, (offset) => lineAt(lines, offset));
  const texts = lines.starts.map((start, at) => page.slice(start, lines.starts[at + 1]).trimEnd());
  const groups: { readonly owner: number; readonly lines: TextLine[] }[] = [];
  let isLiquid = false;
  for (const [at] of texts.entries()) {
    isLiquid = isLiquid
      ? !/\{%-?\s*endhighlight\b/.test(texts[at]!)
      : /^\s*\{%-?\s*highlight\b/.test(texts[at]!);
    if (at < first) continue;
    const owner = isLiquid ? liquid : (owners[at] ?? -1);
    const line = { text: texts[at]!, line: at - first };
    const last = groups.at(-1);
    if (last && owner !== -1 && last.owner === owner) last.lines.push(line);
    else if (line.text.trim() !== "") groups.push({ owner, lines: [line] });
  }
  return groups.flatMap(({ owner, lines: own }, block) =>
    owner === liquid
      ? own.flatMap((one) => (one.text.trim() === "" ? [] : [codeLine(one, block)]))
      : piecesOfBlock(blocks[owner], own, block),
  );
}

/** The owner of the lines in a block of Liquid, which no outline knows. */
const liquid = -2;

function codeLine({ text, line }: TextLine, block: number): Piece {
  return { text: text.trim(), line, block, kind: "code" };
}

type TextLine = { readonly text: string; readonly line: number };

/** The innermost block on each line. Cells belong to their row. */
function ownersOf(blocks: readonly Block[], lineOf: (offset: number) => number): number[] {
  const owners: number[] = [];
  for (const [index, { kind, region }] of blocks.entries()) {
    if (kind === "table-cell") continue;
    const last = lineOf(Math.max(region.start, region.end - 1));
    for (let line = lineOf(region.start); line <= last; line++) owners[line] = index;
  }
  return owners;
}

function piecesOfBlock(owner: Block | undefined, lines: readonly TextLine[], block: number): Piece[] {
  if (owner?.kind === "code-fence" || owner?.kind === "html") return piecesOfLines(owner, lines, block);
  if (owner?.kind === "paragraph") return cutSentences(lines, block);
  const text = lines.map((one) => one.text.trim()).join(" ");
  const [{ line }, last] = [lines[0]!, lines.at(-1)!];
  const piece: Piece = { text, line, block, kind: "prose" };
  return [last.line > line ? { ...piece, lastLine: last.line } : piece];
}

/**
 * Lines of code and of elements. The line that opens a fence is a piece where it says more than that, and the one that
 * closes it is none.
 */
function piecesOfLines(owner: Block, lines: readonly TextLine[], block: number): Piece[] {
  const isFence = owner.kind === "code-fence";
  let isCode = isFence;
  return lines.flatMap(({ text, line }, at): Piece[] => {
    const words = text.trim();
    const isEdge = isFence && (at === 0 || at === lines.length - 1) && bareMark.test(words);
    if (words === "" || isEdge) return [];
    const last = isFence ? undefined : Array.from(words.matchAll(codeElement), ([tag]) => tag).at(-1);
    const opens = last !== undefined && !last.startsWith("</");
    const kind = isCode || opens ? "code" : "prose";
    if (last !== undefined) isCode = opens;
    return [{ text: words, line, block, kind }];
  });
}

/** The marks around a fence or a listing, without the name of a language. */
const bareMark = /^[\s>]*(?:`{3,}|~{3,}|-{4,}|\.{4,})$/;
const codeElement = /<\/?(?:pre|code)\b/gi;

const betweenSentences = /(?<=[.!?:]["')\]*_`]*)\s+(?=["'(*_`[]*[\p{Lu}`])/u;

/** Marks that may follow the end of a sentence are few. */
const longestEnd = 40;

/** Whether a text has an odd number of back-ticks: it ends inside a code span, or inside none where it began in one. */
function isOdd(text: string): boolean {
  return text.split("`").length % 2 === 0;
}

/** Sentences without an end inside a code span: `action: Object`. */
function joinSpans(parts: readonly string[]): string[] {
  const groups: string[][] = [];
  let isOpen = false;
  for (const part of parts) {
    if (isOpen) groups.at(-1)!.push(part);
    else groups.push([part]);
    isOpen = isOpen !== isOdd(part);
  }
  return groups.map((group) => group.join(" "));
}

function cutSentences(lines: readonly TextLine[], block: number): Piece[] {
  const pieces: Piece[] = [];
  let open = "";
  let start = lines[0]?.line ?? 0;
  let last = start;
  let end = "";
  let isOpen = false;
  const close = (): void => {
    if (open !== "") {
      const piece: Piece = { text: open, line: start, block, kind: "prose" };
      pieces.push(last > start ? { ...piece, lastLine: last } : piece);
    }
    open = "";
    isOpen = false;
  };
  for (const { text, line } of lines) {
    // The cells of a row say one thing together, and so do the words of a heading or of a mark of reStructuredText.
    const parts = /^\s*(?:\||#{1,6}\s|={1,6}\s|\.\.\s)/.test(text)
      ? [text.trim()]
      : joinSpans(text.trim().split(betweenSentences));
    // Only the end of what is open matters: a paragraph may have thousands of lines.
    if (open !== "" && !isOpen && betweenSentences.test(`${end} ${parts[0]}`)) close();
    for (const [i, part] of parts.entries()) {
      // The number of a list entry is no sentence.
      if (i > 0 && !/^\d+[.)]$/.test(open)) close();
      if (open === "") start = line;
      last = line;
      isOpen = isOpen !== isOdd(part);
      open = open === "" ? part : `${open} ${part}`;
      end = part.slice(-longestEnd);
    }
  }
  close();
  return pieces;
}
