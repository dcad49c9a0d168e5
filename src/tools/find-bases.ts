import type { Edit } from "../text/model/edit.ts";
import { decode } from "../text/model/encoding.ts";
import type { PlanOptions } from "../text/model/plan.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import { openGit } from "../workspace/git/git.ts";
import { unmarked } from "./part-version.ts";
import type { Context, EditOptions } from "./tool.ts";

/**
 * The texts that edits were made for, where the files have changed since: the version that the caller names, or the text
 * that this session was shown. A version that nobody has is left to the commit, which refuses it.
 */
export async function findBases(
  context: Context,
  edits: readonly Edit[],
  { snapshots, base_version, madeFor }: EditOptions & { readonly snapshots: ReadonlyMap<string, Snapshot> },
): Promise<ReadonlyMap<string, Snapshot>> {
  const bases = new Map<string, Snapshot>();
  for (const { path, text } of snapshots.values()) {
    const named = path === edits[0]?.path ? base_version : undefined;
    const base =
      madeFor?.get(path) ??
      (named === undefined
        ? context.memory?.served.baseOf(path, edits)
        : await findVersion(context, path, unmarked(named)));
    if (base && base.text !== text) bases.set(path, base);
  }
  return bases;
}

async function findVersion(context: Context, path: string, version: string): Promise<Snapshot | null> {
  const served = context.memory?.served.ofVersion(path, version);
  if (served) return served;
  const known = await context.reader.textOfVersion(path, version);
  return known.ok && known.value !== null ? { path, text: known.value, version } : null;
}

/** The blobs that a patch names, where git has them. */
export async function findNamedBlobs(
  context: Context,
  edits: readonly Edit[],
): Promise<PlanOptions["baseOf"] | null> {
  const blobs = await findBlobs(context, edits);
  if (blobs.length === 0) return null;
  return (_path, id) => (id === undefined ? undefined : blobs.find((blob) => blob.id.startsWith(id))?.text);
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
