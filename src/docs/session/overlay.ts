import { encode } from "../../text/model/encoding.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { versionOf } from "../../workspace/files/content.ts";
import { blobIdLike, type Git, type RawChange } from "../../workspace/git/git.ts";
import type { FileSnapshot, Reader } from "../../workspace/workspace.ts";

/** Texts that are not saved yet, by path. */
export type Overlay = ReadonlyMap<string, string>;

/** A repository and its work tree, as a check asks them. */
export type RepositorySides = { readonly git: Git; readonly reader: Reader };

/**
 * The repository as it would be if these texts were saved. Only the work tree differs; commits and the index stay as
 * they are. Files that git ignores, and links, are not part of it.
 */
export async function overlay(sides: RepositorySides, texts: Overlay): Promise<RepositorySides> {
  const snapshots = await unsaved(sides, texts);
  if (snapshots.size === 0) return sides;
  const { git, reader } = sides;
  return {
    git: {
      ...git,
      changes: async (base, head) => {
        const listed = await git.changes(base, head);
        return head === "worktree" ? overlayChanges(git, base, listed, snapshots) : listed;
      },
      untracked: async () => withCreated(await git.untracked(), snapshots),
      workFiles: async () => withCreated(await git.workFiles(), snapshots),
    },
    reader: {
      ...reader,
      read: async (path, options) => {
        const snapshot = snapshots.get(path);
        return snapshot ? accept(snapshot.after) : reader.read(path, options);
      },
    },
  };
}

/** A text that is not saved, beside the file on disk. */
type Unsaved = { readonly before: FileSnapshot; readonly after: FileSnapshot };

/** The texts that differ from the disk and belong to the work tree. */
async function unsaved({ git, reader }: RepositorySides, texts: Overlay): Promise<Map<string, Unsaved>> {
  const found = new Map<string, Unsaved>();
  for (const [path, text] of texts) {
    const read: Outcome<FileSnapshot> = await reader.read(path);
    if (!read.ok || read.value.text === text) continue;
    const after = saved(read.value, text);
    if (after) found.set(path, { before: read.value, after });
  }
  return dropOutside(git, found);
}

/** The file as it would be read after it was saved; null where the text cannot be saved in the file's encoding. */
function saved(before: FileSnapshot, text: string): FileSnapshot | null {
  const encoding = before.encoding ?? "utf-8";
  const bytes = encode(text, encoding);
  if (!bytes.ok) return null;
  const mode = before.mode ?? 0o644;
  return { path: before.path, text, bytes: bytes.value, encoding, mode, version: versionOf(bytes.value) };
}

/** Drops texts of files that git ignores, and of links. */
async function dropOutside(git: Git, found: Map<string, Unsaved>): Promise<Map<string, Unsaved>> {
  if (found.size === 0) return found;
  const known = new Set(await git.workFiles());
  const strange = [...found.keys()].filter((path) => !known.has(path));
  const ignored = strange.length === 0 ? new Set<string>() : await git.ignored(strange);
  for (const path of strange)
    if (ignored.has(path) || found.get(path)!.before.text !== null) found.delete(path);
  return found;
}

/** A list of files, and those that only exist in an editor yet. */
function withCreated(paths: readonly string[], snapshots: ReadonlyMap<string, Unsaved>): readonly string[] {
  const known = new Set(paths);
  const created = [...snapshots].flatMap(([path, { before }]) =>
    before.text === null && !known.has(path) ? path : [],
  );
  return created.length === 0 ? paths : inGitOrder([...paths, ...created]);
}

async function overlayChanges(
  git: Git,
  base: string,
  listed: readonly RawChange[],
  snapshots: ReadonlyMap<string, Unsaved>,
): Promise<RawChange[]> {
  const before = new Map<string, string>();
  for (const { path, id } of await git.tree(base)) if (snapshots.has(path)) before.set(path, id);
  const changes = listed.flatMap((change) => {
    const snapshot = change.kind === "file" ? snapshots.get(change.path) : undefined;
    return snapshot ? overlayChange(change, before.get(change.path), snapshot) : change;
  });
  const names = new Set(listed.map(({ path }) => path));
  for (const [path, id] of before)
    if (!names.has(path)) changes.push(...modified(path, id, snapshots.get(path)!));
  const places = new Map(inGitOrder(changes.map(({ path }) => path)).map((path, place) => [path, place]));
  return changes.sort((a, b) => places.get(a.path)! - places.get(b.path)!);
}

/** Git sorts paths by their bytes. */
function inGitOrder(paths: readonly string[]): string[] {
  return paths
    .map((path) => ({ path, bytes: Buffer.from(path) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ path }) => path);
}

/** The git state of a file with an unsaved buffer: added, changed, or unchanged. */
function overlayChange(change: RawChange, before: string | undefined, snapshot: Unsaved): RawChange[] {
  if (before === undefined) return [{ ...change, after: null }];
  const changes = modified(change.path, before, snapshot);
  return changes.length === 0 && change.isModeChange ? [{ ...change, after: before }] : changes;
}

function modified(path: string, before: string, { after }: Unsaved): RawChange[] {
  if (blobIdLike(after.bytes!, before) === before) return [];
  return [{ path, before, after: null, status: "modified", kind: "file" }];
}
