import type { Region } from "../../text/model/region.ts";

/** Sections of a page as one text: before each but the first stands a line in brackets, which parts them. */
export type ShownParts = {
  readonly text: string;
  /** For each line of the text, its line on the page, from 0; -1 for the lines in brackets. */
  readonly lines: readonly number[];
  readonly marks: readonly string[];
};

export function showParts(page: string, parts: readonly Region[]): ShownParts {
  const lines: number[] = [];
  const marks: string[] = [];
  let text = "";
  for (const [i, { start, end }] of parts.entries()) {
    const last = parts[i - 1];
    if (last) {
      const hidden = countLines(page.slice(last.end, start));
      const between = hidden === 0 ? "" : `, after ${hidden} lines that are not shown`;
      marks.push(`(section ${i + 1}${between})`);
      text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${marks.at(-1)}\n`;
      lines.push(-1);
    }
    const first = countLines(page.slice(0, start));
    const own = page.slice(start, end);
    text += own;
    const count = countLines(own) + (own === "" || own.endsWith("\n") ? 0 : 1);
    for (let line = 0; line < count; line++) lines.push(first + line);
  }
  return { text, lines, marks };
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

/** The sections of such a text; `null` where a line that parts them is lost. */
export function splitParts(text: string, marks: readonly string[]): string[] | null {
  const parts = [text];
  for (const mark of marks) {
    const lines = parts.pop()!.split("\n");
    const at = lines.findIndex((line) => line.trim() === mark);
    if (at < 0) return null;
    parts.push(lines.slice(0, at).join("\n"), lines.slice(at + 1).join("\n"));
  }
  return parts;
}
