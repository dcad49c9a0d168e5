/** An open directory. What was checked through it is what is written through it, whatever its name is by then. */
export type Dir = { readonly [dir]: true };
declare const dir: unique symbol;

/** An open file. */
export type OpenFile = { readonly [file]: true };
declare const file: unique symbol;

export type Kind = "file" | "directory" | "link" | "other";

export type Stat = {
  readonly kind: Kind;
  /** Device and inode: equal for two names of one file, different once another file stands there. */
  readonly identity: string;
  readonly device: string;
  /** Permission and special bits, without the kind. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly links: number;
};

/** `exact: false`: the name on disk is not valid Unicode, and `name` shows it escaped. */
export type Listed = { readonly name: string; readonly kind: Kind; readonly exact: boolean };

export type FileSystem = {
  readonly name: string;
  /** The server decides what a flush means. */
  readonly network: boolean;
  /** Whether inode numbers outlive a mount. */
  readonly stableIdentity: boolean;
  /** A file that somebody reads cannot be replaced at that moment: Windows. */
  readonly readersBlock: boolean;
  /** Names can be made durable. Not so on Windows. */
  readonly flushesDirs: boolean;
};

/** Who runs. Two identities are one process only if all of them agree. */
export type ProcessIdentity = {
  readonly host: string;
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  readonly started: string;
};

/**
 * All that the workspace needs of a machine. Every access names an open directory and one component below it, and
 * no operation follows a link in that component. Operations fail with an error that has a `code` such as `ENOSPC`.
 * Those that change the disk are listed in `mutating`.
 */
export type Files = {
  /** Opens the root; the one place where a link is followed, once. */
  openRoot(path: string): Promise<Dir>;
  openDir(dir: Dir, name: string): Promise<Dir>;
  list(dir: Dir): Promise<Listed[]>;
  /** `null`: nothing stands there. */
  stat(dir: Dir, name: string): Promise<Stat | null>;
  statOpen(handle: Dir | OpenFile): Promise<Stat>;
  readLink(dir: Dir, name: string): Promise<string>;
  /** Waits for the operations on the handle that run. A closed handle refuses every operation (`EBADF`), and closing
   *  it again does nothing. */
  close(handle: Dir | OpenFile): Promise<void>;

  /** Opens a regular file; anything else is refused without waiting for it (`EINVAL`, for a link `ELOOP`).
   *  What is opened can also be flushed, and its mode set. */
  openRead(dir: Dir, name: string): Promise<OpenFile>;
  /** Up to `length` bytes; fewer, or none, only at the end. */
  read(file: OpenFile, position: number, length: number): Promise<Uint8Array>;

  /** A new file, readable and writable; `EEXIST` if anything, even a dangling link, has that name. */
  create(dir: Dir, name: string, mode: number): Promise<OpenFile>;
  /** An existing regular file for writing; its content stays. */
  openWrite(dir: Dir, name: string): Promise<OpenFile>;
  /** May write less than asked; the number says how much. */
  write(file: OpenFile, bytes: Uint8Array, position: number): Promise<number>;
  truncate(file: OpenFile, size: number): Promise<void>;
  setMode(handle: Dir | OpenFile, mode: number): Promise<void>;
  setOwner(file: OpenFile, uid: number, gid: number): Promise<void>;
  flush(file: OpenFile): Promise<void>;
  /** Does nothing where directories cannot be flushed. */
  flushDir(dir: Dir): Promise<void>;

  /** Replaces what stands at the new name. */
  rename(from: Dir, name: string, to: Dir, newName: string): Promise<void>;
  /** A second name for a file; `EEXIST` if the name is taken. */
  link(from: Dir, name: string, to: Dir, newName: string): Promise<void>;
  unlink(dir: Dir, name: string): Promise<void>;
  mkdir(dir: Dir, name: string, mode: number): Promise<void>;
  rmdir(dir: Dir, name: string): Promise<void>;

  fileSystem(dir: Dir): Promise<FileSystem>;
  /** The user whose files these would be; `null` where the platform has no such number. */
  user(): number | null;
  /** Permission bits that new files of this process do not get. */
  umask(): number;
  self(): ProcessIdentity;
  /** Whether no process of this identity can be running; `false` also means "cannot tell". */
  isDead(identity: ProcessIdentity): boolean;
  /** 128 random bits in hexadecimal. */
  randomId(): string;
  /** For people to read. Nothing is decided by it. */
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

/** The machine's trouble, in the shape Node gives it. */
export class FilesError extends Error {
  readonly code: string;
  constructor(code: string, operation: string, name = "") {
    super(`${code}: ${operation} ${name}`.trim());
    this.code = code;
  }
}

/** The error number of a failed operation; an error without one is a bug and is thrown on. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return code;
  throw error;
}

/** What file systems without hard links answer. */
export const withoutLinks: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
]);
