import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import type { Context } from "./tool.ts";

/** Every file of some paths as it is now. */
export async function readSnapshots(
  { reader }: Context,
  paths: readonly string[],
): Promise<Outcome<Map<string, Snapshot>>> {
  const snapshots = new Map<string, Snapshot>();
  for (const path of paths) {
    const read = await readAnyText(reader, path);
    if (!read.ok) return refuse({ path, ...read.refusal });
    snapshots.set(path, { path, text: read.value.text, version: read.value.version });
  }
  return accept(snapshots);
}

/**
 * A file as text. Bytes that are not UTF-8 are kept as they are, so that the ASCII around them can be edited; a file
 * with NULs is not text.
 */
export async function readAnyText(
  reader: Context["reader"],
  path: string,
): ReturnType<Context["reader"]["read"]> {
  const strict = await reader.read(path);
  if (strict.ok || strict.refusal.code !== "not-text") return strict;
  const kept = await reader.read(path, { strayBytes: "keep" });
  return kept.ok && !kept.value.text?.includes("\0") ? kept : strict;
}
