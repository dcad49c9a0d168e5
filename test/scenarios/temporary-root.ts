import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Room } from "./scenario.ts";
import { loadTree, type Tree } from "./tree.ts";

const identity = [
  "-c",
  "user.name=scenario",
  "-c",
  "user.email=scenario@example.com",
  "-c",
  "commit.gpgsign=false",
];

/** A folder of its own on the disk, with the files of a scenario. */
export type TemporaryRoot = Required<Pick<Room, "write" | "tree" | "commit">> & {
  readonly root: string;
  /** Replaces all files, as a checkout of another branch does; Suture's state stays. */
  fill(tree: Tree): void;
  remove(): void;
};

export function createRoot(before: Tree): TemporaryRoot {
  const root = mkdtempSync(join(tmpdir(), "suture-scenario-"));
  const put = (path: string, bytes: Uint8Array | string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  };
  const fill = (tree: Tree): void => {
    for (const name of readdirSync(root).filter((each) => each !== ".suture"))
      rmSync(join(root, name), { recursive: true, force: true });
    for (const [path, bytes] of Object.entries(tree)) put(path, bytes);
  };
  fill(before);
  return {
    root,
    fill,
    write: async (path, text) => put(path, text),
    tree: async () => loadTree(root),
    commit: (message) => {
      const git = (...words: string[]): void => void execFileSync("git", ["-C", root, ...identity, ...words]);
      git("init", "--quiet");
      git("add", "--all");
      git("commit", "--quiet", "--message", message);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
