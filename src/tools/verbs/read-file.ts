import { byteOrderMark, type Encoding } from "../../text/model/encoding.ts";
import { indexLines, type Lines, lineContent, lineEnd } from "../../text/model/lines.ts";
import { anchorOf } from "../../text/patch/anchored-lines.ts";
import { refused } from "../../wording/report.ts";
import { markPart, shortMark } from "../part-version.ts";
import { readAnyText } from "../read-snapshots.ts";
import { relativePath } from "../spelling.ts";
import type { Context, Result } from "../tool.ts";

export type ReadFileInput = {
  readonly path: string;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly anchors?: boolean | undefined;
};

const mostLines = 2000;
const longestLine = 2000;

/** A file, or some of its lines, with line numbers and the version that edits may name. */
export async function readFile(context: Context, input: ReadFileInput): Promise<Result> {
  const path = relativePath(context, input.path);
  const asked = { tool: "read_file", wording: "files", path } as const;
  const read = await readAnyText(context.reader, path);
  if (!read.ok) return refused(read.refusal, asked);
  const { text, version, encoding } = read.value;
  if (text === null) {
    const candidates = await findSpellings(context, path);
    return refused({ code: "not-found", what: "file", candidates }, asked);
  }
  const lines = indexLines(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  const total = lines.starts.length;
  const first = input.start_line ?? 1;
  if (first < 1 || (first > total && total > 0))
    return refused({ code: "out-of-range", line: first, lowest: 1, highest: total }, asked);
  const wanted = Math.min(input.end_line ?? total, total);
  const width = Math.max(6, String(wanted).length);
  const anchored = input.anchors === true;
  const shown = showLines(lines, { first, last: Math.min(wanted, first + mostLines - 1), width, anchored });
  const last = first - 1 + shown.length;
  const rest = last < wanted ? [`(lines ${last + 1}–${total} not shown; pass start_line: ${last + 1})`] : [];
  context.memory?.served.note(path, { path, text, version }, { first, last, anchored });
  const isWhole =
    first === 1 && last === total && shown.every((line) => line.length <= width + 1 + longestLine);
  const marked = isWhole ? version : markPart(version);
  return {
    success: true,
    output: [...shown, ...rest, ...strangeBytes(encoding), ...namedVersion(context, marked)]
      .join("\n")
      .toWellFormed(),
    tool: "read_file",
    path,
    version: marked,
    content: (isWhole
      ? text
      : lines.text.slice(lines.starts[first - 1], lineEnd(lines, last - 1))
    ).toWellFormed(),
    startLine: first,
    endLine: last,
    totalLines: total,
    encoding,
    endings: endingsOf(text),
  };
}

const mostCandidates = 3;

/** Files whose paths differ only in case, or that have the same name in another folder. */
async function findSpellings({ reader }: Context, path: string): Promise<string[]> {
  const listed = await reader.list();
  if (!listed.ok) return [];
  const wanted = path.toLowerCase();
  const name = wanted.slice(wanted.lastIndexOf("/") + 1);
  const { paths } = listed.value;
  const same = paths.filter((other) => other.toLowerCase() === wanted);
  const named = paths.filter(
    (other) => other.toLowerCase().endsWith(`/${name}`) || other.toLowerCase() === name,
  );
  return (same.length > 0 ? same : named).slice(0, mostCandidates);
}

/** The most characters of one answer; a client asks for the rest. */
const mostCharacters = 200_000;

type ShownLines = {
  readonly first: number;
  readonly last: number;
  readonly width: number;
  readonly anchored: boolean;
};

/** Numbered lines, at least one, up to the size of an answer. */
function showLines(lines: Lines, { first, last, width, anchored }: ShownLines): string[] {
  const shown: string[] = [];
  let size = 0;
  for (let i = first - 1; i < last; i++) {
    const text = lineContent(lines, i);
    const label = anchored ? `${anchorOf(i + 1, text)}|` : `${String(i + 1).padStart(width)}\t`;
    const line = label + clip(text);
    size += line.length;
    if (size > mostCharacters && shown.length > 0) break;
    shown.push(line);
  }
  return shown;
}

/** The version, for callers that may name it in an edit. */
function namedVersion({ withheld = [] }: Context, version: string): string[] {
  return withheld.includes("base_version") ? [] : [`(version ${shortMark(version)})`];
}

function strangeBytes(encoding: Encoding | null): string[] {
  if (encoding !== "8-bit" && encoding !== "utf-8-stray") return [];
  return [
    "(The file is not UTF-8: bytes that cannot be read are shown as \ufffd. Only the rest can be quoted.)",
  ];
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
