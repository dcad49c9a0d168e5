import type { Attributes } from "./attributes.ts";
import {
  type Dir,
  type FileSystem,
  type Files,
  FilesError,
  type NameInDir,
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
  /** Directories below the root that are other file systems. */
  readonly mounts?: readonly string[];
};

/** A disk in memory that tracks flushes, so that tests can simulate crashes. Runs are repeatable. */
export type MemoryDisk = {
  /** The disk as one process sees it. */
  process(): Files;
  /** Ends a process: closes its handles, and lets other processes see that it is dead. */
  kill(files: Files): void;
  /** Ends every process and drops unflushed changes, except those that `choose` keeps. */
  cutPower(choose?: Choose): void;
  unflushed(): Unflushed[];
  /** A copy that shares nothing with this disk; its processes are others. */
  copy(): MemoryDisk;
  /** Writes and flushes a file as another program would. Creates missing directories. */
  put(path: string, content: string | Uint8Array, mode?: number): void;
  /** Writes into an existing file, as an editor that saves in place does. */
  overwrite(path: string, content: string): void;
  putLink(path: string, target: string): void;
  /** A second name for a file. */
  putName(path: string, newPath: string): void;
  /** Gives a file an access control list or extended attributes. */
  putAttributes(path: string, attributes: Attributes): void;
  putDir(path: string): void;
  /** A pipe, socket or device. */
  putSpecial(path: string): void;
  /** Removes a file, or a directory with its content. */
  remove(path: string): void;
  read(path: string): { bytes: Uint8Array; mode: number; links: number } | null;
  /** Every path below the root, sorted; directories end in a slash. */
  tree(): string[];
};

const user = 1000;
const umask = 0o022;

export function createMemoryDisk(options: MemoryDiskOptions = {}): MemoryDisk {
  const root = newInode(1, "directory", 0o755, user);
  return memoryDisk(new MemoryMachine(options, { boot: 1, processes: 100, ids: 0, inodes: 1, root }));
}

function memoryDisk(machine: MemoryMachine): MemoryDisk {
  return {
    process: () => filesOf(new MemoryProcess(machine, machine.start())),
    kill: (files) => machine.kill(files.self()),
    cutPower: (choose = loseAll) => machine.cutPower(choose),
    unflushed: () => findUnflushed(machine.counters.root),
    copy: () => memoryDisk(machine.copy()),
    put: (path, content, mode = 0o644) =>
      machine.place(path, "file", mode, {
        data: typeof content === "string" ? new TextEncoder().encode(content) : content.slice(),
      }),
    overwrite: (path, content) => machine.overwrite(path, new TextEncoder().encode(content)),
    putName: (path, newPath) => machine.addName(path, newPath),
    putAttributes: (path, attributes) => void Object.assign(machine.find(path).inode ?? {}, { attributes }),
    putLink: (path, target) => machine.place(path, "link", 0o777, { target }),
    putDir: (path) => machine.place(path, "directory", 0o755),
    putSpecial: (path) => machine.place(path, "other", 0o644),
    remove: (path) => machine.remove(path),
    read: (path) => {
      const inode = machine.exists(path) ? machine.find(path).inode : undefined;
      return inode ? { bytes: inode.data.slice(), mode: inode.mode, links: inode.links } : null;
    },
    tree: () => pathsBelow(machine.counters.root),
  };
}

/** The root directory, and the last number given to a boot, process, random id and inode. */
type Counters = { boot: number; processes: number; ids: number; inodes: number; readonly root: Inode };
type Handle = { readonly inode: Inode; readonly owner: ProcessIdentity; closed: boolean };

/** The machine as outside programs see it, and the state that its processes share. */
class MemoryMachine {
  readonly options: MemoryDiskOptions;
  readonly counters: Counters;
  readonly #living = new Set<string>();
  readonly #handles = new Set<Handle>();

  constructor(options: MemoryDiskOptions, counters: Counters) {
    this.options = options;
    this.counters = counters;
  }

