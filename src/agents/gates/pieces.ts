/** A sentence, a table row, a heading or a line of code, with its line (from 0) and its block. */
export type Piece = {
  readonly text: string;
  readonly line: number;
  /** Pieces of one paragraph, list entry or fence share a block. */
  readonly block: number;
  readonly kind: "prose" | "code";
};

export function isInsideFence({ kind }: Piece): boolean {
  return kind === "code";
}

/** Cuts a section into pieces. Sentences may go over line ends; code is cut line by line. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let block = 0;
  let fence = "";
  let paragraph: { text: string; line: number }[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) pieces.push(...cutSentences(paragraph, ++block));
    paragraph = [];
  };
  for (const [line, content] of text.split(/\r?\n/).entries()) {
    const mark = /^[\s>]*(`{3,}|~{3,})/.exec(content)?.[1] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence)) fence = "";
      else if (content.trim() !== "") pieces.push({ text: content.trim(), line, block, kind: "code" });
      continue;
    }
    if (mark !== "") {
      flush();
      fence = mark;
      block++;
    } else if (content.trim() === "") flush();
    else {
      if (/^\s*(?:[-*+]|\d+[.)])\s|^\s*#{1,6}\s|^\s*\|/.test(content)) flush();
      paragraph.push({ text: content, line });
      if (/^\s*#{1,6}\s|^\s*\|/.test(content)) flush();
    }
  }
  flush();
  return pieces;
}

const betweenSentences = /(?<=[.!?:]["')\]*_`]*)\s+(?=["'(*_`[]*[\p{Lu}`])/u;

function cutSentences(
  lines: readonly { readonly text: string; readonly line: number }[],
  block: number,
): Piece[] {
  const pieces: Piece[] = [];
  let open = "";
  let start = lines[0]?.line ?? 0;
  for (const { text, line } of lines) {
    const parts = text.trim().split(betweenSentences);
    if (open !== "" && betweenSentences.test(`${open} ${parts[0]}`)) {
      pieces.push({ text: open, line: start, block, kind: "prose" });
      open = "";
    }
    for (const [i, part] of parts.entries()) {
      if (open === "") start = line;
      open = open === "" ? part : `${open} ${part}`;
      if (i === parts.length - 1) break;
      pieces.push({ text: open, line: start, block, kind: "prose" });
      open = "";
    }
  }
  if (open !== "") pieces.push({ text: open, line: start, block, kind: "prose" });
  return pieces;
}
