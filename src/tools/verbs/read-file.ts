import { byteOrderMark } from "../../text/model/encoding.ts";
import { indexLines, lineContent } from "../../text/model/lines.ts";
import { refused } from "../../wording/report.ts";
import { markPart } from "../part-version.ts";
import type { Context, Result } from "../tool.ts";

export type ReadFileInput = {
  readonly path: string;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
};

const mostLines = 2000;
const longestLine = 2000;

/** A file, or some of its lines, with line numbers and the version that edits may name. */
export async function readFile(context: Context, input: ReadFileInput): Promise<Result> {
  const { path } = input;
  const asked = { tool: "read_file", wording: "files", path } as const;
  const read = await context.reader.read(path);
  if (!read.ok) return refused(read.refusal, asked);
  const { text, version, encoding } = read.value;
  if (text === null) return refused({ code: "not-found", what: "file" }, asked);
  const lines = indexLines(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  const total = lines.starts.length;
  const first = input.start_line ?? 1;
  if (first < 1 || (first > total && total > 0))
    return refused({ code: "out-of-range", line: first, lowest: 1, highest: total }, asked);
  const last = Math.min(input.end_line ?? total, total, first + mostLines - 1);
  const width = Math.max(6, String(last).length);
  const shown: string[] = [];
  for (let i = first - 1; i < last; i++)
    shown.push(`${String(i + 1).padStart(width)}\t${clip(lineContent(lines, i))}`);
  const rest =
    last < Math.min(input.end_line ?? total, total)
      ? [`(lines ${last + 1}–${total} not shown; pass start_line: ${last + 1})`]
      : [];
  const isWhole =
    first === 1 && last === total && shown.every((line) => line.length <= width + 1 + longestLine);
  return {
    success: true,
    output: [...shown, ...rest].join("\n"),
    tool: "read_file",
    path,
    version: isWhole ? version : markPart(version),
    content: text,
    startLine: first,
    endLine: last,
    totalLines: total,
    encoding,
    endings: endingsOf(text),
  };
}

function clip(line: string): string {
  if (line.length <= longestLine) return line;
  const end = (line.charCodeAt(longestLine - 1) & 0xfc00) === 0xd800 ? longestLine - 1 : longestLine;
  return `${line.slice(0, end)}… (${line.length - end} more characters)`;
}

function endingsOf(text: string): "LF" | "CRLF" | "CR" | "mixed" | "none" {
  const kinds = new Set<"LF" | "CRLF" | "CR">();
  if (text.includes("\r\n")) kinds.add("CRLF");
  if (/(^|[^\r])\n/.test(text)) kinds.add("LF");
  if (!text.includes("\n") && text.includes("\r")) kinds.add("CR");
  return kinds.size > 1 ? "mixed" : ([...kinds][0] ?? "none");
}
