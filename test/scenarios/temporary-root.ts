import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadTree, type Room, type Tree } from "./scenario.ts";

/** A folder of its own on the disk, with the files of a scenario. */
export type TemporaryRoot = { readonly root: string } & Pick<Room, "write" | "tree"> & { remove(): void };

export function createRoot(before: Tree): TemporaryRoot {
  const root = mkdtempSync(join(tmpdir(), "suture-scenario-"));
  const put = (path: string, bytes: Uint8Array | string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  };
  for (const [path, bytes] of Object.entries(before)) put(path, bytes);
  return {
    root,
    write: async (path, text) => put(path, text),
    tree: async () => loadTree(root),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
