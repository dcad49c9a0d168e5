import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Content, readAll, readContent, sameBytes, versionOf } from "../files/content.ts";
import { codeOf, type Files, type NameInDir, type OpenFile, withoutLinks } from "../files/files.ts";
import { replaceFile, type StateAccess } from "../state/state.ts";

export type SaveOptions = {
  readonly at: NameInDir;
  readonly content: Content;
  /** Save a copy even where a hard link would do. */
  readonly copy: boolean;
  /** The store already has a copy of this version. */
  readonly held: boolean;
  readonly flush: boolean;
};

/** An open saved copy that is not flushed yet. `own`: it is the old file itself. */
export type OpenCopy = { readonly file: OpenFile; readonly own: boolean };

/**
 * Saves the previous bytes of a file under the hash of its content. The saved copy of a file that is about to be
 * replaced is the file itself: its inode, under a second name. Where that is impossible, it is a real copy.
 */
export async function saveCopy(access: StateAccess, options: SaveOptions): Promise<OpenCopy> {
  const { files, state } = access;
  const { at, content, copy, held, flush } = options;
  const { version, stat, bytes } = content;
  const saved = { dir: state.blobs, name: version };
  if (held && !(await isCopyOf(access, content))) await moveForeignBytes(access, version);
  else if (held) return { file: await files.openRead(state.blobs, version), own: false };
  try {
    const mayLink = !copy && stat.device === state.device && state.links;
    const own = mayLink && (await linkQuietly(files, at, saved));
    // A copy gets its name only when its bytes are safe: a reader could not tell that it is incomplete.
    if (!own) await replaceFile(files, { ...saved, bytes, flush: flush ? "file" : "none" });
    return { file: await files.openRead(state.blobs, version), own };
  } catch (error) {
    // Another file of the same transaction has the same content.
    if (held || codeOf(error) !== "EEXIST") throw error;
    return saveCopy(access, { ...options, held: true });
  }
}

/** Whether the saved copy of a file's version is the file itself or has its bytes. */
async function isCopyOf(access: StateAccess, { version, stat, bytes }: Content): Promise<boolean> {
  const saved = await access.files.stat(access.state.blobs, version);
  return saved?.identity === stat.identity || (await isSound(access, version, bytes));
}

/** Whether a file is its own saved copy, as after a crash: then its second name is only ours. */
export async function isOwnCopy({ files, state }: StateAccess, { version, stat }: Content): Promise<boolean> {
  return stat.links === 2 && (await files.stat(state.blobs, version))?.identity === stat.identity;
}

/** The bytes of a saved copy, if they still match their hash. `bytes`, where known, makes the check faster. */
export async function readSavedCopy(
  { files, state }: StateAccess,
  version: string,
  bytes?: Uint8Array,
): Promise<Outcome<Uint8Array>> {
  if (!/^[0-9a-f]{64}$/.test(version))
    return refuse({ code: "unavailable", detail: "there is no such saved copy" });
  const like = bytes && { bytes, version };
  const content = await readContent(files, { dir: state.blobs, name: version }, { like });
  if (!content.ok) return content;
  if (!content.value) return refuse({ code: "unavailable", detail: `the saved copy ${version} is gone` });
  return content.value.version === version
    ? accept(content.value.bytes)
    : refuse({ code: "unavailable", detail: `the saved copy ${version} has changed` });
}

/** Protects bytes that no entry refers to from garbage collection. */
export async function markKept({ files, state }: StateAccess, version: string): Promise<void> {
  const marker = `${version}.keep`;
  if (!(await files.stat(state.blobs, marker)))
    await files.close(await files.create(state.blobs, marker, savedCopyMode));
}

/** Stores bytes under their hash, protected from garbage collection. */
export async function storeBytes(
  access: StateAccess,
  bytes: Uint8Array,
  { flush }: { flush: boolean },
): Promise<string> {
  const version = versionOf(bytes);
  if (await isSound(access, version)) return version;
  await markKept(access, version);
  const { files, state } = access;
  await replaceFile(files, { dir: state.blobs, name: version, bytes, flush: flush ? "both" : "none" });
  return version;
}

/**
 * A saved copy that shares its inode with a live file would change with it. Replaces such a copy with a real one if the
 * file still has its bytes, and removes it otherwise.
 */
export async function detachCopy(
  { files, state }: StateAccess,
  { version, live }: { version: string; live: Content },
): Promise<void> {
  const saved = await files.stat(state.blobs, version);
  if (saved?.identity !== live.stat.identity) return;
  if (live.version === version)
    await replaceFile(files, { dir: state.blobs, name: version, bytes: live.bytes, flush: "both" });
  else await files.unlink(state.blobs, version);
}

/**
 * Repairs a saved copy that another program changed by writing into the old file. Stores those foreign bytes under
 * their own hash, writes the copy again, and returns the path of the foreign bytes.
 */
export async function rescueCopy(access: StateAccess, { version, bytes }: Content): Promise<string | null> {
  if (await isSound(access, version, bytes)) return null;
  const { files, state } = access;
  const foreign = await readContent(files, { dir: state.blobs, name: version });
  await moveForeignBytes(access, version);
  await replaceFile(files, { dir: state.blobs, name: version, bytes, flush: "both" });
  return foreign.ok && foreign.value ? `.suture/backups/blobs/${foreign.value.version}` : null;
}

/** Only the owner may read saved copies. */
export const savedCopyMode = 0o600;

/** Removes every permission of a saved copy except the owner's. */
export async function restrictCopy({ files, state }: StateAccess, version: string): Promise<void> {
  const file = await files.openRead(state.blobs, version);
  try {
    await files.setMode(file, savedCopyMode);
  } finally {
    await files.close(file);
  }
}

/** Whether a saved copy exists and matches its hash. `bytes`, where known, makes the check faster. */
export async function isSound(access: StateAccess, version: string, bytes?: Uint8Array): Promise<boolean> {
  return (await readSavedCopy(access, version, bytes)).ok;
}

/** Moves bytes that another program wrote into a saved copy to the name of their own hash. */
async function moveForeignBytes(access: StateAccess, version: string): Promise<void> {
  const { files, state } = access;
  const content = await readContent(files, { dir: state.blobs, name: version });
  if (!content.ok || !content.value) return;
  const { bytes } = content.value;
  // A program that still has the old file open may write again, so the bytes are read again after the unlink.
  const file = await files.openRead(state.blobs, version);
  try {
    await storeBytes(access, bytes, { flush: true });
    await files.unlink(state.blobs, version);
    const last = await readAll(files, file, bytes.length);
    if (!sameBytes(last, bytes)) await storeBytes(access, last, { flush: true });
  } finally {
    await files.close(file);
  }
}

const cannotLink = new Set([...withoutLinks, "EXDEV", "EACCES"]);

/** Adds a hard link; returns false where the file system or the permissions do not allow one. */
export async function linkQuietly(files: Files, from: NameInDir, to: NameInDir): Promise<boolean> {
  try {
    await files.link(from.dir, from.name, to.dir, to.name);
    return true;
  } catch (error) {
    if (cannotLink.has(codeOf(error))) return false;
    throw error;
  }
}
