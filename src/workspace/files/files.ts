import type { Attributes } from "./attributes.ts";

/** An open directory. A handle stays on the same directory even when its name changes. */
export type Dir = { readonly [dir]: true };
declare const dir: unique symbol;

/** An open file. */
export type OpenFile = { readonly [file]: true };
declare const file: unique symbol;

/** A name in an open directory. */
export type NameInDir = { readonly dir: Dir; readonly name: string };

export type Kind = "file" | "directory" | "link" | "other";

export type Stat = {
  readonly kind: Kind;
  /** Device and inode. Two names of one file share it; a replacement has another. */
  readonly identity: string;
  readonly device: string;
  /** Permission and special bits, without the kind. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly links: number;
  /** Another value after every change of content, mode, owner or attributes; no program can set it back. */
  readonly changed: string;
};

/** `exact: false`: the name on disk is not valid Unicode, and `name` shows it escaped. */
export type Listed = { readonly name: string; readonly kind: Kind; readonly exact: boolean };

export type FileSystem = {
  readonly name: string;
  /** The server decides what a flush means. */
  readonly network: boolean;
  /** Whether inode numbers outlive a mount. */
  readonly stableIdentity: boolean;
  /** A file cannot be replaced while a process reads it: Windows. */
  readonly readersBlock: boolean;
  /** Directories can be flushed. Windows cannot do it. */
  readonly flushesDirs: boolean;
};

/** Identifies a process. Two identities are the same process only if every field is equal. */
export type ProcessIdentity = {
  readonly host: string;
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  readonly started: string;
};

/**
 * Everything the workspace needs from a machine. Every access names an open directory and one component below it, and
 * no operation follows a link in that component. Operations fail with an error that has a `code` such as `ENOSPC`.
 * `mutating` lists the operations that change the disk.
 */
export type Files = {
  /** Opens the root. Only this operation follows links. */
  openRoot(path: string): Promise<Dir>;
  openDir(dir: Dir, name: string): Promise<Dir>;
  list(dir: Dir): Promise<Listed[]>;
  /** `null`: the name does not exist. */
  stat(dir: Dir, name: string): Promise<Stat | null>;
  statOpen(handle: Dir | OpenFile): Promise<Stat>;
  readLink(dir: Dir, name: string): Promise<string>;
  /** Waits for the running operations on the handle. A closed handle refuses every operation (`EBADF`), and closing
   *  it again does nothing. */
  close(handle: Dir | OpenFile): Promise<void>;

  /** Opens a regular file. Refuses everything else without blocking (`EINVAL`, for a link `ELOOP`).
   *  The handle can also be flushed, and its mode can be set. */
  openRead(dir: Dir, name: string): Promise<OpenFile>;
  /** Up to `length` bytes; fewer only at the end of the file. */
  read(file: OpenFile, position: number, length: number): Promise<Uint8Array>;

  /** A new file, readable and writable; `EEXIST` if the name is taken, even by a dangling link. */
  create(dir: Dir, name: string, mode: number): Promise<OpenFile>;
  /** An existing regular file for writing; its content stays. */
  openWrite(dir: Dir, name: string): Promise<OpenFile>;
  /** Returns how many bytes it wrote, which may be fewer than given. */
  write(file: OpenFile, bytes: Uint8Array, position: number): Promise<number>;
  truncate(file: OpenFile, size: number): Promise<void>;
  setMode(handle: Dir | OpenFile, mode: number): Promise<void>;
  setOwner(file: OpenFile, uid: number, gid: number): Promise<void>;
  flush(file: OpenFile): Promise<void>;
  /** Does nothing where directories cannot be flushed. */
  flushDir(dir: Dir): Promise<void>;

  /** Replaces any file at the new name. */
  rename(from: Dir, name: string, to: Dir, newName: string): Promise<void>;
  /** A second name for a file; `EEXIST` if the name is taken. */
  link(from: Dir, name: string, to: Dir, newName: string): Promise<void>;
  unlink(dir: Dir, name: string): Promise<void>;
  mkdir(dir: Dir, name: string, mode: number): Promise<void>;
  rmdir(dir: Dir, name: string): Promise<void>;

  /** The access control lists and attributes of files; `null`: this machine has no way to tell. */
  attributes(dir: Dir, names: readonly string[]): Promise<readonly Attributes[] | null>;
  /** The mode that a directory's default access control list gives to new files; `null` where there is none. */
  defaultMode(dir: Dir): Promise<number | null>;
  /** The file system of a directory, or of a file in it. */
  fileSystem(dir: Dir, name?: string): Promise<FileSystem>;
  /** The user id of this process; `null` where the platform has none. */
  user(): number | null;
  /** The permission bits that this process removes from new files. */
  umask(): number;
  self(): ProcessIdentity;
  /** Whether a process is proven dead; `false` also means "unknown". */
  isDead(identity: ProcessIdentity): boolean;
  /** Lets processes that cannot see this one's pid know that it lives, under a name, until the returned function is
   *  called; `null` where the disk has no way to do it. */
  showLife(dir: Dir, name: string): Promise<(() => Promise<void>) | null>;
  /** Whether a process that showed its life under a name has ended; `false` also means "unknown". */
  hasEnded(dir: Dir, name: string): Promise<boolean>;
  /** 128 random bits in hexadecimal. */
  randomId(): string;
  /** The time, for people to read. No decision depends on it. */
  now(): string;
  sleep(milliseconds: number): Promise<void>;
};

export const mutating: readonly (keyof Files)[] = [
  "create",
  "openWrite",
  "write",
  "truncate",
  "setMode",
  "setOwner",
  "flush",
  "flushDir",
  "rename",
  "link",
  "unlink",
  "mkdir",
  "rmdir",
];

/** An I/O error in the shape that Node gives it. */
export class FilesError extends Error {
  readonly code: string;
  constructor(code: string, operation: string, name = "") {
    super(`${code}: ${operation} ${name}`.trim());
    this.code = code;
  }
}

/** The code of an I/O error. An error without a code is a bug, and is rethrown. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return code;
  throw error;
}

/** Ignores an I/O error. An error without a code is a bug, and is rethrown. */
export function ignoreIoError(error: unknown): void {
  codeOf(error);
}

/** The errors that file systems without hard links return. */
export const withoutLinks: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
]);
