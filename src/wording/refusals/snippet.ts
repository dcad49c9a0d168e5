import type { Fit } from "../../text/model/edit.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import { wordPlainly } from "./plain.ts";

/** The sentences of the in-memory `patch_file`, which answers in one plain string. */
export const snippetWords = {
  applied: (reason: string, fit: Fit): string =>
    `Success: Applied patch for "${reason}"${fit === "line-endings" ? " (normalized line endings)" : ""}.`,
  refused(refusal: Refusal, path: string, fit: Fit): string {
    if (refusal.code === "not-found")
      return `Error: Could not find the exact snippet in ${path}. Ensure you are quoting the existing text exactly.`;
    if (refusal.code === "ambiguous") {
      const folded = fit === "line-endings" ? " (after normalizing line endings)" : "";
      return `Error: The snippet provided matches ${refusal.count} locations in ${path}${folded}. Please provide more surrounding context to ensure uniqueness.`;
    }
    if (refusal.code === "no-change")
      return `Error: The new snippet equals the original, so ${path} is unchanged. Nothing was applied.`;
    return `Error: ${wordPlainly(refusal, { tool: "patch_file", wording: "snippet", path }).error}`;
  },
  fields: "Error: patch_file here takes original_text_snippet, new_text_snippet and reason, all strings.",
};
