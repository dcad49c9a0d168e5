import { crc32 } from "../hash/crc32.ts";
import { randomHex } from "../hash/random-hex.ts";
import { isPrivatePath } from "./private-folder.ts";

/**
 * Reads derived bytes that an earlier run stored in the user's cache, never inside a root; null if there are none.
 * A file that another user could have written, or whose checksum is wrong, counts as missing.
 */
export function readCacheFile(name: string): Uint8Array | null {
  const fs = process.getBuiltinModule("node:fs");
  const path = cachePath(name);
  if (path === null) return null;
  let file: number;
  try {
    file = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
  } catch {
    return null;
  }
  try {
    const { size, uid, mode } = fs.fstatSync(file);
    const owner = process.getuid?.();
    if ((owner !== undefined && (uid !== owner || (mode & 0o022) !== 0)) || size < 4) return null;
    const bytes = fs.readFileSync(file);
    const kept = bytes.subarray(4);
    return bytes.readUInt32LE(0) === crc32(kept) ? kept : null;
  } catch {
    return null;
  } finally {
    fs.closeSync(file);
  }
}

/** Stores bytes for the next run, all or nothing. Returns false if the cache cannot be written. */
export function writeCacheFile(name: string, bytes: Uint8Array): boolean {
  const fs = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  const path = cachePath(name);
  if (path === null) return false;
  const draft = `${path}.${randomHex(6)}.draft`;
  const head = Buffer.alloc(4);
  head.writeUInt32LE(crc32(bytes));
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, Buffer.concat([head, bytes]), { flag: "wx", mode: 0o600 });
    fs.renameSync(draft, path);
    return true;
  } catch {
    removeQuietly(draft);
    return false;
  }
}

/** A file of the cache, and when it was last written, in milliseconds. */
export type CachedFile = { readonly name: string; readonly time: number };

/** The files and folders in a folder of the cache, named with that folder. */
export function listCacheFiles(folder: string): CachedFile[] {
  const fs = process.getBuiltinModule("node:fs");
  const path = cachePath(folder);
  if (path === null) return [];
  try {
    return fs
      .readdirSync(path)
      .filter((name) => !name.endsWith(".draft"))
      .map((name) => ({ name: `${folder}/${name}`, time: fs.statSync(`${path}/${name}`).mtimeMs }));
  } catch {
    return [];
  }
}

/** Removes a file of the cache, or a folder with its files. */
export function removeCacheFile(name: string): void {
  const path = cachePath(name);
  if (path !== null) removeQuietly(path);
}

function removeQuietly(path: string): void {
  try {
    process.getBuiltinModule("node:fs").rmSync(path, { force: true, recursive: true });
  } catch {
    // The parent is not a folder, so there is no file to remove.
  }
}

/** A file of the cache; null where there is no cache, or where other users can write to it. */
function cachePath(name: string): string | null {
  const folder = cacheFolder();
  if (folder === null) return null;
  if (folder !== judged?.folder) judged = { folder, isPrivate: isPrivate(folder) };
  return judged.isPrivate ? process.getBuiltinModule("node:path").join(folder, name) : null;
}

let judged: { readonly folder: string; readonly isPrivate: boolean } | undefined;

function isPrivate(folder: string): boolean {
  try {
    return isPrivatePath(folder);
  } catch {
    return false;
  }
}

/** `SUTURE_CACHE` names another cache folder, or turns the cache `off`. */
function cacheFolder(): string | null {
  const { join, isAbsolute } = process.getBuiltinModule("node:path");
  const { homedir } = process.getBuiltinModule("node:os");
  const { SUTURE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (SUTURE_CACHE === "off") return null;
  if (SUTURE_CACHE) return isAbsolute(SUTURE_CACHE) ? SUTURE_CACHE : null;
  const home =
    process.platform === "win32"
      ? (LOCALAPPDATA ?? join(homedir(), "AppData", "Local"))
      : XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)
        ? XDG_CACHE_HOME
        : join(homedir(), ".cache");
  return join(home, "suture");
}
