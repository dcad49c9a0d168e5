import * as fs from "node:fs";
import { accept, type Outcome } from "../src/text/model/outcome.ts";
import { diskFiles } from "../src/workspace/files/disk-files.ts";
import type { Dir, Files, OpenFile, Stat } from "../src/workspace/files/files.ts";
import { createGc } from "../src/workspace/journal/gc.ts";
import { openRoot } from "../src/workspace/open-root.ts";
import { createReader } from "../src/workspace/reader.ts";
import { createDoctor } from "../src/workspace/state/doctor.ts";
import { createStateWriter } from "../src/workspace/state/state-files.ts";
import type { Workspace, WorkspaceOptions } from "../src/workspace/workspace.ts";
import { createWriter } from "../src/workspace/writer.ts";

/** How a part opens a workspace on the real disk. */
export type Opener = {
  files(): Files;
  open(root: string, options: WorkspaceOptions): Promise<Outcome<Workspace>>;
};

/** A workspace that does not know that it is closed: each call uses the number of its descriptor. */
export const unguarded: Opener = {
  files: numberedFiles,
  open: async (path, options) => {
    const files = options.files ?? numberedFiles();
    const opened = await openRoot(files, path, {
      durability: options.durability ?? "fast",
      sizeLimit: 1 << 28,
    });
    if (!opened.ok) return opened;
    const root = opened.value;
    const close = (): Promise<void> => root.close();
    return accept({
      ...createReader(root, options),
      ...createWriter(root, options),
      ...createStateWriter(root, options),
      ...createGc(root, options),
      ...createDoctor(root, options),
      isClosed: () => false,
      close,
      [Symbol.asyncDispose]: close,
    });
  },
};

/** Handles that are plain descriptor numbers: a closed one refers to any file that has reused the number. */
function numberedFiles(): Files {
  const inner = diskFiles();
  const at = (dir: Dir, name: string): string => `/proc/self/fd/${numberOf(dir)}/${name}`;
  const through = async <T>(dir: Dir, work: (open: Dir) => Promise<T>): Promise<T> => {
    const open = await inner.openRoot(`/proc/self/fd/${numberOf(dir)}`);
    return work(open).finally(() => inner.close(open));
  };
  const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = fs.constants;
  const openFile = (path: string, how: number, mode?: number): OpenFile =>
    numbered(fs.openSync(path, how | O_NOFOLLOW, mode)) as OpenFile;
  return {
    ...inner,
    openRoot: async (path) => numbered(fs.openSync(path, O_RDONLY | O_DIRECTORY)) as Dir,
    openDir: async (dir, name) =>
      numbered(fs.openSync(at(dir, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)) as Dir,
    list: (dir) => through(dir, inner.list),
    stat: (dir, name) => through(dir, (open) => inner.stat(open, name)),
    statOpen: async (handle) => statOf(fs.fstatSync(numberOf(handle), { bigint: true })),
    readLink: async (dir, name) => fs.readlinkSync(at(dir, name)),
    close: async (handle) => {
      try {
        fs.closeSync(numberOf(handle));
      } catch {
        // Errors of `close` are ignored here too.
      }
    },
    openRead: async (dir, name) => openFile(at(dir, name), O_RDONLY),
    read: async (file, position, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, fs.readSync(numberOf(file), bytes, 0, length, position));
    },
    create: async (dir, name, mode) => openFile(at(dir, name), O_RDWR | O_CREAT | O_EXCL, mode),
    openWrite: async (dir, name) => openFile(at(dir, name), O_RDWR),
    write: async (file, bytes, position) => fs.writeSync(numberOf(file), bytes, 0, bytes.length, position),
    truncate: async (file, size) => fs.ftruncateSync(numberOf(file), size),
    setMode: async (handle, mode) => fs.fchmodSync(numberOf(handle), mode),
    setOwner: async (file, uid, gid) => fs.fchownSync(numberOf(file), uid, gid),
    attributes: async () => null,
    defaultMode: async () => null,
    flush: (file) => flushNumber(numberOf(file)),
    flushDir: (dir) => flushNumber(numberOf(dir)),
    rename: async (from, name, to, newName) => fs.renameSync(at(from, name), at(to, newName)),
    link: async (from, name, to, newName) => fs.linkSync(at(from, name), at(to, newName)),
    unlink: async (dir, name) => fs.unlinkSync(at(dir, name)),
    mkdir: async (dir, name, mode) => void fs.mkdirSync(at(dir, name), { mode }),
    rmdir: async (dir, name) => fs.rmdirSync(at(dir, name)),
    fileSystem: (dir) => through(dir, inner.fileSystem),
  };
}

/** Other work runs while the system flushes: this is when a close can come. */
function flushNumber(number: number): Promise<void> {
  return new Promise((resolve) => fs.fsync(number, () => resolve()));
}

type Numbered = { readonly number: number };

const numbered = (number: number): unknown => ({ number }) satisfies Numbered;
const numberOf = (handle: Dir | OpenFile): number => (handle as unknown as Numbered).number;

function statOf(stats: fs.BigIntStats): Stat {
  return {
    kind: stats.isDirectory() ? "directory" : stats.isFile() ? "file" : "other",
    identity: `${stats.dev}:${stats.ino}`,
    device: String(stats.dev),
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    size: Number(stats.size),
    links: Number(stats.nlink),
    changed: String(stats.ctimeNs),
  };
}
