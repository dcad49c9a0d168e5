import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskFiles } from "../src/workspace/files/disk-files.ts";
import type { Files } from "../src/workspace/files/files.ts";
import type { MemoryDisk } from "../src/workspace/files/memory-files.ts";

/** Every path below a root: a file as its mode and bytes, a directory as the word `directory`. */
export type Tree = Readonly<Record<string, string>>;

/** A root on a disk, real or in memory, with the operations that the rig needs besides the engine's port. */
export type Scene = {
  readonly root: string;
  /** A port for a new process; on a real disk, for this process. */
  files(): Files;
  /** Everything in the root except the engine's state. */
  tree(): Tree;
  /** The files of the engine's state, with their bytes. */
  state(): Tree;
  /** Writes a file as an outside program does. */
  put(path: string, content: string, mode?: number): void;
  link(path: string, newPath: string): void;
  remove(path: string): void;
};

const stateName = ".suture";

export function memoryScene(disk: MemoryDisk, root = "root"): Scene {
  const at = (path: string): string => `${root}/${path}`;
  return {
    root,
    files: () => disk.process(),
    tree: () => memoryTree(disk, `${root}/`, (path) => !isState(path)),
    state: () => memoryTree(disk, `${root}/`, isState),
    put: (path, content, mode) => disk.put(at(path), Buffer.from(content, "latin1"), mode),
    link: (path, newPath) => disk.putName(at(path), at(newPath)),
    remove: (path) => disk.remove(at(path)),
  };
}

/** A new directory on the real disk. Tests that need no lasting disk use a memory file system where there is one. */
export function makeDiskScene({ lasting }: { lasting: boolean }): Scene {
  const memory = "/dev/shm";
  const base = !lasting && fs.existsSync(memory) ? memory : tmpdir();
  return diskScene(fs.mkdtempSync(join(base, "suture-torture-")));
}

export function diskScene(root: string): Scene {
  const at = (path: string): string => join(root, path);
  return {
    root,
    files: () => diskFiles(),
    tree: () => diskTree(root, (path) => !isState(path)),
    state: () => diskTree(root, isState),
    put: (path, content, mode = 0o644) => {
      fs.mkdirSync(join(at(path), ".."), { recursive: true });
      fs.writeFileSync(at(path), content, "latin1");
      fs.chmodSync(at(path), mode);
    },
    link: (path, newPath) => fs.linkSync(at(path), at(newPath)),
    remove: (path) => fs.rmSync(at(path), { recursive: true }),
  };
}

export function removeDiskScene({ root }: Scene): void {
  fs.rmSync(root, { recursive: true, force: true });
}

export function printFile(content: string, mode: number): string {
  return `${mode.toString(8)} ${content}`;
}

/** A short description of the difference of two trees; `null` if they are equal. */
export function differenceOf(found: Tree, wanted: Tree): string | null {
  const names = [...new Set([...Object.keys(found), ...Object.keys(wanted)])].filter(
    (name) => found[name] !== wanted[name],
  );
  if (names.length === 0) return null;
  const show = (name: string): string => `${name}: ${brief(found[name])}, wanted ${brief(wanted[name])}`;
  return names.slice(0, 4).map(show).join("; ") + (names.length > 4 ? `; ${names.length - 4} more` : "");
}

export function onlyFiles(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith("/")));
}

function brief(value: string | undefined): string {
  return value === undefined
    ? "nothing"
    : JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

function isState(path: string): boolean {
  return path === `${stateName}/` || path.startsWith(`${stateName}/`);
}

function memoryTree(disk: MemoryDisk, prefix: string, wanted: (path: string) => boolean): Tree {
  const tree: Record<string, string> = {};
  for (const path of disk.tree()) {
    const inside = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    if (inside === "" || !wanted(inside)) continue;
    const file = path.endsWith("/") ? null : disk.read(path);
    tree[inside] = file ? printFile(Buffer.from(file.bytes).toString("latin1"), file.mode) : "directory";
  }
  return tree;
}

function diskTree(root: string, wanted: (path: string) => boolean): Tree {
  const tree: Record<string, string> = {};
  const walk = (dir: string, prefix: string): void => {
    for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
      const path = prefix + entry.name + (entry.isDirectory() ? "/" : "");
      if (!wanted(path)) continue;
      const full = join(dir, entry.name);
      if (entry.isDirectory()) {
        tree[path] = "directory";
        walk(full, path);
      } else if (entry.isFile()) {
        tree[path] = printFile(fs.readFileSync(full, "latin1"), fs.lstatSync(full).mode & 0o7777);
      } else tree[path] = entry.isSymbolicLink() ? `link ${fs.readlinkSync(full)}` : "special";
    }
  };
  walk(root, "");
  return tree;
}
