import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { parseUnified } from "../../text/patch/unified.ts";
import { refused } from "../../wording/report.ts";
import { plural } from "../../wording/sentences.ts";
import { applyEdits } from "../apply-edits.ts";
import { reportOne } from "../edited.ts";
import { relativePath, spell } from "../spelling.ts";
import type { Context, Result, WriterOptions } from "../tool.ts";

export type PatchFileInput = WriterOptions & { readonly path: string; readonly patch: string };

/** Applies a unified diff to one file: every hunk, or none. */
export async function patchFile(context: Context, input: PatchFileInput): Promise<Result> {
  const path = relativePath(context, input.path);
  const asked = { tool: "patch_file", wording: "files", path } as const;
  const edits = parseForOne(context, { ...input, path });
  if (!edits.ok) return refused(edits.refusal, asked);
  const applied = await applyEdits(context, edits.value, input);
  if (!applied.ok) return refused(applied.refusal, asked);
  const hunks = edits.value.reduce(
    (sum, { target }) => sum + ("hunks" in target ? target.hunks.length : 0),
    0,
  );
  return reportOne("patch_file", path, applied.value, [
    `✓ Patched ${path}`,
    `Applied ${plural(hunks, "hunk")}`,
  ]);
}

function parseForOne(context: Context, { path, patch, reason = "" }: PatchFileInput): Outcome<Edit[]> {
  const parsed = parseUnified(patch, { path });
  if (!parsed.ok) return patch.includes("@@") ? parsed : refuse(noHunks);
  const others = new Set(
    parsed.value
      .map((edit) => edit.path)
      .filter((named) => spell(relativePath(context, named)) !== spell(path)),
  );
  if (others.size > 0)
    return refuse({
      code: "malformed",
      what: `the patch is for ${[...others].join(", ")}, not for ${path}`,
      hint: "patch_file changes one file. Send a patch of that file only, or use apply_patch for several.",
    });
  return accept(parsed.value.map((edit) => ({ ...edit, path, reason })));
}

const noHunks = {
  code: "malformed",
  what: "No valid hunks found in diff. Ensure diff uses unified format with @@ headers.",
} as const;
