import { mkdir } from "node:fs/promises";
import { codeOf, type Dir, parsePath, readAll, sameBytes, writeAll } from "suture/service";
import { accept, refuse } from "suture/text";
import { diskFiles, type Files } from "suture/workspace";
import type { Sink } from "./sink.ts";

/** Patches in a folder, which is created if it does not exist: one file for each commit, written atomically. */
export function openDirectorySink(folder: string): Sink {
  const files = diskFiles();
  return {
    kindFor: () => "patch",
    publish: async ({ repository: { host, organisation, name }, commit, patch }) => {
      const path = parsePath(`${host.replaceAll(":", "_")}/${organisation}/${name}/${commit}.patch`);
      if (!path.ok)
        return refuse({ code: "malformed", what: "the repository has no name that a folder could have" });
      const names = [...path.value.names];
      const file = names.pop()!;
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const dir = await openBelow(files, folder, names);
      try {
        await putOnce(files, dir, file, new TextEncoder().encode(patch));
      } finally {
        await files.close(dir);
      }
      return accept({ url: `${folder}/${path.value.path}` });
    },
  };
}

async function openBelow(files: Files, folder: string, names: readonly string[]): Promise<Dir> {
  let dir = await files.openRoot(folder);
  for (const name of names) {
    await files.mkdir(dir, name, 0o755).catch((error) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    const next = await files.openDir(dir, name);
    await files.close(dir);
    dir = next;
  }
  return dir;
}

/** Does not write a file that already has the same content. */
async function putOnce(files: Files, dir: Dir, name: string, bytes: Uint8Array): Promise<void> {
  if (await isSame(files, dir, name, bytes)) return;
  const draft = `.${files.randomId()}`;
  const file = await files.create(dir, draft, 0o644);
  try {
    await writeAll(files, file, bytes);
    await files.flush(file);
  } finally {
    await files.close(file);
  }
  await files.rename(dir, draft, dir, name);
  await files.flushDir(dir);
}

async function isSame(files: Files, dir: Dir, name: string, bytes: Uint8Array): Promise<boolean> {
  if ((await files.stat(dir, name)) === null) return false;
  const file = await files.openRead(dir, name);
  try {
    return sameBytes(await readAll(files, file, bytes.length), bytes);
  } finally {
    await files.close(file);
  }
}
