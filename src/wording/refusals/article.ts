import type { Refusal } from "../../text/model/outcome.ts";
import { missHint, placesText } from "./not-found.ts";
import { wordPlainly } from "./plain.ts";
import type { RefusedCall, Words } from "./refused-call.ts";

/** The sentences of `edit_article`, whose edits are counted from 0. */
export function wordForArticle(refusal: Refusal, asked: RefusedCall): Words {
  const edit = refusal.edit === undefined ? "" : `Edit ${refusal.edit}: `;
  if (refusal.code === "not-found" && refusal.what === "file")
    return { error: `File not found: ${asked.path}` };
  if (refusal.code === "not-found" && refusal.what === "quote")
    return {
      error: [
        `${edit}Text not found in file. The old_string you provided does not exist in the file.`,
        `Actual file content:\n${preview(asked.text ?? "")}`,
        "Please use exact text from the file above.",
      ].join("\n\n"),
      hint: missHint(refusal) ?? "Quote the text exactly, white space included.",
    };
  if (refusal.code === "ambiguous")
    return {
      error: `${edit}Text appears ${refusal.count} times in file - include more surrounding context to make it unique`,
      hint: `Add a heading, preceding paragraph, or other unique text to old_string. It occurs at ${placesText(refusal.places, refusal.count)}.`,
    };
  if (refusal.code === "malformed" && refusal.why === "empty-quote")
    return {
      error: `${edit}old_string is empty`,
      hint: "Quote the text to replace. To insert, quote the line before and repeat it in new_string.",
    };
  const plain = wordPlainly(refusal, asked);
  return edit === "" ? plain : { ...plain, error: `${edit}${plain.error}` };
}

const previewLength = 500;

/** The first 500 characters of a file in a fence that its content cannot close. */
function preview(text: string): string {
  const cut = (text.charCodeAt(previewLength - 1) & 0xfc00) === 0xd800 ? previewLength - 1 : previewLength;
  const shown =
    text.length <= previewLength
      ? text
      : `${text.slice(0, cut)}...\n\n[File truncated - ${text.length} chars total]`;
  let fence = "```";
  while (shown.includes(fence)) fence += "`";
  return `${fence}\n${shown}\n${fence}`;
}

/** Why `edit_article` leaves the code of a source file alone. */
export function codeMayNotChange(path: string): string {
  return `edit_article changes documents and comments, not the code of ${path}`;
}
