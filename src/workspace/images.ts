import { accept, type Outcome, refuse } from "../text/outcome.ts";
import { type Content, readContent, versionOf, writeAll } from "./content.ts";
import { codeOf, type Dir, type Files, type OpenFile, withoutLinks } from "./files.ts";
import { makeFolder, replaceFile, type State, unlinkIfThere } from "./state.ts";

/**
 * Images are files' previous bytes, kept under the hash of their content. The image of a file that is replaced is the
 * file itself: its inode, which nobody writes again, under a second name. Where that cannot be, it is a copy.
 * The image is returned open, still to be flushed.
 */
export async function keepImage(
  files: Files,
  state: State,
  at: { readonly dir: Dir; readonly name: string },
  { version, stat, bytes }: Content,
  { copy }: { copy: boolean },
): Promise<OpenFile> {
  const standing = await files.stat(state.blobs, version);
  if (standing && standing.identity !== stat.identity && !(await isSound(files, state, version)))
    await moveImpostor(files, state, version);
  else if (standing) return files.openRead(state.blobs, version);
  if (copy || stat.device !== state.device || !(await linkImage(files, state, at, version)))
    await replaceFile(files, state.blobs, version, bytes, { flush: "none" });
  return files.openRead(state.blobs, version);
}

/** Whether a file has an image that is the file itself, as a crash may leave it: then it only seems to be shared. */
export async function isOwnImage(files: Files, state: State, { version, stat }: Content): Promise<boolean> {
  return stat.links === 2 && (await files.stat(state.blobs, version))?.identity === stat.identity;
}

/** The bytes of an image, if they are still what their name says. */
export async function readImage(files: Files, state: State, version: string): Promise<Outcome<Uint8Array>> {
  if (!/^[0-9a-f]{64}$/.test(version))
    return refuse({ code: "unavailable", detail: "there is no such image" });
  const content = await readContent(files, state.blobs, version, Number.POSITIVE_INFINITY);
  if (!content.ok) return content;
  if (!content.value) return refuse({ code: "unavailable", detail: `the image ${version} is gone` });
  return content.value.version === version
    ? accept(content.value.bytes)
    : refuse({ code: "unavailable", detail: `the image ${version} has changed` });
}

/** Puts bytes into the store under their hash. */
export async function storeImage(
  files: Files,
  state: State,
  bytes: Uint8Array,
  { flush }: { flush: boolean },
): Promise<string> {
  const version = versionOf(bytes);
  if (await isSound(files, state, version)) return version;
  // No entry speaks of these bytes, so they carry the mark that says why they are here.
  if (!(await files.stat(state.blobs, `${version}.keep`)))
    await files.close(await files.create(state.blobs, `${version}.keep`, 0o600));
  await replaceFile(files, state.blobs, version, bytes, { flush: flush ? "both" : "none" });
  return version;
}

/**
 * An image that shares its inode with a file people work on would change with it. Gives such an image a copy of its
 * own if it was there before, else takes it away.
 */
export async function detachImage(
  files: Files,
  state: State,
  content: Content,
  { held }: { held: boolean },
): Promise<void> {
  const standing = await files.stat(state.blobs, content.version);
  if (standing?.identity !== content.stat.identity) return;
  if (held) await replaceFile(files, state.blobs, content.version, content.bytes, { flush: "both" });
  else await files.unlink(state.blobs, content.version);
}

/**
 * Somebody may have written into the old file while it was being replaced. If so, those bytes get a name of their own,
 * which is returned, and the image is made anew.
 */
export async function rescueImage(
  files: Files,
  state: State,
  id: string,
  path: string,
  { version, bytes }: Content,
): Promise<string | null> {
  if (await isSound(files, state, version)) return null;
  const standing = await readContent(files, state.blobs, version, Number.POSITIVE_INFINITY);
  await moveImpostor(files, state, version);
  await replaceFile(files, state.blobs, version, bytes, { flush: "both" });
  await showBackup(files, state, id, path, version);
  return standing.ok && standing.value ? `.suture/backups/blobs/${standing.value.version}` : null;
}

/** Takes away every permission but the owner's. */
export async function closeImage(files: Files, state: State, version: string): Promise<void> {
  const file = await files.openRead(state.blobs, version);
  try {
    await files.setMode(file, 0o600);
  } finally {
    await files.close(file);
  }
}

/** Where the image of a file lies for people to read: `.suture/backups/<entry>/<path>.bak`. */
export function backupPath(id: string, path: string): string {
  return `.suture/backups/${id}/${backupNames(path).join("/")}`;
}

function backupNames(path: string): string[] {
  const names = path.split("/");
  const last = `${names.pop()!}.bak`;
  // A name that is as long as names can be has no room for the suffix.
  const fits = new TextEncoder().encode(last).length <= 255;
  return [...names, fits ? last : `${versionOf(new TextEncoder().encode(path))}.bak`];
}

/** Gives an image its readable name. */
export async function showBackup(
  files: Files,
  state: State,
  id: string,
  path: string,
  version: string,
): Promise<void> {
  const names = backupNames(path);
  const last = names.pop()!;
  const opened = [state.backups];
  try {
    for (const name of [id, ...names]) {
      await makeFolder(files, opened.at(-1)!, name);
      opened.push(await files.openDir(opened.at(-1)!, name));
    }
    await showImage(files, state, version, opened.at(-1)!, last);
  } finally {
    for (const dir of opened.slice(1)) await files.close(dir);
  }
}

async function showImage(files: Files, state: State, version: string, dir: Dir, name: string): Promise<void> {
  const standing = await readContent(files, dir, name, Number.POSITIVE_INFINITY);
  if (standing.ok && standing.value?.version === version) return;
  if (!standing.ok || standing.value) await unlinkIfThere(files, dir, name);
  if (state.links && (await linkQuietly(files, state.blobs, version, dir, name))) return;
  const image = await readImage(files, state, version);
  if (!image.ok) return;
  const file = await files.create(dir, name, 0o600);
  try {
    await writeAll(files, file, image.value);
  } finally {
    await files.close(file);
  }
}

/** Takes the readable names of an entry's images away again. */
export async function hideBackups(files: Files, state: State, id: string): Promise<void> {
  await removeTree(files, state.backups, id);
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

/** Whether the image of this hash is there and is what its name says. */
export async function isSound(files: Files, state: State, version: string): Promise<boolean> {
  return (await readImage(files, state, version)).ok;
}

/** Bytes that an outside program wrote into an old file after it was replaced go under their own name. */
async function moveImpostor(files: Files, state: State, version: string): Promise<void> {
  const content = await readContent(files, state.blobs, version, Number.POSITIVE_INFINITY);
  if (!content.ok || !content.value) return;
  await storeImage(files, state, content.value.bytes, { flush: true });
  await files.unlink(state.blobs, version);
}

async function linkImage(
  files: Files,
  state: State,
  at: { dir: Dir; name: string },
  version: string,
): Promise<boolean> {
  return state.links && (await linkQuietly(files, at.dir, at.name, state.blobs, version));
}

const elsewhere = new Set([...withoutLinks, "EXDEV", "EACCES"]);

async function linkQuietly(
  files: Files,
  from: Dir,
  name: string,
  to: Dir,
  newName: string,
): Promise<boolean> {
  try {
    await files.link(from, name, to, newName);
    return true;
  } catch (error) {
    if (elsewhere.has(codeOf(error))) return false;
    throw error;
  }
}
