import * as fs from "node:fs";
import { join } from "node:path";
import { randomHex } from "../hash/random-hex.ts";
import { readAttributes, readDefaultMode } from "./attributes.ts";
import { DiskHandle } from "./disk-handle.ts";
import {
  type Dir,
  type FileSystem,
  type Files,
  FilesError,
  type Kind,
  type Listed,
  type OpenFile,
  type Stat,
} from "./files.ts";
import { hasEndedAt, showLifeAt } from "./life-socket.ts";
import { isDead, processIdentity } from "./process-identity.ts";

const { O_CREAT, O_DIRECTORY, O_EXCL, O_RDONLY, O_RDWR } = fs.constants;
// Windows lacks these three flags; there every open is verified afterwards.
const noFollow = fs.constants.O_NOFOLLOW ?? 0;
const nonBlocking = fs.constants.O_NONBLOCK ?? 0;
const noTerminal = fs.constants.O_NOCTTY ?? 0;

/**
 * The disk of this machine. On Linux every name is reached through the descriptor of its directory, so swapping a
 * directory for a link has no effect. Elsewhere (`descriptors: false`) the directory is compared with its descriptor
 * before and after each access: a swap is detected, but not prevented.
 */
export function diskFiles(options: { descriptors?: boolean } = {}): Files {
  const descriptors = options.descriptors ?? (process.platform === "linux" && fs.existsSync("/proc/self/fd"));
  const { within, openDir } = descriptors ? byDescriptor() : byVerification();

  return {
    openRoot: async (path) => wrapDir(openRootDir(path)),
    openDir: async (dir, name) => wrapDir(within(dir, name, (path) => openDir(dir, path))),
    list: async (dir) => within(dir, null, listAt),
    stat: async (dir, name) => within(dir, name, statAt),
    statOpen: async (handle) => statHandle(diskHandle(handle)),
    readLink: async (dir, name) => within(dir, name, (path) => fs.readlinkSync(path)),
    close: async (handle) => diskHandle(handle).close(),

    openRead: async (dir, name) => within(dir, name, openReadable),
    read: async (file, position, length) => readFrom(diskHandle(file), position, length),

    create: async (dir, name, mode) =>
      wrapFile(within(dir, name, (path) => fs.openSync(path, O_RDWR | O_CREAT | O_EXCL | noFollow, mode))),
    openWrite: async (dir, name) => within(dir, name, (path) => openRegular(path, O_RDWR)),
    write: async (file, bytes, position) => writeTo(diskHandle(file), bytes, position),
    truncate: async (file, size) => fs.ftruncateSync(diskHandle(file).fd(), size),
    setMode: async (handle, mode) => setModeOf(diskHandle(handle), mode),
    setOwner: async (file, uid, gid) => fs.fchownSync(diskHandle(file).fd(), uid, gid),
    flush: async (file) => diskHandle(file).during(flushDescriptor),
    flushDir: async (dir) => flushDirectory(diskHandle(dir)),

    rename: async (from, name, to, newName) =>
      within(from, name, (path) => within(to, newName, (newPath) => fs.renameSync(path, newPath))),
    link: async (from, name, to, newName) =>
      within(from, name, (path) => within(to, newName, (newPath) => fs.linkSync(path, newPath))),
    unlink: async (dir, name) => within(dir, name, (path) => fs.unlinkSync(path)),
    mkdir: async (dir, name, mode) => within(dir, name, (path) => void fs.mkdirSync(path, { mode })),
    rmdir: async (dir, name) => within(dir, name, (path) => fs.rmdirSync(path)),

    attributes: async (dir, names) =>
      descriptors ? readAttributes(diskHandle(dir).fd(), names.map(component)) : null,
    defaultMode: async (dir) => (descriptors ? readDefaultMode(diskHandle(dir).fd()) : null),
    fileSystem: async (dir, name) => within(dir, name ?? null, fileSystemAt),
    user: () => process.getuid?.() ?? null,
    umask: () => process.umask(),
    self: processIdentity,
    isDead: (identity) => isDead(identity, processIdentity()),
    showLife: async (dir, name) =>
      descriptors ? diskHandle(dir).during(() => within(dir, name, showLifeAt)) : null,
    hasEnded: async (dir, name) => descriptors && diskHandle(dir).during(() => within(dir, name, hasEndedAt)),
    randomId: () => randomHex(16),
    now: () => new Date().toISOString(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
}

/** How a platform accesses a name in an open directory. `name: null` is the directory itself. */
type NameAccess = {
  within<T>(dir: Dir, name: string | null, act: (path: string) => T): T;
  openDir(parent: Dir, path: string): DiskHandle;
};

function byDescriptor(): NameAccess {
  return {
    within: (dir, name, act) => {
      const base = `/proc/self/fd/${diskHandle(dir).fd()}`;
      return act(name === null ? base : `${base}/${component(name)}`);
    },
    openDir: (_parent, path) => dirFrom(fs.openSync(path, O_RDONLY | O_DIRECTORY | noFollow), path),
  };
}

function byVerification(): NameAccess {
  const verify = ({ path, identity }: DiskHandle): void => {
    const found = statAt(path);
    if (found?.kind !== "directory" || found.identity !== identity)
      throw new FilesError("ESTALE", "the directory is not the one that was opened", path);
  };
  return {
    within: (dir, name, act) => {
      const parent = diskHandle(dir);
      parent.check();
      verify(parent);
      const result = act(name === null ? parent.path : join(parent.path, component(name)));
      verify(parent);
      return result;
    },
    openDir: (_parent, path) => openVerified(path),
  };
}

function openVerified(path: string): DiskHandle {
  const found = statAt(path);
  if (!found) throw new FilesError("ENOENT", "open", path);
  if (found.kind === "link") throw new FilesError("ELOOP", "open", path);
  if (found.kind !== "directory") throw new FilesError("ENOTDIR", "open", path);
  if (process.platform === "win32") return new DiskHandle(null, path, found.identity);
  const opened = dirFrom(fs.openSync(path, O_RDONLY | (O_DIRECTORY ?? 0) | noFollow), path);
  if (opened.identity === found.identity) return opened;
  fs.closeSync(opened.fd());
  throw new FilesError("ESTALE", "open", path);
}

function openRootDir(path: string): DiskHandle {
  const real = fs.realpathSync.native(path);
  if (process.platform === "win32") return openVerified(real);
  return dirFrom(fs.openSync(real, O_RDONLY | O_DIRECTORY), real);
}

function dirFrom(fd: number, path: string): DiskHandle {
  return new DiskHandle(fd, path, identityOf(fs.fstatSync(fd, { bigint: true })));
}

function component(name: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0"))
    throw new FilesError("EINVAL", "not one component of a path", JSON.stringify(name));
  return name;
}

function listAt(path: string): Listed[] {
  const listed = fs.readdirSync(path, { withFileTypes: true });
  if (listed.every(({ name }) => !name.includes("\uFFFD")))
    return listed.map((entry) => ({ name: entry.name, kind: kindOf(entry), exact: true }));
  return fs
    .readdirSync(path, { withFileTypes: true, encoding: "buffer" })
    .map((entry) => ({ ...showName(entry.name), kind: kindOf(entry) }));
}

/** A name that is not valid Unicode, with every byte that is not plain ASCII escaped. */
function showName(bytes: Buffer): { name: string; exact: boolean } {
  const name = bytes.toString("utf8");
  if (Buffer.from(name, "utf8").equals(bytes)) return { name, exact: true };
  const shown = [...bytes].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return { name: shown.join(""), exact: false };
}

function statAt(path: string): Stat | null {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? statFrom(stats) : null;
}

function statHandle(handle: DiskHandle): Stat {
  return statFrom(
    handle.hasDescriptor()
      ? fs.fstatSync(handle.fd(), { bigint: true })
      : fs.lstatSync(handle.path, { bigint: true }),
  );
}

function statFrom(stats: fs.BigIntStats): Stat {
  return {
    kind: kindOf(stats),
    identity: identityOf(stats),
    device: String(stats.dev),
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    size: Number(stats.size),
    links: Number(stats.nlink),
    changed: String(stats.ctimeNs),
  };
}

function identityOf({ dev, ino }: fs.BigIntStats): string {
  return `${dev}:${ino}`;
}

function kindOf(entry: fs.BigIntStats | fs.Dirent<string> | fs.Dirent<Buffer>): Kind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

/** Windows can flush only through a writable handle. */
function openReadable(path: string): OpenFile {
  if (process.platform !== "win32") return openRegular(path, O_RDONLY);
  try {
    return openRegular(path, O_RDWR);
  } catch {
    return openRegular(path, O_RDONLY);
  }
}

/** Opens without blocking, because the name may have become a pipe, and then checks that a regular file was opened. */
function openRegular(path: string, access: number): OpenFile {
  const fd = fs.openSync(path, access | noFollow | nonBlocking | noTerminal);
  const stats = fs.fstatSync(fd, { bigint: true });
  const same = noFollow !== 0 || statAt(path)?.identity === identityOf(stats);
  if (stats.isFile() && same) return wrapFile(fd);
  fs.closeSync(fd);
  throw new FilesError(
    stats.isDirectory() ? "EISDIR" : same ? "EINVAL" : "ESTALE",
    "open",
    "not a regular file",
  );
}

// A short transfer takes less time than handing it to another thread.
const shortTransfer = 1 << 20;

function readFrom(file: DiskHandle, position: number, length: number): Uint8Array | Promise<Uint8Array> {
  if (length > shortTransfer) return file.during((fd) => readLong(fd, position, length));
  const [fd, bytes] = [file.fd(), Buffer.allocUnsafeSlow(length)];
  for (let filled = 0; ; ) {
    const count = filled < length ? fs.readSync(fd, bytes, filled, length - filled, position + filled) : 0;
    if (count === 0) return bytes.subarray(0, filled);
    filled += count;
  }
}

async function readLong(fd: number, position: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let filled = 0; ; ) {
    const rest = length - filled;
    const count = await promised<number>((done) => fs.read(fd, bytes, filled, rest, position + filled, done));
    filled += count;
    if (count === 0 || filled === length) return bytes.subarray(0, filled);
  }
}

function writeTo(file: DiskHandle, bytes: Uint8Array, position: number): number | Promise<number> {
  if (bytes.length <= shortTransfer) return fs.writeSync(file.fd(), bytes, 0, bytes.length, position);
  return file.during((fd) =>
    promised<number>((done) => fs.write(fd, bytes, 0, bytes.length, position, done)),
  );
}

function flushDescriptor(fd: number): Promise<void> {
  return promised<void>((done) => fs.fsync(fd, (error) => done(error, undefined)));
}

const cannotFlush = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EISDIR", "EBADF"]);

async function flushDirectory(handle: DiskHandle): Promise<void> {
  if (!handle.hasDescriptor()) return;
  await handle.during(async (fd) => {
    try {
      await flushDescriptor(fd);
    } catch (error) {
      if (!cannotFlush.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  });
}

function promised<T>(act: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => act((error, value) => (error ? reject(error) : resolve(value))));
}

function setModeOf(handle: DiskHandle, mode: number): void {
  if (handle.hasDescriptor()) fs.fchmodSync(handle.fd(), mode);
  else fs.chmodSync(handle.path, mode);
}

const wrapDir = (dir: DiskHandle): Dir => dir as unknown as Dir;
const wrapFile = (fd: number): OpenFile => new DiskHandle(fd, "", "") as unknown as OpenFile;
const diskHandle = (handle: Dir | OpenFile): DiskHandle => handle as unknown as DiskHandle;

type KnownFileSystem = { readonly name: string; readonly network?: true; readonly stable?: true };

/** File systems by the kernel's magic number. FUSE may hide a network, so it counts as a network file system. */
const known = new Map<number, KnownFileSystem>([
  [0xef53, { name: "ext4", stable: true }],
  [0x58465342, { name: "xfs", stable: true }],
  [0x9123683e, { name: "btrfs", stable: true }],
  [0x01021994, { name: "tmpfs", stable: true }],
  [0x2fc12fc1, { name: "zfs", stable: true }],
  [0xf2f52010, { name: "f2fs", stable: true }],
  [0x794c7630, { name: "overlay" }],
  [0x2011bab0, { name: "exfat" }],
  [0x4d44, { name: "vfat" }],
  [0x5346544e, { name: "ntfs" }],
  [0x7366746e, { name: "ntfs3" }],
  [0x6969, { name: "nfs", network: true }],
  [0x517b, { name: "smb", network: true }],
  [0xff534d42, { name: "cifs", network: true }],
  [0xfe534d42, { name: "smb2", network: true }],
  [0x01021997, { name: "9p", network: true }],
  [0x00c36400, { name: "ceph", network: true }],
  [0x5346414f, { name: "afs", network: true }],
  [0x65735546, { name: "fuse", network: true }],
]);

function fileSystemAt(path: string): FileSystem {
  const windows = process.platform === "win32";
  const always = { readersBlock: windows, flushesDirs: !windows };
  if (process.platform !== "linux")
    return { name: "unknown", network: false, stableIdentity: process.platform === "darwin", ...always };
  const { type } = fs.statfsSync(path);
  const { name, network, stable } = known.get(type >>> 0) ?? { name: `0x${(type >>> 0).toString(16)}` };
  return { name, network: network === true, stableIdentity: stable === true, ...always };
}
