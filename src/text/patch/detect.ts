import type { Edit } from "../model/edit.ts";
import { accept, type Outcome, refuse } from "../model/outcome.ts";
import { parseCodexPatch } from "./codex-patch.ts";
import { parseJsonEdits } from "./json-edits.ts";
import { tooLong } from "./limits.ts";
import { isHead, parseSearchReplace } from "./search-replace.ts";
import { parseUnified } from "./unified.ts";

export type PatchFormat = "json" | "unified" | "envelope" | "blocks";

/** Which format a text of edits is written in: the one whose mark comes first. */
export function detect(text: string): Outcome<PatchFormat> {
  const long = tooLong(text);
  if (long) return long;
  if (text.trim() === "") return refuse({ code: "malformed", what: "an empty patch" });
  let line = "";
  let previous: string;
  for (let at = 0; at <= text.length; ) {
    const stop = text.indexOf("\n", at);
    const end = stop < 0 ? text.length : stop;
    previous = line;
    line = text.slice(at, end);
    const format = formatOf(line, previous);
    if (format) return accept(format);
    at = end + 1;
  }
  // No line of a JSON text begins like those above.
  if (/^[[{]/.test(jsonText(text))) return accept("json");
  return refuse({
    code: "malformed",
    what: "none of the formats: JSON edits, a unified diff, a *** Begin Patch envelope, SEARCH/REPLACE blocks",
  });
}

function formatOf(line: string, previous: string): PatchFormat | null {
  if (line.length < 2) return null;
  if (isHead(line)) return "blocks";
  if (/^\s*\*\*\* (?:Begin Patch\s*$|(?:Add|Update|Delete) File: )/.test(line)) return "envelope";
  if (line.startsWith("@@") || line.startsWith("diff --git ")) return "unified";
  if (line.startsWith("+++ ") && previous.startsWith("--- ")) return "unified";
  // Older kinds of diff, which the unified parser refuses by name.
  if (line.startsWith("***************") || /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?\s*$/.test(line)) return "unified";
  return null;
}

/** The text without the code fence that models put around JSON. */
function jsonText(text: string): string {
  const bare = text.trim();
  const fenced = /^(?:```|~~~)[\w-]*[ \t]*\r?\n/.exec(bare);
  if (!fenced) return bare;
  const close = bare.lastIndexOf(bare.slice(0, 3));
  return close < fenced[0].length ? bare : bare.slice(fenced[0].length, close).trim();
}

/** The edits of a text in any of the formats. */
export function parseEdits(
  text: string,
  options: { path?: string } = {},
): Outcome<{ format: PatchFormat; edits: readonly Edit[] }> {
  const format = detect(text);
  if (!format.ok) return format;
  const edits = parsers[format.value](text, options);
  return edits.ok ? accept({ format: format.value, edits: edits.value }) : edits;
}

const parsers: Record<PatchFormat, (text: string, options: { path?: string }) => Outcome<readonly Edit[]>> = {
  json: parseJson,
  unified: parseUnified,
  envelope: parseCodexPatch,
  blocks: parseSearchReplace,
};

function parseJson(text: string, options: { path?: string }): Outcome<readonly Edit[]> {
  let value: unknown;
  try {
    value = JSON.parse(jsonText(text));
  } catch (error) {
    return refuse({
      code: "malformed",
      what: "JSON that cannot be read",
      hint: error instanceof Error ? error.message : "",
    });
  }
  return parseJsonEdits(value, options);
}
