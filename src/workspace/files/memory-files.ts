import {
  type Dir,
  type FileSystem,
  type Files,
  FilesError,
  type OpenFile,
  type ProcessIdentity,
  type Stat,
} from "./files.ts";
import {
  type Choose,
  changeNames,
  copyTree,
  dropUnflushed,
  findUnflushed,
  flushData,
  flushNames,
  type Inode,
  loseAll,
  newInode,
  pathsBelow,
  type Unflushed,
} from "./inodes.ts";

export type MemoryDiskOptions = {
  /** `false`: hard links are refused, as on exFAT. */
  readonly links?: boolean;
  /** Names that differ only in case are one name. */
  readonly foldsNames?: boolean;
  /** `false`: directories cannot be flushed, as on Windows. */
  readonly flushesDirs?: boolean;
  readonly fileSystem?: Partial<FileSystem>;
  /** Directories of the root that are other file systems. */
  readonly mounts?: readonly string[];
};

/** A disk in memory that knows what was flushed, so that crashes can be tried out. Runs are repeatable. */
export type MemoryDisk = {
  /** The disk as one process sees it. */
  process(): Files;
  /** Ends a process: its handles are closed, and others can tell that it is dead. */
  kill(files: Files): void;
  /** Ends every process and keeps, of what was not flushed, what `choose` says; by default nothing. */
  cutPower(choose?: Choose): void;
  unflushed(): Unflushed[];
  /** A copy that shares nothing with this disk; its processes are others. */
  copy(): MemoryDisk;
  /** Puts a file there as an outside program would, flushed. Missing directories are made. */
  put(path: string, content: string | Uint8Array, mode?: number): void;
  /** Writes into the file that stands there, as an editor that saves in place would. */
  overwrite(path: string, content: string): void;
  putLink(path: string, target: string): void;
  /** A second name for a file. */
  putName(path: string, newPath: string): void;
  putDir(path: string): void;
  /** A pipe, socket or device. */
  putSpecial(path: string): void;
  /** Removes a file, or a directory with all that is in it. */
  remove(path: string): void;
  read(path: string): { bytes: Uint8Array; mode: number; links: number } | null;
  /** Every path below the root, sorted; directories end in a slash. */
  tree(): string[];
};

const user = 1000;
const umask = 0o022;

export function createMemoryDisk(options: MemoryDiskOptions = {}): MemoryDisk {
  return diskFrom(options, {
    boot: 1,
    processes: 100,
    ids: 0,
    inodes: 1,
    root: newInode(1, "directory", 0o755, user),
  });
}

type State = { boot: number; processes: number; ids: number; inodes: number; readonly root: Inode };
type Handle = { readonly inode: Inode; readonly owner: ProcessIdentity; closed: boolean };

