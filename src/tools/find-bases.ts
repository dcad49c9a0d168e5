import type { Edit } from "../text/model/edit.ts";
import { decode } from "../text/model/encoding.ts";
import type { PlanOptions } from "../text/model/plan.ts";
import { openGit } from "../workspace/git/git.ts";
import { unmarked } from "./part-version.ts";
import type { Context, WriterOptions } from "./tool.ts";

/**
 * The texts that edits were made for: the blobs that a patch names, where git has them, and the version that the
 * caller has read, where the journal has it. Null where nothing is known.
 */
export async function findBases(
  context: Context,
  edits: readonly Edit[],
  { base_version }: WriterOptions,
): Promise<PlanOptions["baseOf"] | null> {
  const blobs = await findBlobs(context, edits);
  const path = edits[0]?.path;
  const known =
    base_version === undefined || path === undefined
      ? undefined
      : await context.reader.textOfVersion(path, unmarked(base_version));
  const read = known?.ok ? (known.value ?? undefined) : undefined;
  if (blobs.length === 0 && read === undefined) return null;
  return (named, id) => {
    const blob = id === undefined ? undefined : blobs.find((each) => each.id.startsWith(id));
    return blob?.text ?? (named === path ? read : undefined);
  };
}

async function findBlobs(
  { reader }: Context,
  edits: readonly Edit[],
): Promise<{ readonly id: string; readonly text: string }[]> {
  const ids = new Set(
    edits.flatMap(({ target }) =>
      "hunks" in target ? target.hunks.flatMap(({ base }) => (base === undefined ? [] : [base])) : [],
    ),
  );
  const git = ids.size === 0 ? null : await openGit(reader.root);
  if (!git) return [];
  const blobs = await git.blobs([...ids]);
  return [...blobs].flatMap(([id, bytes]) => {
    const decoded = decode(bytes, { strayBytes: "keep" });
    return decoded.ok ? [{ id, text: decoded.value.text }] : [];
  });
}
