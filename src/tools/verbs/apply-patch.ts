import type { Edit } from "../../text/model/edit.ts";
import type { Change } from "../../text/model/plan.ts";
import { parseEdits } from "../../text/patch/detect.ts";
import { refused } from "../../wording/report.ts";
import { fitText, lineRegions, noteText, noticeText } from "../../wording/results.ts";
import { plural } from "../../wording/sentences.ts";
import { type Applied, applyEdits, readAnyText } from "../apply-edits.ts";
import { entryOf, fitOf, notWrittenLine, regionsIn, versionOf } from "../edited.ts";
import { warnings } from "../gates.ts";
import { retryPatch } from "../retry.ts";
import { relativePath } from "../spelling.ts";
import type { Context, Result, WriterOptions } from "../tool.ts";

export type ApplyPatchInput = WriterOptions & { readonly patch: string; readonly path?: string | undefined };

/** Edits of any number of files in any format Suture reads, in one transaction. */
export async function applyPatch(context: Context, input: ApplyPatchInput): Promise<Result> {
  const asked = {
    tool: "apply_patch",
    wording: "files",
    ...(input.path === undefined ? {} : { path: input.path }),
  } as const;
  const parsed = parseEdits(input.patch, input.path === undefined ? {} : { path: input.path });
  if (!parsed.ok) return refused(parsed.refusal, asked);
  const named = await Promise.all(parsed.value.edits.map((edit) => nameFile(context, edit)));
  const edits = named.map((edit) => tolerant(edit, input.reason));
  const applied = await applyEdits(context, edits, input);
  if (!applied.ok) {
    const { refusal } = applied;
    return refused(refusal, { ...asked, ...(await retryPatch(context, input, { edits, refusal })) });
  }
  const { plan, entry } = applied.value;
  const paths = plan.changes.map(({ path }) => path);
  const notes = plan.landings.flatMap((landing) => landing.notes);
  const warned = warnings(plan);
  const output = [
    ...notWrittenLine(applied.value),
    ...(entry
      ? [
          `✓ Applied ${plural(edits.length, "edit")} to ${plural(paths.length, "file")} (${parsed.value.format})`,
        ]
      : []),
    ...plan.changes.map((change) => `${letterOf(change)} ${change.path}${placesIn(change, applied.value)}`),
    ...fitText(plan.landings),
    ...notes.map(noteText),
    ...(entry?.notices ?? []).map(noticeText),
    ...warned.map((warning) => `Warning: ${warning}`),
  ].join("\n");
  return {
    success: true,
    output,
    tool: "apply_patch",
    format: parsed.value.format,
    paths,
    versions: Object.fromEntries(
      paths.flatMap((path) =>
        Object.values(versionOf(applied.value, path)).map((version) => [path, version]),
      ),
    ),
    ...fitOf(plan.landings),
    ...(notes.length > 0 ? { notes } : {}),
    ...(warned.length > 0 ? { warnings: warned } : {}),
    ...entryOf(applied.value),
    diff: applied.value.diff,
  };
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

function placesIn({ path, after }: Change, applied: Applied): string {
  const regions = regionsIn(applied, path);
  if (after === null || regions.length === 0) return "";
  const lines = lineRegions(after, regions.slice(0, placesShown)).map(({ startLine }) => startLine);
  return ` (line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}${regions.length > placesShown ? ", …" : ""})`;
}

const placesShown = 8;

function letterOf({ before, after }: Change): "A" | "D" | "M" {
  if (before.text === null) return "A";
  return after === null ? "D" : "M";
}