  copy(): MemoryMachine {
    const { counters } = this;
    const root = copyTree(counters.root);
    return new MemoryMachine(this.options, { ...counters, boot: counters.boot + 1, root });
  }

  start(): ProcessIdentity {
    const { counters } = this;
    counters.processes++;
    const numbers = { pid: counters.processes, started: String(counters.processes) };
    const self = { host: "memory", boot: String(counters.boot), namespace: "memory", ...numbers };
    this.#living.add(keyOf(self));
    return self;
  }

  isAlive(identity: ProcessIdentity): boolean {
    return this.#living.has(keyOf(identity));
  }

  kill(identity: ProcessIdentity): void {
    this.#living.delete(keyOf(identity));
    this.#closeHandles(({ owner }) => keyOf(owner) === keyOf(identity));
  }

  cutPower(choose: Choose): void {
    this.#living.clear();
    this.#closeHandles(() => true);
    dropUnflushed(this.counters.root, choose);
    this.counters.boot++;
  }

  open(inode: Inode, owner: ProcessIdentity): Handle {
    const handle: Handle = { inode, owner, closed: false };
    this.#handles.add(handle);
    return handle;
  }

  close(handle: Handle): void {
    handle.closed = true;
    this.#handles.delete(handle);
  }

  #closeHandles(isDead: (handle: Handle) => boolean): void {
    for (const handle of this.#handles) if (isDead(handle)) this.close(handle);
  }

  /** The key under which a directory stores a name. */
  key(name: string): string {
    return this.options.foldsNames ? name.normalize("NFC").toLowerCase() : name;
  }

  find(path: string): { dir: Inode; name: string; inode: Inode | undefined } {
    const names = partsOf(path);
    const name = names.pop() ?? "";
    let dir = this.counters.root;
    for (const part of names) {
      const next = dir.entries.get(this.key(part))?.inode;
      if (!next) throw new FilesError("ENOENT", "look up", path);
      dir = next;
    }
    return { dir, name, inode: dir.entries.get(this.key(name))?.inode };
  }

  exists(path: string): boolean {
    try {
      return this.find(path).inode !== undefined;
    } catch {
      return false;
    }
  }

  place(path: string, kind: Inode["kind"], mode: number, content: Partial<Inode> = {}): void {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (parent !== "" && !this.exists(parent)) this.place(parent, "directory", 0o755);
    const { dir, name } = this.find(path);
    const fresh = newInode(++this.counters.inodes, kind, mode, user);
    const inode = Object.assign(fresh, { device: dir.device }, content);
    if (this.options.mounts?.includes(path)) inode.device = inode.number;
    flushData(inode);
    this.#setName(dir, name, inode);
  }

  overwrite(path: string, data: Uint8Array): void {
    const inode = this.find(path).inode ?? fail("ENOENT", path);
    inode.data = data;
    flushData(inode);
  }

  addName(path: string, newPath: string): void {
    const { dir, name } = this.find(newPath);
    this.#setName(dir, name, this.find(path).inode ?? fail("ENOENT", path));
  }

  remove(path: string): void {
    const { dir, name, inode } = this.find(path);
    for (const child of inode?.entries.values() ?? []) this.remove(`${path}/${child.name}`);
    this.#setName(dir, name, null);
  }

  #setName(dir: Inode, name: string, to: Inode | null): void {
    changeNames(dir, [{ key: this.key(name), name, to }]);
    flushNames(dir);
  }
}

/** The operations of one process. */
class MemoryProcess {
  readonly machine: MemoryMachine;
  readonly self: ProcessIdentity;

  constructor(machine: MemoryMachine, self: ProcessIdentity) {
    this.machine = machine;
    this.self = self;
  }

  open(inode: Inode): Dir & OpenFile {
    return this.machine.open(inode, this.self) as unknown as Dir & OpenFile;
  }

  close(handle: Dir | OpenFile): void {
    this.machine.close(handle as unknown as Handle);
  }

  /** The inode of an open handle. */
  held(handle: Dir | OpenFile): Inode {
    const { inode, closed } = handle as unknown as Handle;
    if (closed) throw new FilesError("EBADF", "use a closed handle");
    return inode;
  }

