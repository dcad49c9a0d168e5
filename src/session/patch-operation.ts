import type { Edit } from "../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { parseEdits } from "../text/patch/detect.ts";
import { applyEdits } from "../tools/apply-edits.ts";
import { entryOf, notWrittenLine } from "../tools/edited.ts";
import { allows, type Context, type Result } from "../tools/tool.ts";
import { refused } from "../wording/report.ts";
import { belowRoot } from "./root-path.ts";

/** One operation of OpenAI's `apply_patch` tool. */
export type PatchOperation =
  | { readonly type: "create_file"; readonly path: string; readonly diff: string }
  | { readonly type: "update_file"; readonly path: string; readonly diff: string }
  | { readonly type: "delete_file"; readonly path: string };

const verbs = { create_file: "Created", update_file: "Updated", delete_file: "Deleted" } as const;

/** Carries out one operation, with the answer that OpenAI's tool gives: one line, or the error. */
export async function applyOperation(context: Context, operation: PatchOperation): Promise<Result> {
  const path = belowRoot(context.reader.root, operation.path);
  const asked = { tool: "apply_patch", wording: "files", path } as const;
  const edits = editsOf(context, operation, path);
  if (!edits.ok) return refused(edits.refusal, asked);
  const call = { tool: "apply_patch", input: operation };
  const applied = await applyEdits({ ...context, call }, edits.value);
  if (!applied.ok) return refused(applied.refusal, asked);
  const output = [...notWrittenLine(applied.value), `${verbs[operation.type]} ${path}`].join("\n");
  return {
    success: true,
    output,
    tool: "apply_patch",
    path,
    diff: applied.value.diff,
    ...entryOf(applied.value),
  };
}

function editsOf(context: Context, operation: PatchOperation, path: string): Outcome<readonly Edit[]> {
  const needed = operation.type === "create_file" ? "create" : "edit";
  if (!allows(context.mode, needed))
    return refuse({
      code: "not-allowed",
      detail: `Tool not allowed: ${operation.type} may not be used in ${context.mode} mode`,
    });
  const asked = { path, reason: "", evidence: [] };
  switch (operation.type) {
    case "delete_file":
      return accept([{ ...asked, target: { file: "delete" } }]);
    case "create_file": {
      const text = addedText(operation.diff);
      return text.ok ? accept([{ ...asked, target: { file: "create" }, text: text.value }]) : text;
    }
    case "update_file": {
      const parsed = parseEdits(operation.diff, { path });
      if (!parsed.ok) return parsed;
      const other = parsed.value.edits.find((edit) => edit.path !== path || "to" in edit);
      return other
        ? refuse({ code: "malformed", what: `the diff is about ${other.path}, not only about ${path}` })
        : accept(parsed.value.edits);
    }
    default:
      return refuse({
        code: "malformed",
        what: "unknown operation",
        hint: `An operation is one of ${Object.keys(verbs).join(", ")}.`,
      });
  }
}

/** The text of a new file: each of its lines begins with a plus sign in the diff. */
function addedText(diff: string): Outcome<string> {
  const lines = diff.replace(/\r?\n$/, "").split("\n");
  const wrong = lines.findIndex((line) => !line.startsWith("+"));
  if (diff === "") return accept("");
  if (wrong >= 0)
    return refuse({
      code: "malformed",
      what: "a line of the new file does not begin with +",
      line: wrong + 1,
      hint: "Begin every line of a new file with +, also empty ones.",
    });
  return accept(`${lines.map((line) => line.slice(1)).join("\n")}\n`);
}