function diskFrom(options: MemoryDiskOptions, state: State): MemoryDisk {
  const living = new Set<string>();
  const handles = new Set<Handle>();
  const key = (name: string): string => (options.foldsNames ? name.normalize("NFC").toLowerCase() : name);

  const endProcess = (dead: (handle: Handle) => boolean): void => {
    for (const handle of handles)
      if (dead(handle)) {
        handle.closed = true;
        handles.delete(handle);
      }
  };
  const find = (path: string): { dir: Inode; name: string; inode: Inode | undefined } => {
    const names = partsOf(path);
    const name = names.pop() ?? "";
    let dir = state.root;
    for (const part of names) {
      const next = dir.entries.get(key(part))?.inode;
      if (!next) throw new FilesError("ENOENT", "look up", path);
      dir = next;
    }
    return { dir, name, inode: dir.entries.get(key(name))?.inode };
  };
  const place = (path: string, kind: Inode["kind"], mode: number, content: Partial<Inode> = {}): void => {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (parent !== "" && !exists(parent)) place(parent, "directory", 0o755);
    const { dir, name } = find(path);
    const inode = Object.assign(newInode(++state.inodes, kind, mode, user), { device: dir.device }, content);
    if (options.mounts?.includes(path)) inode.device = inode.number;
    flushData(inode);
    changeNames(dir, [{ key: key(name), name, to: inode }]);
    flushNames(dir);
  };
  const exists = (path: string): boolean => {
    try {
      return find(path).inode !== undefined;
    } catch {
      return false;
    }
  };
  const remove = (path: string): void => {
    const { dir, name, inode } = find(path);
    for (const child of inode?.entries.values() ?? []) remove(`${path}/${child.name}`);
    changeNames(dir, [{ key: key(name), name, to: null }]);
    flushNames(dir);
  };

  return {
    process: () => {
      state.processes++;
      const numbers = { pid: state.processes, started: String(state.processes) };
      const self = { host: "memory", boot: String(state.boot), namespace: "memory", ...numbers };
      living.add(keyOf(self));
      return filesFor(self, { options, state, living, handles, key });
    },
    kill: (files) => {
      living.delete(keyOf(files.self()));
      endProcess(({ owner }) => keyOf(owner) === keyOf(files.self()));
    },
    cutPower: (choose = loseAll) => {
      living.clear();
      endProcess(() => true);
      dropUnflushed(state.root, choose);
      state.boot++;
    },
    unflushed: () => findUnflushed(state.root),
    copy: () => diskFrom(options, { ...state, boot: state.boot + 1, root: copyTree(state.root) }),
    put: (path, content, mode = 0o644) =>
      place(path, "file", mode, {
        data: typeof content === "string" ? new TextEncoder().encode(content) : content.slice(),
      }),
    overwrite: (path, content) => {
      const inode = find(path).inode ?? fail("ENOENT", path);
      inode.data = new TextEncoder().encode(content);
      flushData(inode);
    },
    putName: (path, newPath) => {
      const { dir, name } = find(newPath);
      changeNames(dir, [{ key: key(name), name, to: find(path).inode ?? fail("ENOENT", path) }]);
      flushNames(dir);
    },
    putLink: (path, target) => place(path, "link", 0o777, { target }),
    putDir: (path) => place(path, "directory", 0o755),
    putSpecial: (path) => place(path, "other", 0o644),
    remove,
    read: (path) => {
      const inode = exists(path) ? find(path).inode : undefined;
      return inode ? { bytes: inode.data.slice(), mode: inode.mode, links: inode.links } : null;
    },
    tree: () => pathsBelow(state.root),
  };
}

type Shared = {
  readonly options: MemoryDiskOptions;
  readonly state: State;
  readonly living: Set<string>;
  readonly handles: Set<Handle>;
  readonly key: (name: string) => string;
};

