import { accept, type Outcome } from "../src/text/model/outcome.ts";
import { writeAll } from "../src/workspace/files/content.ts";
import type { Dir, Files } from "../src/workspace/files/files.ts";
import type { Workload } from "./workloads.ts";

/** Truncates and writes each file, one after the other, as most editors do. The rig must detect the damage. */
export async function naively(files: Files, path: string, { after }: Workload): Promise<Outcome<unknown>> {
  const root = await files.openRoot(path);
  for (const [name, printed] of Object.entries(after)) {
    if (printed === "directory") continue;
    const dir = await openParent(files, root, name);
    const file = await files.openWrite(dir, name.split("/").at(-1)!);
    await files.truncate(file, 0);
    await writeAll(files, file, Buffer.from(printed.slice(printed.indexOf(" ") + 1), "latin1"));
    await files.close(file);
  }
  return accept(null);
}

async function openParent(files: Files, root: Dir, path: string): Promise<Dir> {
  let dir = root;
  for (const name of path.split("/").slice(0, -1)) dir = await files.openDir(dir, name);
  return dir;
}
