import { defined } from "../../text/model/defined.ts";
import type { Edit } from "../../text/model/edit.ts";
import { parseEdits } from "../../text/patch/detect.ts";
import { refused } from "../../wording/report.ts";
import { applyEdits } from "../apply-edits.ts";
import { reportEdits } from "../edited.ts";
import { readAnyText } from "../read-snapshots.ts";
import { resolveAnchors } from "../resolve-anchors.ts";
import { relativePath } from "../spelling.ts";
import type { Context, Result, WriterOptions } from "../tool.ts";

export type ApplyPatchInput = WriterOptions & { readonly patch: string; readonly path?: string | undefined };

/** Edits of any number of files in any format Suture reads, in one transaction. */
export async function applyPatch(context: Context, input: ApplyPatchInput): Promise<Result> {
  const asked = {
    tool: "apply_patch",
    wording: "files",
    ...defined({ path: input.path }),
  } as const;
  const parsed = parseEdits(input.patch, input.path === undefined ? {} : { path: input.path });
  if (!parsed.ok) return refused(parsed.refusal, asked);
  const named = await Promise.all(parsed.value.edits.map((edit) => nameFile(context, edit)));
  const anchored = await resolveAnchors(context, named);
  if (!anchored.ok) return refused(anchored.refusal, asked);
  const { edits, madeFor } = anchored.value;
  const explained = edits.map((edit) => tolerant(edit, input.reason));
  const applied = await applyEdits(context, explained, { ...input, madeFor });
  if (!applied.ok) return refused(applied.refusal, asked);
  return reportEdits("apply_patch", applied.value, parsed.value.format);
}

/**
 * The edit with paths relative to the root. Of two names in a header, the one that exists is the file. A name that may
 * not be read is taken too, so that the patch is refused for it.
 */
async function nameFile(context: Context, asked: Edit): Promise<Edit> {
  const edit = relativeEdit(context, asked);
  if (!("hunks" in edit.target) || edit.target.otherPath === undefined) return edit;
  const other = relativePath(context, edit.target.otherPath);
  const [named, known] = await Promise.all([edit.path, other].map((path) => findFile(context, path)));
  return known === "refused" || (named === "absent" && known === "there") ? { ...edit, path: other } : edit;
}

async function findFile({ reader }: Context, path: string): Promise<"there" | "absent" | "refused"> {
  const read = await readAnyText(reader, path);
  if (!read.ok) return "refused";
  return read.value.text === null ? "absent" : "there";
}

/** The edit with paths relative to the root. */
function relativeEdit(context: Context, edit: Edit): Edit {
  const path = relativePath(context, edit.path);
  return "to" in edit ? { ...edit, path, to: relativePath(context, edit.to) } : { ...edit, path };
}

/** The edit with the reason of the call, and a quotation that may differ by white space. */
function tolerant(edit: Edit, reason = ""): Edit {
  const explained = edit.reason === "" ? { ...edit, reason } : edit;
  if (!("quote" in explained.target) || !("text" in explained)) return explained;
  return { ...explained, target: { fit: "white-space", ...explained.target } };
}