function filesFor(self: ProcessIdentity, { options, state, living, handles, key }: Shared): Files {
  const open = (inode: Inode): Dir & OpenFile => {
    const handle: Handle = { inode, owner: self, closed: false };
    handles.add(handle);
    return handle as unknown as Dir & OpenFile;
  };
  const held = (handle: Dir | OpenFile): Inode => {
    const { inode, closed } = handle as unknown as Handle;
    if (closed) throw new FilesError("EBADF", "use a closed handle");
    return inode;
  };
  const find = (dir: Dir, name: string): Inode | undefined =>
    held(dir).entries.get(key(component(name)))?.inode;
  const need = (dir: Dir, name: string): Inode => find(dir, name) ?? fail("ENOENT", name);
  const regular = (dir: Dir, name: string): Inode => {
    const inode = need(dir, name);
    if (inode.kind === "file") return inode;
    return fail(inode.kind === "link" ? "ELOOP" : inode.kind === "directory" ? "EISDIR" : "EINVAL", name);
  };
  /** A directory that will hold a new name. */
  const vacant = (dir: Dir, name: string): Inode => {
    const parent = held(dir);
    if (find(dir, name)) fail("EEXIST", name);
    return isAttached(parent) ? parent : fail("ENOENT", name);
  };
  const isAttached = (dir: Inode): boolean => dir === state.root || dir.links > 0;
  const add = (dir: Inode, name: string, inode: Inode): Inode => {
    if (inode.links === 0) inode.device = dir.device;
    if (inode.device !== dir.device) fail("EXDEV", name);
    changeNames(dir, [{ key: key(name), name, to: inode }]);
    return inode;
  };
  const fresh = (kind: Inode["kind"], mode: number): Inode =>
    newInode(++state.inodes, kind, mode & ~umask, user);
  const drop = (dir: Dir, name: string): void => changeNames(held(dir), [{ key: key(name), name, to: null }]);

  return {
    openRoot: async (path) => open(rootOf(path)),
    openDir: async (dir, name) => {
      const inode = need(dir, name);
      if (inode.kind === "directory") return open(inode);
      return fail(inode.kind === "link" ? "ELOOP" : "ENOTDIR", name);
    },
    list: async (dir) =>
      [...held(dir).entries.values()].map(({ name, inode }) => ({ name, kind: inode.kind, exact: true })),
    stat: async (dir, name) => {
      const inode = find(dir, name);
      return inode ? statOf(inode) : null;
    },
    statOpen: async (handle) => statOf(held(handle)),
    readLink: async (dir, name) => need(dir, name).target,
    close: async (handle) => {
      (handle as unknown as Handle).closed = true;
      handles.delete(handle as unknown as Handle);
    },

    openRead: async (dir, name) => open(regular(dir, name)),
    read: async (file, position, length) => held(file).data.slice(position, position + length),

    create: async (dir, name, mode) => open(add(vacant(dir, name), name, fresh("file", mode))),
    openWrite: async (dir, name) => open(regular(dir, name)),
    write: async (file, bytes, position) => {
      const inode = held(file);
      const data = new Uint8Array(Math.max(inode.data.length, position + bytes.length));
      data.set(inode.data);
      data.set(bytes, position);
      inode.data = data;
      return bytes.length;
    },
    truncate: async (file, size) => {
      const inode = held(file);
      const data = new Uint8Array(size);
      data.set(inode.data.subarray(0, size));
      inode.data = data;
    },
    setMode: async (file, mode) => void Object.assign(held(file), { mode }),
    setOwner: async (file, uid, gid) => void Object.assign(held(file), { uid, gid }),
    flush: async (file) => flushData(held(file)),
    flushDir: async (dir) => {
      const inode = held(dir);
      if (options.flushesDirs !== false) flushNames(inode);
    },

    rename: async (from, name, to, newName) => {
      const moved = need(from, name);
      const replaced = find(to, newName);
      if (replaced === moved && key(name) !== key(newName)) return;
      if (replaced && replaced !== moved) checkReplaceable(moved, replaced);
      if (!isAttached(held(to))) fail("ENOENT", newName);
      if (moved.device !== held(to).device) fail("EXDEV", newName);
      const gone = { key: key(name), name, to: null };
      const there = { key: key(newName), name: newName, to: moved };
      // Within one directory a rename is one change; across two, each side can be lost alone.
      if (held(from) === held(to)) return changeNames(held(to), [gone, there]);
      changeNames(held(to), [there]);
      changeNames(held(from), [gone]);
    },
    link: async (from, name, to, newName) => {
      const inode = need(from, name);
      if (options.links === false || inode.kind === "directory") fail("EPERM", newName);
      add(vacant(to, newName), newName, inode);
    },
    unlink: async (dir, name) => {
      if (need(dir, name).kind === "directory") fail("EISDIR", name);
      drop(dir, name);
    },
    mkdir: async (dir, name, mode) => void add(vacant(dir, name), name, fresh("directory", mode)),
    rmdir: async (dir, name) => {
      const inode = need(dir, name);
      if (inode.kind !== "directory") fail("ENOTDIR", name);
      if (inode.entries.size > 0) fail("ENOTEMPTY", name);
      drop(dir, name);
    },

    fileSystem: async (dir) => {
      held(dir);
      return {
        name: "memory",
        network: false,
        stableIdentity: true,
        readersBlock: false,
        flushesDirs: options.flushesDirs !== false,
        ...options.fileSystem,
      };
    },
    user: () => user,
    umask: () => umask,
    self: () => self,
    isDead: (identity) => identity.host === self.host && !living.has(keyOf(identity)),
    randomId: () => (++state.ids).toString(16).padStart(32, "0"),
    now: () => "2000-01-01T00:00:00.000Z",
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  };

  function rootOf(path: string): Inode {
    let inode = state.root;
    for (const part of partsOf(path)) {
      const next = inode.entries.get(key(part))?.inode ?? fail("ENOENT", path);
      inode = next.kind === "link" ? rootOf(next.target) : next;
    }
    return inode.kind === "directory" ? inode : fail("ENOTDIR", path);
  }
}

function checkReplaceable(moved: Inode, replaced: Inode): void {
  if (replaced.kind === "directory" && moved.kind !== "directory") fail("EISDIR", "rename");
  if (replaced.kind !== "directory" && moved.kind === "directory") fail("ENOTDIR", "rename");
  if (replaced.entries.size > 0) fail("ENOTEMPTY", "rename");
}

function statOf({ kind, number, device, mode, uid, gid, data, links }: Inode): Stat {
  return {
    kind,
    identity: `${device}:${number}`,
    device: String(device),
    mode,
    uid,
    gid,
    size: data.length,
    links,
  };
}

function fail(code: string, name: string): never {
  throw new FilesError(code, "memory", name);
}

function component(name: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0"))
    fail("EINVAL", name);
  return name;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function keyOf({ host, boot, pid, started }: ProcessIdentity): string {
  return [host, boot, pid, started].join(" ");
}
