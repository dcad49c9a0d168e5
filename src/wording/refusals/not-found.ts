import { defined } from "../../text/model/defined.ts";
import type { Difference, Passage, Place, Refusal } from "../../text/model/outcome.ts";
import { list, sentence } from "../sentences.ts";
import type { RefusedCall, Words } from "./refused-call.ts";

export function wordNotFound(
  refusal: Extract<Refusal, { code: "not-found" }>,
  asked: RefusedCall,
  path: string,
): Words {
  const candidates = refusal.candidates?.length ? `Did you mean ${list(refusal.candidates)}?` : undefined;
  switch (refusal.what) {
    case "file":
      return {
        error: `File not found: ${path}.${asked.tool === "edit_file" || asked.tool === "insert_at" || asked.tool === "patch_file" ? " Use write_file to create new files." : ""}`,
        ...defined({ hint: candidates || undefined }),
      };
    case "occurrence":
      return {
        error: `Requested occurrence ${asked.occurrence} but only ${refusal.count} found in ${path}`,
        hint: `Use an occurrence from 1 to ${refusal.count}, -1 for the last, or 0 for all.`,
      };
    case "hunk":
      return {
        error: sentence(`${refusal.detail ?? "a hunk"} doesn't match file content of ${path}.`),
        hint: missHint(refusal) ?? "Read the file and make the patch again from what is there.",
      };
    case "run":
      return refusal.detail === undefined
        ? {
            error: "No run is recorded yet.",
            hint: "`suture fix` records the runs that `suture verify` looks at.",
          }
        : {
            error: `No run ${JSON.stringify(refusal.detail)} is recorded.`,
            hint: "`suture log` lists them.",
          };
    case "tool":
      return {
        error: `There is no tool ${JSON.stringify(refusal.detail ?? "")}.`,
        ...(refusal.candidates?.length ? { hint: `The tools are ${list(refusal.candidates)}.` } : {}),
      };
    case "resource":
      return {
        error: `The code host has no such thing, or the token may not see it: ${refusal.detail ?? ""}.`,
      };
    case "handle":
      return {
        error: `There is no retry ${JSON.stringify(refusal.detail ?? "")}. A handle works once, in the session that was offered it, and only while the files stay the same.`,
        hint: candidates ?? "Send the edit itself.",
      };
    case "section":
    case "symbol":
    case "anchor":
    case "entry":
      return {
        error: `No ${refusal.what} ${refusal.detail ? JSON.stringify(refusal.detail) : "of that name"}${asked.path ? ` in ${path}` : ""}.`,
        ...defined({ hint: candidates || undefined }),
      };
    case "quote":
      return {
        error: `Content not found in ${path}.`,
        hint:
          missHint(refusal) ??
          "Nothing like it is in the file. Read the file, then quote its text exactly, white space included.",
      };
  }
}

/** The probable cause of a miss, with the line to look at and the text to send instead. */
export function missHint(refusal: Extract<Refusal, { code: "not-found" }>): string | undefined {
  const [best, ...others] = refusal.nearest ?? [];
  switch (refusal.cause) {
    case "blank":
      return "The text to find is only white space. Quote a word beside it.";
    case "already-applied":
      return `The new text is already at line ${best?.startLine}: this edit seems to have been applied already.`;
    case "escaped-text":
      return `The text is at line ${best?.startLine} without the backslashes. Send real newlines and quotes, not escaped ones.`;
    case "line-number-prefixes":
      return `The text is at line ${best?.startLine}. Leave out the line numbers that a reading tool puts before each line.`;
    default:
      return (
        best && [nearestText(best), ...others.map((other) => `Also similar: ${linesText(other)}.`)].join("\n")
      );
  }
}

function nearestText(passage: Passage): string {
  const where = `The nearest text is at ${linesText(passage)}`;
  if (passage.differsAt === undefined) return `${where}:\n${passage.text}`;
  const visible =
    passage.difference === "white-space" || passage.difference === "indentation" ? showBlanks : String;
  return [
    `${where}; it differs ${differenceText[passage.difference]} at line ${passage.differsAt}:`,
    `  expected: ${visible(passage.expected ?? "")}`,
    `  found:    ${visible(passage.found ?? "")}`,
    `The file says:\n${passage.text}`,
  ].join("\n");
}

const differenceText: Record<Difference, string> = {
  "white-space": "in white space",
  indentation: "in indentation",
  "line-endings": "in line endings",
  case: "in upper and lower case",
  quotes: "in its quotation marks",
  "look-alikes": "in characters that look alike",
  "one-token": "in one word",
  "missing-lines": "by lines the quotation leaves out",
  "extra-lines": "by lines that are not in the file",
  "several-lines": "in several places, first",
};

function showBlanks(line: string): string {
  return line.replaceAll("\t", "→").replaceAll(" ", "·");
}

export function linesText({ startLine, endLine }: { startLine: number; endLine: number }): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
}

export function placesText(places: readonly Place[], count: number): string {
  const shown = places.map(({ line, near }) =>
    near === undefined ? `line ${line}` : `line ${line} (${near})`,
  );
  const more = count > shown.length ? [`${count - shown.length} more`] : [];
  return list([...shown, ...more]);
}
