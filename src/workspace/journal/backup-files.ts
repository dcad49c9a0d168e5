import { readContent, versionOf, writeAll } from "../files/content.ts";
import { codeOf, type Dir, type Files } from "../files/files.ts";
import { makeFolder, type State, unlinkIfThere } from "../state/state.ts";
import { linkQuietly, readImage } from "./saved-copies.ts";

/** Images under the names they had, for people to read: `.suture/backups/<entry>/<path>.bak`. */
export type Views = {
  show(id: string, path: string, version: string): Promise<void>;
  /** Takes the views of an entry away again. */
  hide(id: string): Promise<void>;
  close(): Promise<void>;
};

export function backupPath(id: string, path: string): string {
  return `.suture/backups/${id}/${viewNames(path).join("/")}`;
}

/** Opens each directory once, and keeps it open until it is closed with all others. */
export function createViews(files: Files, state: State): Views {
  const opened = new Map<string, Dir>();

  const open = async (names: readonly string[]): Promise<Dir> => {
    let dir = state.backups;
    for (let depth = 1; depth <= names.length; depth++) {
      const path = names.slice(0, depth).join("/");
      const known = opened.get(path);
      if (!known) await makeFolder(files, dir, names[depth - 1]!);
      dir = known ?? (await files.openDir(dir, names[depth - 1]!));
      opened.set(path, dir);
    }
    return dir;
  };
  const close = async (): Promise<void> => {
    for (const dir of opened.values()) await files.close(dir);
    opened.clear();
  };

  return {
    show: async (id, path, version) => {
      const names = [id, ...viewNames(path)];
      await showImage(files, state, version, await open(names.slice(0, -1)), names.at(-1)!);
    },
    hide: async (id) => {
      await close();
      await removeTree(files, state.backups, id);
    },
    close,
  };
}

function viewNames(path: string): string[] {
  const names = path.split("/");
  const last = `${names.pop()!}.bak`;
  // A name that is as long as names can be has no room for the suffix.
  const fits = new TextEncoder().encode(last).length <= 255;
  return [...names, fits ? last : `${versionOf(new TextEncoder().encode(path))}.bak`];
}

async function showImage(files: Files, state: State, version: string, dir: Dir, name: string): Promise<void> {
  try {
    if (state.links && (await linkQuietly(files, state.blobs, version, dir, name))) return;
  } catch (error) {
    const code = codeOf(error);
    // No image, no view: whoever asks for the image is told.
    if (code === "ENOENT") return;
    if (code !== "EEXIST") throw error;
    const standing = await readContent(files, dir, name, Number.POSITIVE_INFINITY);
    if (standing.ok && standing.value?.version === version) return;
    await unlinkIfThere(files, dir, name);
    return showImage(files, state, version, dir, name);
  }
  const image = await readImage(files, state, version);
  if (image.ok) await writeCopy(files, dir, name, image.value);
}

async function writeCopy(files: Files, dir: Dir, name: string, bytes: Uint8Array): Promise<void> {
  await unlinkIfThere(files, dir, name);
  const file = await files.create(dir, name, 0o600);
  try {
    await writeAll(files, file, bytes);
  } finally {
    await files.close(file);
  }
}

async function removeTree(files: Files, parent: Dir, name: string): Promise<void> {
  const found = await files.stat(parent, name);
  if (!found) return;
  if (found.kind !== "directory") return files.unlink(parent, name);
  const dir = await files.openDir(parent, name);
  try {
    for (const entry of await files.list(dir)) await removeTree(files, dir, entry.name);
  } finally {
    await files.close(dir);
  }
  await files.rmdir(parent, name);
}
