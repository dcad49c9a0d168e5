import { existsSync } from "node:fs";
import { FilesError } from "./files.ts";

/** The attributes of a file beyond its owner and mode. A new file in its place would not have them. */
export type Attributes = {
  /** An access control list or an extended attribute. */
  readonly extended: boolean;
  /** A file capability. The system removes it at every write. */
  readonly capability: boolean;
};

const plain: Attributes = { extended: false, capability: false };

/**
 * Node cannot read attributes, and GNU tar can: its long listing marks a file with an access control list with `+`, and
 * one with another attribute with `*`. `null`: this machine has no GNU tar.
 */
export function readAttributes(dir: number, names: readonly string[]): readonly Attributes[] | null {
  const marks = listMarks(dir, names, everyAttribute);
  if (marks === null) return null;
  const marked = names.filter((_, i) => marks[i] !== " ");
  if (marked.length === 0) return names.map(() => plain);
  const capable = listMarks(dir, marked, [`--xattrs-include=${capabilityName}`]);
  const withCapability = new Set(marked.filter((_, i) => capable?.[i] === "*"));
  return names.map((name, i) => ({ extended: marks[i] !== " ", capability: withCapability.has(name) }));
}

const capabilityName = "security.capability";

/** Security modules label every file, and a server gives every file its list. A new file gets those by itself. */
const everyAttribute = [
  "--acls",
  "--xattrs-include=*",
  ...["selinux", "apparmor", "SMACK64", "ima", "evm"].map((name) => `--xattrs-exclude=security.${name}`),
  "--xattrs-exclude=system.nfs4_*",
  "--xattrs-exclude=trusted.*",
  "--xattrs-exclude=btrfs.*",
];

/** The mark of each file in the long listing: a space, `+` or `*`. */
function listMarks(
  dir: number,
  names: readonly string[],
  which: readonly string[],
): readonly string[] | null {
  const marks: string[] = [];
  for (let at = 0; at < names.length; at += mostNames) {
    const some = names.slice(at, at + mostNames);
    const listed = runTar(dir, [
      ...["--xattrs", ...which, "--quoting-style=escape", "-cvvf", "/dev/null"],
      ...["-C", "/proc/self/fd/3", ...some.map((name) => `./${name}`)],
    ]);
    if (listed === null) return null;
    const found = Array.from(
      listed.toString("latin1").matchAll(/^[-hdlpscb][-rwxsStT]{9}([ +*.])/gm),
      ([, mark]) => (mark === "." ? " " : mark!),
    );
    if (found.length !== some.length) throw new FilesError("EAGAIN", "read the attributes of", some[0]);
    marks.push(...found);
  }
  return marks;
}

/** The system limits the length of a command. */
const mostNames = 400;

/** The mode that a directory's default access control list gives to new files; `null` where there is no such list. */
export function readDefaultMode(dir: number): number | null {
  const archive = runTar(dir, ["--acls", "--format=pax", "-cf", "-", "-C", "/proc/self/fd/3", "."]);
  const list = archive && extendedHeader(archive).get("SCHILY.acl.default");
  return list ? modeOf(list) : null;
}

/** The records of the extended header with which an archive begins, if it has one. */
function extendedHeader(archive: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  if (archive[156] !== "x".charCodeAt(0)) return records;
  const size = Number.parseInt(archive.toString("latin1", 124, 135), 8);
  const text = archive.toString("utf8", 512, 512 + size);
  for (const [, key, value] of text.matchAll(/^[0-9]+ ([A-Za-z.]+)=((?:[^\n]|\n(?![0-9]+ ))*)/gm))
    records.set(key!, value!);
  return records;
}

/** The permission bits of an access control list in its text form. The mask limits the group, as the system shows it. */
function modeOf(list: string): number {
  const granted = new Map<string, number>();
  for (const [, who, name, bits] of list.matchAll(/(user|group|mask|other):([^:,\n]*):([-rwx]{3})/g))
    if (name === "")
      granted.set(
        who!,
        ["r", "w", "x"].reduce((sum, bit) => sum * 2 + (bits!.includes(bit) ? 1 : 0), 0),
      );
  const [user, other] = [granted.get("user") ?? 0, granted.get("other") ?? 0];
  const group = granted.get("mask") ?? granted.get("group") ?? 0;
  return ((user << 6) | (group << 3) | other) & 0o666;
}

const places = ["/usr/bin/tar", "/bin/tar"];

/** The output of tar; `null` if there is no tar, or it does not know the options. */
function runTar(dir: number, options: readonly string[]): Buffer | null {
  const program = places.find((place) => existsSync(place));
  if (process.platform !== "linux" || program === undefined) return null;
  // Waiting here costs a third less than a pipe and its events. The command reads a few inodes.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  // No setting of the caller's environment or folder may change what is listed.
  const { error, status, stdout } = spawnSync(program, ["--no-recursion", ...options], {
    cwd: "/",
    env: { LC_ALL: "C" },
    stdio: ["ignore", "pipe", "ignore", dir],
    maxBuffer: mostOutput,
  });
  if (error) throw error;
  // 64 or 1: options of another tar. 2 or a signal: a file that cannot be read, or no memory.
  if (status === 64 || (status === 1 && stdout.length === 0)) return null;
  if (status === 2 && stdout.length === 0) return isGnu(program) ? fail(options) : null;
  return stdout;
}

const mostOutput = 8_000_000;

function isGnu(program: string): boolean {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const told = spawnSync(program, ["--version"], { encoding: "utf8", env: {}, cwd: "/" });
  return told.stdout?.includes("GNU tar") ?? false;
}

function fail(options: readonly string[]): never {
  throw new FilesError("EAGAIN", "read the attributes of", options.at(-1));
}
