import { readContent, versionOf, writeAll } from "../files/content.ts";
import { codeOf, type Dir, type Files, type NameInDir } from "../files/files.ts";
import { makeFolder, type StateAccess, unlinkIfThere } from "../state/state.ts";
import { linkQuietly, readSavedCopy } from "./saved-copies.ts";

export function backupPath(id: string, path: string): string {
  return `.suture/backups/${id}/${backupNames(path).join("/")}`;
}

/** Identifies the previous version of one file of an entry. */
export type Backup = { readonly id: string; readonly path: string; readonly version: string };

/**
 * Saved copies under readable names, for people: `.suture/backups/<entry>/<path>.bak`. Opens each directory once, and
 * keeps it open until `close`.
 */
export class BackupFiles {
  readonly #access: StateAccess;
  readonly #opened = new Map<string, Dir>();

  constructor(access: StateAccess) {
    this.#access = access;
  }

  /** Adds the backup file of a saved copy. */
  async add({ id, path, version }: Backup): Promise<void> {
    const names = backupNames(path);
    const name = names.pop() ?? "";
    await addBackup(this.#access, version, { dir: await this.#open([id, ...names]), name });
  }

  /** Removes all backup files of an entry. */
  async remove(id: string): Promise<void> {
    await this.close();
    await removeTree(this.#access.files, this.#access.state.backups, id);
  }

  /** Removes one backup file, and the folders that are empty without it. */
  async removeFile(id: string, path: string): Promise<void> {
    await this.close();
    const { files, state } = this.#access;
    const names = [id, ...backupNames(path)];
    const dirs: Dir[] = [state.backups];
    try {
      for (const name of names.slice(0, -1))
        dirs.push(await files.openDir(dirs.at(-1) ?? state.backups, name));
      await unlinkIfThere(files, dirs.at(-1) ?? state.backups, names.at(-1) ?? "");
      for (let depth = dirs.length - 2; depth >= 0; depth--)
        await files.rmdir(dirs[depth] ?? state.backups, names[depth] ?? "");
    } catch (error) {
      // A folder is gone already, or has other files.
      if (!["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(codeOf(error))) throw error;
    } finally {
      for (const dir of dirs.slice(1)) await files.close(dir);
    }
  }

  async close(): Promise<void> {
    for (const dir of this.#opened.values()) await this.#access.files.close(dir);
    this.#opened.clear();
  }

  async #open(names: readonly string[]): Promise<Dir> {
    const { files, state } = this.#access;
    let dir = state.backups;
    for (const [depth, name] of names.entries()) {
      const path = names.slice(0, depth + 1).join("/");
      const known = this.#opened.get(path);
      if (!known) await makeFolder(files, dir, name);
      dir = known ?? (await files.openDir(dir, name));
      this.#opened.set(path, dir);
    }
    return dir;
  }
}

function backupNames(path: string): string[] {
  const names = path.split("/");
  const last = `${names.pop() ?? ""}.bak`;
  // A name of maximal length has no room for the suffix.
  const fits = new TextEncoder().encode(last).length <= 255;
  return [...names, fits ? last : `${versionOf(new TextEncoder().encode(path))}.bak`];
}

async function addBackup(access: StateAccess, version: string, at: NameInDir): Promise<void> {
  const { files, state } = access;
  try {
    if (state.links && (await linkQuietly(files, { dir: state.blobs, name: version }, at))) return;
  } catch (error) {
    const code = codeOf(error);
    // Without a saved copy there is no backup file. A caller that needs the copy is refused when it reads it.
    if (code === "ENOENT") return;
    if (code !== "EEXIST") throw error;
    const existing = await readContent(files, at);
    if (existing.ok && existing.value?.version === version) return;
    await unlinkIfThere(files, at.dir, at.name);
    return addBackup(access, version, at);
  }
  const copy = await readSavedCopy(access, version);
  if (copy.ok) await writeBackup(files, at, copy.value);
}

async function writeBackup(files: Files, { dir, name }: NameInDir, bytes: Uint8Array): Promise<void> {
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
