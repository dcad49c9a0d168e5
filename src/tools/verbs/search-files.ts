import { matcher } from "../../text/match/glob.ts";
import { findQuote } from "../../text/match/quote.ts";
import { defined } from "../../text/model/defined.ts";
import { indexLines, lineAt, lineContent } from "../../text/model/lines.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { refused } from "../../wording/report.ts";
import { plural } from "../../wording/sentences.ts";
import { relativePath } from "../spelling.ts";
import type { Context, Result } from "../tool.ts";

export type SearchFilesInput = {
  readonly query: string;
  readonly pattern?: boolean | undefined;
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  readonly ignore_case?: boolean | undefined;
  readonly limit?: number | undefined;
};

type Hit = { readonly path: string; readonly line: number; readonly text: string };

/** Every line that holds a text, literally or as a pattern, over all files below a folder, or in one file. Files that are not text are passed over. */
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
    const found = linesWith(read.value.text, input);
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
        ? `No line holds ${JSON.stringify(query)}.${isPattern(query) ? patternHint : ""}`
        : [...hits.map(({ path, line, text }) => `${path}:${line}: ${text}`), ...rest].join("\n"),
    tool: "search_files",
    summary: plural(total, "line"),
    matches: hits,
    total,
    ...defined({ stopped: isCut || undefined }),
  };
}

const patternHint =
  " This is no regular expression: with `pattern`, `*` stands for any characters of a line, and `|` for either side.";

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

function linesWith(
  text: string,
  { query, pattern, ignore_case = false }: SearchFilesInput,
): Omit<Hit, "path">[] {
  const fold = (some: string): string => (ignore_case ? some.toLowerCase() : some);
  // Lower-casing may change lengths; then places are looked up line by line instead.
  const folded = fold(text);
  if (pattern) return linesThat(holdsOneOf(fold(query)), text, fold);
  if (folded.length !== text.length) return linesThat((line) => line.includes(fold(query)), text, fold);
  const { regions } = findQuote(folded, fold(query));
  if (regions.length === 0) return [];
  const lines = indexLines(text);
  const numbers = new Set(regions.map(({ start }) => lineAt(lines, start)));
  return [...numbers].map((line) => ({
    line: line + 1,
    text: lineContent(lines, line).slice(0, longestShown),
  }));
}

/** Whether a line holds the parts of one of the alternatives, one after the other. */
function holdsOneOf(query: string): (line: string) => boolean {
  const alternatives = query.split("|").map((one) => one.split("*"));
  return (line) =>
    alternatives.some((parts) => {
      let at = 0;
      return parts.every((part) => {
        const found = line.indexOf(part, at);
        at = found + part.length;
        return found >= 0;
      });
    });
}

function linesThat(
  holds: (line: string) => boolean,
  text: string,
  fold: (line: string) => string,
): Omit<Hit, "path">[] {
  const lines = indexLines(text);
  return lines.starts.flatMap((_, i) => {
    const content = lineContent(lines, i);
    return holds(fold(content)) ? [{ line: i + 1, text: content.slice(0, longestShown) }] : [];
  });
}
