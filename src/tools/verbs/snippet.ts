import { locateQuote } from "../../text/match/locate.ts";
import { findQuote } from "../../text/match/quote.ts";
import { applySplices } from "../../text/model/splice.ts";
import { snippetWords } from "../../wording/refusals/snippet.ts";

/** A page held in memory. The tool changes `content`; its owner decides when it is written. */
export type FileContext = { content: string; readonly path: string };

export type SnippetInput = {
  readonly original_text_snippet: string;
  readonly new_text_snippet: string;
  readonly reason: string;
};

export const snippetDescriptions = {
  tool: "Update a specific section of the documentation file by replacing an exact text snippet, instead of rewriting the file.",
  original_text_snippet:
    "The exact literal text snippet to replace (including newlines/indentation). Must uniquely identify the section.",
  new_text_snippet: "The new text content to replace the old snippet with.",
  reason: "The reason for this change.",
} as const;

/** Replaces one snippet of the page. Always answers with a string; never throws, never touches the disk. */
export function patchSnippet(page: FileContext, input: unknown): string {
  if (!isSnippetInput(input)) return snippetWords.fields;
  const { original_text_snippet: quote, new_text_snippet: text, reason } = input;
  const located = locateQuote(page.content, { quote, countFolded: true }, text);
  if (!located.ok) {
    const { fit, count } = findQuote(page.content, quote, { limit: 1 });
    const onlyFolded = located.refusal.code === "ambiguous" && count !== located.refusal.count;
    return snippetWords.refused(located.refusal, page.path, onlyFolded ? "line-endings" : fit);
  }
  page.content = applySplices(page.content, located.value.splices);
  return snippetWords.applied(reason, located.value.fit);
}

function isSnippetInput(input: unknown): input is SnippetInput {
  if (typeof input !== "object" || input === null) return false;
  const fields = input as Record<string, unknown>;
  return ["original_text_snippet", "new_text_snippet", "reason"].every(
    (name) => typeof fields[name] === "string",
  );
}
