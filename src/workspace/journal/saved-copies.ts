import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Content, readAll, readContent, sameBytes, versionOf } from "../files/content.ts";
import { codeOf, type Dir, type Files, type OpenFile, withoutLinks } from "../files/files.ts";
import { replaceFile, type State } from "../state/state.ts";

/**
 * Images are files' previous bytes, kept under the hash of their content. The image of a file that is replaced is the
 * file itself: its inode, which nobody writes again, under a second name. Where that cannot be, it is a copy.
 * The image is returned open, still to be flushed; `own`: it is the file itself.
 */
export async function keepImage(
  files: Files,
  state: State,
  at: { readonly dir: Dir; readonly name: string },
  content: Content,
  { copy, held, flush }: { copy: boolean; held: boolean; flush: boolean },
): Promise<{ readonly file: OpenFile; readonly own: boolean }> {
  const { version, stat, bytes } = content;
  if (held && !(await isImageOf(files, state, content))) await moveImpostor(files, state, version);
  else if (held) return { file: await files.openRead(state.blobs, version), own: false };
  try {
    const own = !copy && stat.device === state.device && (await linkImage(files, state, at, version));
    // A copy has its name only when its bytes are safe: nobody else would know that it is half of one.
    if (!own) await replaceFile(files, state.blobs, version, bytes, { flush: flush ? "file" : "none" });
    return { file: await files.openRead(state.blobs, version), own };
  } catch (error) {
    // Another file of the same transaction has the same content.
    if (held || codeOf(error) !== "EEXIST") throw error;
    return keepImage(files, state, at, content, { copy, held: true, flush });
  }
}

/** Whether what is kept under a file's version is that file, or holds its bytes. */
async function isImageOf(files: Files, state: State, { version, stat, bytes }: Content): Promise<boolean> {
  const standing = await files.stat(state.blobs, version);
  return standing?.identity === stat.identity || (await isSound(files, state, version, bytes));
}

/** Whether a file has an image that is the file itself, as a crash may leave it: then it only seems to be shared. */
export async function isOwnImage(files: Files, state: State, { version, stat }: Content): Promise<boolean> {
  return stat.links === 2 && (await files.stat(state.blobs, version))?.identity === stat.identity;
}

/** The bytes of an image, if they are still what their name says. */
export async function readImage(
  files: Files,
  state: State,
  version: string,
  bytes?: Uint8Array,
): Promise<Outcome<Uint8Array>> {
  if (!/^[0-9a-f]{64}$/.test(version))
    return refuse({ code: "unavailable", detail: "there is no such image" });
  const like = bytes && { bytes, version };
  const content = await readContent(files, state.blobs, version, Number.POSITIVE_INFINITY, like);
  if (!content.ok) return content;
  if (!content.value) return refuse({ code: "unavailable", detail: `the image ${version} is gone` });
  return content.value.version === version
    ? accept(content.value.bytes)
    : refuse({ code: "unavailable", detail: `the image ${version} has changed` });
}

/** No entry speaks of these bytes, so they carry a mark that they are not to be collected. */
export async function markKept(files: Files, state: State, version: string): Promise<void> {
  const mark = `${version}.keep`;
  if (!(await files.stat(state.blobs, mark)))
    await files.close(await files.create(state.blobs, mark, imageMode));
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
  await markKept(files, state, version);
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
  version: string,
  live: Content,
  { held }: { held: boolean },
): Promise<void> {
  const standing = await files.stat(state.blobs, version);
  if (standing?.identity !== live.stat.identity) return;
  if (held && live.version === version)
    await replaceFile(files, state.blobs, version, live.bytes, { flush: "both" });
  else await files.unlink(state.blobs, version);
}

/**
 * Somebody may have written into the old file while it was being replaced. If so, those bytes get a name of their own,
 * which is returned, and the image is made anew.
 */
export async function rescueImage(
  files: Files,
  state: State,
  { version, bytes }: Content,
): Promise<string | null> {
  if (await isSound(files, state, version, bytes)) return null;
  const standing = await readContent(files, state.blobs, version, Number.POSITIVE_INFINITY);
  await moveImpostor(files, state, version);
  await replaceFile(files, state.blobs, version, bytes, { flush: "both" });
  return standing.ok && standing.value ? `.suture/backups/blobs/${standing.value.version}` : null;
}

/** Images are for their owner alone. */
export const imageMode = 0o600;

/** Takes away every permission but the owner's. */
export async function closeImage(files: Files, state: State, version: string): Promise<void> {
  const file = await files.openRead(state.blobs, version);
  try {
    await files.setMode(file, imageMode);
  } finally {
    await files.close(file);
  }
}

/** Whether the image of this hash is there and is what its name says; quicker where its bytes are known. */
export async function isSound(
  files: Files,
  state: State,
  version: string,
  bytes?: Uint8Array,
): Promise<boolean> {
  return (await readImage(files, state, version, bytes)).ok;
}

/** Bytes that an outside program wrote into an old file after it was replaced go under their own name. */
async function moveImpostor(files: Files, state: State, version: string): Promise<void> {
  const content = await readContent(files, state.blobs, version, Number.POSITIVE_INFINITY);
  if (!content.ok || !content.value) return;
  const { bytes } = content.value;
  // Whoever still has the old file open may write once more; so it is looked at again when its name is gone.
  const file = await files.openRead(state.blobs, version);
  try {
    await storeImage(files, state, bytes, { flush: true });
    await files.unlink(state.blobs, version);
    const last = await readAll(files, file, bytes.length);
    if (!sameBytes(last, bytes)) await storeImage(files, state, last, { flush: true });
  } finally {
    await files.close(file);
  }
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

export async function linkQuietly(
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
