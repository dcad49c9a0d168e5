import { findWorkTree } from "./work-tree.ts";

/** Why a clone was not set up: there is none, or a file of its `.git` lies elsewhere, as an archive can bring it. */
export type CloneBarrier = "no-clone" | "elsewhere";

/** A file that git keeps for one clone. `text` is empty where there is none. */
export type OwnFile = { readonly path: string; readonly text: string };

/** The files of these names in the folder that git keeps for a clone. None may be a link, or be reached by one. */
export function findOwnFiles(root: string, names: readonly string[]): readonly OwnFile[] | CloneBarrier {
  const { join } = process.getBuiltinModule("node:path");
  const fs = process.getBuiltinModule("node:fs");
  const tree = findWorkTree(root);
  if (tree === null) return "no-clone";
  const { own, common } = tree;
  const isPlain = (name: string): boolean => {
    const steps = name.split("/").map((_, i, all) => join(common, ...all.slice(0, i + 1)));
    return steps.every((step, i) => {
      const stat = fs.lstatSync(step, { throwIfNoEntry: false });
      return !stat || (i < steps.length - 1 ? stat.isDirectory() : stat.isFile());
    });
  };
  const isShared = own === common || own.startsWith(join(common, "worktrees", "/"));
  if (!isShared || !["config", ...names].every(isPlain)) return "elsewhere";
  return names.map((name) => {
    const path = join(common, name);
    return { path, text: fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "" };
  });
}

/** Writes a file whole, and not into what another name of it has. `null` removes it. */
export function writeOwnFile(path: string, text: string | null, mode = 0o644): void {
  const fs = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.rmSync(path, { force: true });
  if (text !== null) fs.writeFileSync(path, text, { flag: "wx", mode });
}
