import { accept, type Outcome, type Refusal, type Refused, refuse } from "../../text/model/outcome.ts";
import { sha256 } from "../hash/sha256.ts";
import { codeOf, type Files, type NameInDir, type OpenFile, type Stat } from "./files.ts";

/** The content of a file. `version` is the hash of its bytes. */
export type Content = { readonly stat: Stat; readonly bytes: Uint8Array; readonly version: string };

/** The version of a path without a file. */
export const absent = "absent";

/** SHA-256 of the bytes. Versions compare content, never time, so a touch or a checkout is not a change. */
export function versionOf(bytes: Uint8Array): string {
  return sha256(bytes);
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

export type ReadOptions = {
  /** The largest file that is read, in bytes; by default any. */
  readonly limit?: number;
  /** Content that the file probably still has: comparing takes a tenth of the time of hashing. */
  readonly like?: Pick<Content, "bytes" | "version"> | undefined;
};

/** The content of a regular file; `null` where the name does not exist. */
export async function readContent(
  files: Files,
  { dir, name }: NameInDir,
  { limit = Number.POSITIVE_INFINITY, like }: ReadOptions = {},
): Promise<Outcome<Content | null>> {
  // Opening a pipe or device has effects. A name that led to a regular file a moment ago need not be asked about again.
  const found = like ? null : await files.stat(dir, name);
  if (!like && !found) return accept(null);
  const flaw = found && flawOf(found, limit);
  if (flaw) return flaw;
  let file: OpenFile;
  try {
    file = await files.openRead(dir, name);
  } catch (error) {
    const code = codeOf(error);
    return like && code === "ENOENT" ? accept(null) : refuse(openRefusal(code));
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

function flawOf({ kind, size }: Stat, limit: number): Refused | null {
  if (kind === "link") return refuse({ code: "outside", detail: "a link" });
  if (kind === "directory") return refuse({ code: "not-allowed", detail: "a directory" });
  if (kind === "other")
    return refuse({ code: "not-allowed", barrier: "not-regular", detail: "not a regular file" });
  return size > limit ? refuse({ code: "too-large", size, limit, what: "the file" }) : null;
}

function openRefusal(code: string): Refusal {
  if (code === "ELOOP") return { code: "outside", detail: "a link" };
  if (code === "EISDIR") return { code: "not-allowed", detail: "a directory" };
  if (code === "EINVAL") return { code: "not-allowed", barrier: "not-regular", detail: "not a regular file" };
  return { code: code === "EACCES" || code === "EPERM" ? "not-allowed" : "unavailable", detail: code };
}

/** The whole file, even if it grows during the read; stops shortly after `limit` bytes. */
export async function readAll(
  files: Files,
  file: OpenFile,
  size: number,
  limit = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  // Asking for one extra byte shows whether the file has grown.
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

/** Writes until every byte is written. */
export async function writeAll(files: Files, file: OpenFile, bytes: Uint8Array, position = 0): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const count = await files.write(file, bytes.subarray(done), position + done);
    if (count <= 0) throw Object.assign(new Error("EIO: a write wrote no bytes"), { code: "EIO" });
    done += count;
  }
}
