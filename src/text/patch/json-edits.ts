import type { Edit } from "../model/edit.ts";
import { accept, type Outcome, type Refused } from "../model/outcome.ts";
import { tooMany } from "./limits.ts";
import { malformed } from "./malformed.ts";

/** The names that agents use for each field. A call that uses two names of one field is refused. */
const fieldNames = {
  path: ["path", "file_path", "filePath", "file", "filename", "file_name", "fileName", "target_file"],
  old: [
    "old_string",
    "oldString",
    "old_str",
    "old_text",
    "oldText",
    "old_content",
    "oldContent",
    "old",
    "original_text_snippet",
    "search",
    "find",
  ],
  new: [
    "new_string",
    "newString",
    "new_str",
    "new_text",
    "newText",
    "new_content",
    "newContent",
    "new",
    "new_text_snippet",
    "replace",
    "replacement",
  ],
  all: ["all", "replace_all", "replaceAll", "allow_multiple"],
  count: ["expected_replacements", "expectedReplacements"],
  line: ["insert_line", "insertLine", "line"],
  content: ["content", "contents", "file_text", "text"],
  edits: ["edits", "changes", "replacements"],
  files: ["files"],
  occurrence: ["occurrence"],
  reason: ["reason"],
} as const;

type Field = keyof typeof fieldNames;

export type JsonOptions = {
  /** The file of edits that name none. */
  readonly path?: string;
  /** Also find lines that are laid out otherwise. */
  readonly fit?: "layout";
};

/**
 * The edits of a JSON value: one edit, a list of them, or a file with its list. Old and new text make a
 * quotation, a line and a text an insertion, a text alone a new file, as does new text for an empty old one.
 */
export function parseJsonEdits(value: unknown, options: JsonOptions = {}): Outcome<readonly Edit[]> {
  const edits: Edit[] = [];
  const refused = collect(value, options, edits, 0);
  if (refused) return refused;
  return edits.length === 0 ? malformed("no edits") : accept(edits);
}

/** The deepest edits are in a list in a file in a list of files. */
const deepest = 4;

function collect(value: unknown, options: JsonOptions, edits: Edit[], depth: number): Refused | null {
  if (depth > deepest) return malformed("edits nested too deep");
  if (Array.isArray(value)) {
    for (const item of value) {
      const refused = collect(item, options, edits, depth + 1);
      if (refused) return refused;
    }
    return null;
  }
  const call = readCall(value);
  if (!call.ok) return { ...call, refusal: { ...call.refusal, edit: edits.length } };
  const own = call.value.path ?? options.path;
  for (const list of [call.value.files, call.value.edits])
    if (list !== undefined)
      return isList(list)
        ? collect(list, inFile(options, own), edits, depth + 1)
        : malformed("edits that are not a list");
  const edit =
    own === undefined ? malformed("an edit without the path of its file") : editOf(call.value, own, options);
  if (!edit.ok) return { ...edit, refusal: { ...edit.refusal, edit: edits.length } };
  edits.push(edit.value);
  return tooMany(edits.length, "edits");
}

function inFile(options: JsonOptions, path: string | undefined): JsonOptions {
  return path === undefined ? options : { ...options, path };
}

function isList(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === "object" && value !== null);
}

type ParsedCall = {
  path?: string;
  old?: string;
  new?: string;
  content?: string;
  reason?: string;
  all?: boolean;
  count?: number;
  line?: number;
  occurrence?: number;
  edits?: unknown;
  files?: unknown;
};

const types: Record<Field, "string" | "boolean" | "number" | "any"> = {
  path: "string",
  old: "string",
  new: "string",
  content: "string",
  reason: "string",
  all: "boolean",
  count: "number",
  line: "number",
  occurrence: "number",
  edits: "any",
  files: "any",
};

/** Reads the known fields of an object. Only own properties count, and other fields are ignored. */
function readCall(value: unknown): Outcome<ParsedCall> {
  if (typeof value !== "object" || value === null) return malformed("an edit that is not an object");
  const call: Partial<Record<Field, unknown>> = {};
  for (const field of Object.keys(fieldNames) as Field[]) {
    const used = fieldNames[field].filter(
      (name) => Object.hasOwn(value, name) && property(value, name) != null,
    );
    if (used.length > 1) return malformed(`both ${used[0]} and ${used[1]}, where one is enough`);
    const name = used[0];
    if (name === undefined) continue;
    const given = property(value, name);
    if (types[field] !== "any" && typeof given !== types[field])
      return malformed(`${name} must be a ${types[field]}`);
    call[field] = given;
  }
  return accept(call as ParsedCall);
}

function property(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}

function editOf(call: ParsedCall, path: string, options: JsonOptions): Outcome<Edit> {
  const asked = { path, reason: call.reason ?? "", evidence: [] };
  const text = call.new ?? call.content;
  if (text === undefined)
    return malformed(call.old === undefined ? "an edit without any text" : "an edit without its new text");
  if (call.old === undefined && call.line !== undefined)
    return accept({ ...asked, target: { line: call.line }, text });
  if (call.old === undefined || call.old === "") {
    if (call.occurrence !== undefined || call.all) return malformed("the text to find is empty");
    return accept({ ...asked, target: { file: "create" }, text });
  }
  const which = occurrenceOf(call);
  const fit = options.fit ? { fit: options.fit } : {};
  if (!which.ok) return which;
  return accept({ ...asked, target: { quote: call.old, ...which.value, ...fit }, text });
}

function occurrenceOf({
  occurrence,
  all,
  count,
}: ParsedCall): Outcome<{ occurrence?: number; expected?: number }> {
  if (occurrence !== undefined && (all || count !== undefined))
    return malformed("both an occurrence and a number of occurrences");
  if (occurrence !== undefined) return accept({ occurrence });
  if (count !== undefined && (!Number.isInteger(count) || count < 1))
    return malformed("the number of replacements must be 1 or more");
  if (count !== undefined && count > 1) return accept({ occurrence: 0, expected: count });
  return accept(all ? { occurrence: 0 } : {});
}
