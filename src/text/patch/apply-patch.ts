import { accept, type Outcome, refuse } from "../model/outcome.ts";
import { type Plan, pathsOf, planEdits } from "../model/plan.ts";
import { type PatchFormat, parseEdits } from "./detect.ts";

export type ApplyPatchOptions = {
  /** The name of the file, where the patch has several or the text should be called by it in a refusal. */
  readonly path?: string;
};

const unnamed = "text";

/**
 * Applies a patch in any format to one text: a unified diff, a `*** Begin Patch` envelope, SEARCH/REPLACE blocks or JSON
 * edits. Names in the patch do not matter unless `path` is given. A patch that deletes the file gives an empty text.
 */
export function applyPatch(text: string, patch: string, options: ApplyPatchOptions = {}): Outcome<string> {
  const planned = planPatch(text, patch, options);
  if (!planned.ok) return planned;
  const [change] = planned.value.plan.changes;
  return accept(change ? (change.after ?? "") : text);
}

/** The plan of `applyPatch`, and the format in which the patch was read. */
function planPatch(
  text: string,
  patch: string,
  { path }: ApplyPatchOptions = {},
): Outcome<{ readonly format: PatchFormat; readonly plan: Plan }> {
  const named = parseEdits(patch);
  const parsed = named.ok ? named : parseEdits(patch, { path: path ?? unnamed });
  if (!parsed.ok) return parsed;
  const names = new Set(pathsOf(parsed.value.edits));
  if (path === undefined && names.size > 1)
    return refuse({
      code: "malformed",
      what: `the patch is about ${names.size} files (${[...names].slice(0, 3).join(", ")})`,
      hint: "Name the one that the text is: { path }.",
    });
  const [only = unnamed] = names;
  const name = path ?? only;
  const edits = parsed.value.edits.filter((edit) => edit.path === name);
  if (edits.length === 0)
    return refuse({ code: "not-found", what: "file", path: name, candidates: [...names] });
  const moved = edits.find((edit) => "to" in edit);
  if (moved) return refuse({ code: "malformed", what: "the patch moves or copies the file", path: name });
  const planned = planEdits(edits, [{ path: name, text, version: "" }]);
  return planned.ok ? accept({ format: parsed.value.format, plan: planned.value }) : planned;
}