  root(path: string): Inode {
    let inode = this.machine.counters.root;
    for (const part of partsOf(path)) {
      const next = inode.entries.get(this.machine.key(part))?.inode ?? fail("ENOENT", path);
      inode = next.kind === "link" ? this.root(next.target) : next;
    }
    return inode.kind === "directory" ? inode : fail("ENOTDIR", path);
  }

  find(dir: Dir, name: string): Inode | undefined {
    return this.held(dir).entries.get(this.machine.key(component(name)))?.inode;
  }

  need(dir: Dir, name: string): Inode {
    return this.find(dir, name) ?? fail("ENOENT", name);
  }

  directory(dir: Dir, name: string): Inode {
    const inode = this.need(dir, name);
    if (inode.kind === "directory") return inode;
    return fail(inode.kind === "link" ? "ELOOP" : "ENOTDIR", name);
  }

  regular(dir: Dir, name: string): Inode {
    const inode = this.need(dir, name);
    if (inode.kind === "file") return inode;
    return fail(inode.kind === "link" ? "ELOOP" : inode.kind === "directory" ? "EISDIR" : "EINVAL", name);
  }

  create(dir: Dir, name: string, { kind, mode }: Pick<Inode, "kind" | "mode">): Inode {
    const parent = this.#vacant(dir, name);
    return this.#add(parent, name, newInode(++this.machine.counters.inodes, kind, mode & ~umask, user));
  }

  write(file: OpenFile, bytes: Uint8Array, position: number): number {
    const inode = this.held(file);
    const data = new Uint8Array(Math.max(inode.data.length, position + bytes.length));
    data.set(inode.data);
    data.set(bytes, position);
    inode.data = data;
    return bytes.length;
  }

  truncate(file: OpenFile, size: number): void {
    const inode = this.held(file);
    const data = new Uint8Array(size);
    data.set(inode.data.subarray(0, size));
    inode.data = data;
  }

  flushDir(dir: Dir): void {
    const inode = this.held(dir);
    if (this.machine.options.flushesDirs !== false) flushNames(inode);
  }

  rename(from: NameInDir, to: NameInDir): void {
    const { machine } = this;
    const moved = this.need(from.dir, from.name);
    const replaced = this.find(to.dir, to.name);
    if (replaced === moved && machine.key(from.name) !== machine.key(to.name)) return;
    if (replaced && replaced !== moved) checkReplaceable(moved, replaced);
    const [oldParent, newParent] = [this.held(from.dir), this.held(to.dir)];
    if (!this.#isAttached(newParent)) fail("ENOENT", to.name);
    if (moved.device !== newParent.device) fail("EXDEV", to.name);
    const removal = { key: machine.key(from.name), name: from.name, to: null };
    const addition = { key: machine.key(to.name), name: to.name, to: moved };
    // Within one directory a rename is one change; across two, each side can be lost alone.
    if (oldParent === newParent) changeNames(newParent, [removal, addition]);
    else {
      changeNames(newParent, [addition]);
      changeNames(oldParent, [removal]);
    }
  }

  link(from: NameInDir, to: NameInDir): void {
    const inode = this.need(from.dir, from.name);
    if (this.machine.options.links === false || inode.kind === "directory") fail("EPERM", to.name);
    this.#add(this.#vacant(to.dir, to.name), to.name, inode);
  }

  unlink(dir: Dir, name: string): void {
    if (this.need(dir, name).kind === "directory") fail("EISDIR", name);
    this.#drop(dir, name);
  }

  rmdir(dir: Dir, name: string): void {
    const inode = this.need(dir, name);
    if (inode.kind !== "directory") fail("ENOTDIR", name);
    if (inode.entries.size > 0) fail("ENOTEMPTY", name);
    this.#drop(dir, name);
  }

  fileSystem(dir: Dir): FileSystem {
    this.held(dir);
    const { flushesDirs, fileSystem } = this.machine.options;
    return {
      name: "memory",
      network: false,
      stableIdentity: true,
      readersBlock: false,
      flushesDirs: flushesDirs !== false,
      ...fileSystem,
    };
  }

  /** A directory that has no entry of this name. */
  #vacant(dir: Dir, name: string): Inode {
    const parent = this.held(dir);
    if (this.find(dir, name)) fail("EEXIST", name);
    return this.#isAttached(parent) ? parent : fail("ENOENT", name);
  }

