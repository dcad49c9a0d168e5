import { matcher } from "../../text/match/glob.ts";
import { findQuote } from "../../text/match/quote.ts";
import { indexLines, lineAt, lineContent } from "../../text/model/lines.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { refused } from "../../wording/report.ts";
import { plural } from "../../wording/sentences.ts";
import { relativePath } from "../spelling.ts";
import type { Context, Result } from "../tool.ts";

export type SearchFilesInput = {
  readonly query: string;
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  readonly ignore_case?: boolean | undefined;
  readonly limit?: number | undefined;
};

type Hit = { readonly path: string; readonly line: number; readonly text: string };

/** Every line that holds a text, literally, over all files below a folder, or in one file. Files that are not text are passed over. */
export async function searchFiles(context: Context, input: SearchFilesInput): Promise<Result> {
  const { query, limit = 100 } = input;
  const path = relativePath(context, input.path ?? "");
  const asked = { tool: "search_files", wording: "files", path } as const;
  if (query === "") return refused({ code: "malformed", what: "the query is empty" }, asked);
  const listed = await listFiles(context, path);
  if (!listed.ok) return refused(listed.refusal, asked);
  const matches = input.glob === undefined ? () => true : matcher(input.glob);
  const hits: Hit[] = [];
  let total = 0;
  for (const file of listed.value.filter(matches)) {
    context.signal?.throwIfAborted();
    const read = await context.reader.read(file);
    if (!read.ok || read.value.text === null) continue;
    const found = linesWith(read.value.text, query, input.ignore_case ?? false);
    total += found.length;
    for (const hit of found.slice(0, Math.max(0, limit - hits.length))) hits.push({ path: file, ...hit });
  }
  const isCut = total > hits.length;
  const rest = isCut
    ? [`(stopped after ${hits.length} of ${total} lines; narrow with path or glob, or raise limit)`]
    : [];
  return {
    success: true,
    output:
      total === 0
        ? `No line holds ${JSON.stringify(query)}.${isPattern(query) ? literalHint : ""}`
        : [...hits.map(({ path, line, text }) => `${path}:${line}: ${text}`), ...rest].join("\n"),
    tool: "search_files",
    summary: plural(total, "line"),
    matches: hits,
    total,
    ...(isCut ? { stopped: true } : {}),
  };
}

const literalHint = " The query is a text and no pattern: search for one name at a time.";

/** Whether a query looks like alternatives or a regular expression. */
function isPattern(query: string): boolean {
  return /\w\|\w|\.[*+]|\\[bdsw]|^\^|\w\$$|\(\?/.test(query);
}

/** The files below a folder; a path of a file gives that file. */
async function listFiles({ reader }: Context, path: string): Promise<Outcome<readonly string[]>> {
  const listed = await reader.list(path === "" ? {} : { under: path });
  if (listed.ok) return accept(listed.value.paths);
  const file = await reader.read(path);
  return file.ok && file.value.text !== null ? accept([path]) : listed;
}

const longestShown = 300;

function linesWith(text: string, query: string, ignoreCase: boolean): Omit<Hit, "path">[] {
  // Lower-casing may change lengths; then places are looked up line by line instead.
  const folded = ignoreCase ? text.toLowerCase() : text;
  if (ignoreCase && folded.length !== text.length) return linesByLine(text, query.toLowerCase());
  const { regions } = findQuote(folded, ignoreCase ? query.toLowerCase() : query);
  if (regions.length === 0) return [];
  const lines = indexLines(text);
  const numbers = new Set(regions.map(({ start }) => lineAt(lines, start)));
  return [...numbers].map((line) => ({
    line: line + 1,
    text: lineContent(lines, line).slice(0, longestShown),
  }));
}

function linesByLine(text: string, query: string): Omit<Hit, "path">[] {
  const lines = indexLines(text);
  return lines.starts.flatMap((_, i) => {
    const content = lineContent(lines, i);
    return content.toLowerCase().includes(query)
      ? [{ line: i + 1, text: content.slice(0, longestShown) }]
      : [];
  });
}
