import { visible } from "./terminal.ts";

const styles = { bold: 1, dim: 2, inverse: 7, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Text in a style, or as it is where there are no colours. */
export function paint(text: string, style: keyof typeof styles, { colour }: { colour: boolean }): string {
  if (!colour || text === "") return text;
  const code = styles[style];
  return `\u001b[${code}m${text}\u001b[${code === 7 ? 27 : code < 3 ? 22 : 39}m`;
}

/**
 * A unified diff for people: added and removed lines in colour, the words that differ inverted, and nothing in it
 * that could act on the terminal. Line endings show only where they differ.
 */
export function paintDiff(diff: string, { colour }: { colour: boolean }): string {
  const endings = isMixed(diff);
  const lines = diff.replace(/\n$/, "").split("\n");
  const show = (text: string): string => visible(endings ? text : text.replace(/\r$/, ""));
  const painted: string[] = [];
  let left = 0;
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!;
    if (left <= 0) {
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (hunk) left = Number(hunk[1] ?? 1) + Number(hunk[2] ?? 1);
      painted.push(paint(show(line), hunk ? "cyan" : "bold", { colour }));
      i++;
      continue;
    }
    const removed = run(lines, i, "-");
    const added = run(lines, i + removed, "+");
    if (removed + added === 0) {
      painted.push(show(line));
      left -= line.startsWith("\\") ? 0 : 2;
      i++;
      continue;
    }
    painted.push(
      ...paintPair(lines.slice(i, i + removed), lines.slice(i + removed, i + removed + added), show, colour),
    );
    left -= removed + added;
    i += removed + added;
  }
  return painted.join("\n");
}

function isMixed(diff: string): boolean {
  const body = diff.split("\n").filter((line) => /^[-+ ]/.test(line) && !/^(---|\+\+\+) /.test(line));
  const carried = body.filter((line) => line.endsWith("\r")).length;
  return carried > 0 && carried < body.length;
}

function run(lines: readonly string[], from: number, sign: string): number {
  let count = 0;
  while (lines[from + count]?.startsWith(sign)) count++;
  return count;
}

function paintPair(
  removed: readonly string[],
  added: readonly string[],
  show: (text: string) => string,
  colour: boolean,
): string[] {
  // Only paired lines are compared word by word.
  const paired = colour && removed.length === added.length;
  const mark = (line: string, other: string | undefined, style: "red" | "green"): string => {
    if (!paired || other === undefined) return paint(show(line), style, { colour });
    const { start, end } = differing(line.slice(1), other.slice(1));
    const [before, middle, after] = [
      line.slice(0, start + 1),
      line.slice(start + 1, end + 1),
      line.slice(end + 1),
    ];
    const whole = start === 0 && end === line.length - 1;
    const inner = whole ? show(middle) : paint(show(middle), "inverse", { colour });
    return paint(`${show(before)}${inner}${show(after)}`, style, { colour });
  };
  return [
    ...removed.map((line, i) => mark(line, added[i], "red")),
    ...added.map((line, i) => mark(line, removed[i], "green")),
  ];
}

/** The part of a line that differs from the other line, without the common beginning and end. */
function differing(line: string, other: string): { start: number; end: number } {
  const most = Math.min(line.length, other.length);
  let start = 0;
  while (start < most && line[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && line[line.length - 1 - end] === other[other.length - 1 - end]) end++;
  if ((line.charCodeAt(start - 1) & 0xfc00) === 0xd800) start--;
  if ((line.charCodeAt(line.length - end) & 0xfc00) === 0xdc00) end--;
  return { start, end: line.length - Math.max(0, end) };
}
