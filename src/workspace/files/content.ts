import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { codeOf, type Dir, type Files, type OpenFile, type Stat } from "./files.ts";

/** What stands at a name: its bytes, and their hash as its version. */
export type Content = { readonly stat: Stat; readonly bytes: Uint8Array; readonly version: string };

/** The version of a path at which no file stands. */
export const absent = "absent";

/** SHA-256 of the bytes. Compared by content, never by time: a touch or a checkout is not a change. */
export function versionOf(bytes: Uint8Array): string {
  // Asked for when needed: importing it would cost every command a fifth of its start.
  return process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex");
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

/**
 * The file at a name; `null` where there is none. Only regular files of at most `limit` bytes are read. Where it is
 * probably `like` something known, comparing with that takes a tenth of the time of hashing.
 */
export async function readContent(
  files: Files,
  dir: Dir,
  name: string,
  limit: number,
  like?: Pick<Content, "bytes" | "version">,
): Promise<Outcome<Content | null>> {
  const found = await files.stat(dir, name);
  if (!found) return accept(null);
  const flaw = flawOf(found, limit);
  if (flaw) return flaw;
  let file: OpenFile;
  try {
    file = await files.openRead(dir, name);
  } catch (error) {
    return refuse(openRefusal(codeOf(error)));
  }
  try {
    const stat = await files.statOpen(file);
    const changed = flawOf(stat, limit);
    if (changed) return changed;
    const bytes = await readAll(files, file, stat.size, limit);
    if (bytes.length > limit)
      return refuse({ code: "too-large", size: bytes.length, limit, what: "the file" });
    const version = like && sameBytes(like.bytes, bytes) ? like.version : versionOf(bytes);
    return accept({ stat, bytes, version });
  } finally {
    await files.close(file);
  }
}

function flawOf({ kind, size }: Stat, limit: number): ReturnType<typeof refuse> | null {
  if (kind === "link") return refuse({ code: "outside", detail: "a link" });
  if (kind === "directory") return refuse({ code: "not-allowed", detail: "a directory" });
  if (kind === "other")
    return refuse({ code: "not-allowed", barrier: "not-regular", detail: "not a regular file" });
  return size > limit ? refuse({ code: "too-large", size, limit, what: "the file" }) : null;
}

function openRefusal(code: string): Parameters<typeof refuse>[0] {
  if (code === "ELOOP") return { code: "outside", detail: "a link" };
  if (code === "EISDIR") return { code: "not-allowed", detail: "a directory" };
  if (code === "EINVAL") return { code: "not-allowed", barrier: "not-regular", detail: "not a regular file" };
  return { code: code === "EACCES" || code === "EPERM" ? "not-allowed" : "unavailable", detail: code };
}

/** Everything from the start to the end, also of a file that grows meanwhile; a little more than `limit` at most. */
export async function readAll(
  files: Files,
  file: OpenFile,
  size: number,
  limit = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  // One byte more than it should have tells whether it has grown.
  let bytes = await files.read(file, 0, size + 1);
  while (bytes.length > size && bytes.length <= limit) {
    const more = await files.read(file, bytes.length, Math.max(1 << 16, bytes.length));
    if (more.length === 0) break;
    const both = new Uint8Array(bytes.length + more.length);
    both.set(bytes);
    both.set(more, bytes.length);
    bytes = both;
  }
  return bytes;
}

/** Writes until every byte is out. */
export async function writeAll(files: Files, file: OpenFile, bytes: Uint8Array, position = 0): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const count = await files.write(file, bytes.subarray(done), position + done);
    if (count <= 0) throw Object.assign(new Error("EIO: a write took nothing"), { code: "EIO" });
    done += count;
  }
}