  #isAttached(dir: Inode): boolean {
    return dir === this.machine.counters.root || dir.links > 0;
  }

  #add(dir: Inode, name: string, inode: Inode): Inode {
    if (inode.links === 0) inode.device = dir.device;
    if (inode.device !== dir.device) fail("EXDEV", name);
    changeNames(dir, [{ key: this.machine.key(name), name, to: inode }]);
    return inode;
  }

  #drop(dir: Dir, name: string): void {
    changeNames(this.held(dir), [{ key: this.machine.key(name), name, to: null }]);
  }
}

function filesOf(process: MemoryProcess): Files {
  const { machine, self } = process;
  return {
    openRoot: async (path) => process.open(process.root(path)),
    openDir: async (dir, name) => process.open(process.directory(dir, name)),
    list: async (dir) =>
      [...process.held(dir).entries.values()].map(({ name, inode }) => ({
        name,
        kind: inode.kind,
        exact: true,
      })),
    stat: async (dir, name) => {
      const inode = process.find(dir, name);
      return inode ? statOf(inode) : null;
    },
    statOpen: async (handle) => statOf(process.held(handle)),
    readLink: async (dir, name) => process.need(dir, name).target,
    close: async (handle) => process.close(handle),

    openRead: async (dir, name) => process.open(process.regular(dir, name)),
    read: async (file, position, length) => process.held(file).data.slice(position, position + length),

    create: async (dir, name, mode) => process.open(process.create(dir, name, { kind: "file", mode })),
    openWrite: async (dir, name) => process.open(process.regular(dir, name)),
    write: async (file, bytes, position) => process.write(file, bytes, position),
    truncate: async (file, size) => process.truncate(file, size),
    setMode: async (file, mode) => void Object.assign(process.held(file), { mode }),
    setOwner: async (file, uid, gid) => void Object.assign(process.held(file), { uid, gid }),
    flush: async (file) => flushData(process.held(file)),
    flushDir: async (dir) => process.flushDir(dir),

    rename: async (from, name, to, newName) =>
      process.rename({ dir: from, name }, { dir: to, name: newName }),
    link: async (from, name, to, newName) => process.link({ dir: from, name }, { dir: to, name: newName }),
    unlink: async (dir, name) => process.unlink(dir, name),
    mkdir: async (dir, name, mode) => void process.create(dir, name, { kind: "directory", mode }),
    rmdir: async (dir, name) => process.rmdir(dir, name),

    attributes: async (dir, names) =>
      names.map((name) => process.need(dir, name).attributes ?? { extended: false, capability: false }),
    defaultMode: async () => null,
    fileSystem: async (dir) => process.fileSystem(dir),
    user: () => user,
    umask: () => umask,
    self: () => self,
    isDead: (identity) => identity.host === self.host && !machine.isAlive(identity),
    showLife: async () => null,
    hasEnded: async () => false,
    randomId: () => (++machine.counters.ids).toString(16).padStart(32, "0"),
    now: () => "2000-01-01T00:00:00.000Z",
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function checkReplaceable(moved: Inode, replaced: Inode): void {
  if (replaced.kind === "directory" && moved.kind !== "directory") fail("EISDIR", "rename");
  if (replaced.kind !== "directory" && moved.kind === "directory") fail("ENOTDIR", "rename");
  if (replaced.entries.size > 0) fail("ENOTEMPTY", "rename");
}

function statOf({ kind, number, device, mode, uid, gid, data, links, attributes }: Inode): Stat {
  return {
    kind,
    identity: `${device}:${number}`,
    device: String(device),
    mode,
    uid,
    gid,
    size: data.length,
    links,
    changed: JSON.stringify(attributes ?? null),
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
