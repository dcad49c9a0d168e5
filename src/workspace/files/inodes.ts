import type { Attributes } from "./attributes.ts";
import type { Kind } from "./files.ts";

/** A file or directory in memory, with the part of it that survives a power cut. */
export type Inode = {
  readonly number: number;
  readonly kind: Kind;
  /** Its file system; links and renames cannot cross file systems. */
  device: number;
  mode: number;
  uid: number;
  gid: number;
  /** The number of its names. */
  links: number;
  data: Uint8Array;
  /** Where a link points. */
  target: string;
  /** A file's access control list or extended attributes. */
  attributes?: Attributes;
  entries: Map<string, Named>;
  flushed: Flushed | null;
  flushedEntries: Map<string, Named>;
  /** Name changes since the last flush, in order; each survives or is lost as a unit. */
  pending: NameChange[];
};

type Flushed = Pick<Inode, "data" | "mode" | "uid" | "gid">;
export type Named = { readonly name: string; readonly inode: Inode };
export type NameChange = readonly {
  readonly key: string;
  readonly name: string;
  readonly to: Inode | null;
}[];

/** An unflushed change at the time of a power cut, and the outcomes that the cut may have. */
export type Unflushed =
  | { readonly what: "data"; readonly inode: number; readonly outcomes: readonly DataOutcome[] }
  | {
      readonly what: "name";
      readonly directory: number;
      readonly names: readonly string[];
      readonly outcomes: readonly NameOutcome[];
    };

/** `mixed`: the first of the new bytes and the last of the old; `bytes`: the new bytes under the old mode. */
export type DataOutcome = "kept" | "old" | "short" | "zeros" | "mixed" | "bytes";
export type NameOutcome = "kept" | "lost";

/** Decides the outcome of each unflushed change. */
export type Choose = (unflushed: Unflushed) => DataOutcome | NameOutcome;

export const loseAll: Choose = ({ what }) => (what === "data" ? "old" : "lost");
export const keepAll: Choose = () => "kept";

export function newInode(number: number, kind: Kind, mode: number, user: number): Inode {
  const nothing = { device: 1, links: 0, data: new Uint8Array(), target: "", flushed: null, pending: [] };
  return {
    number,
    kind,
    mode,
    uid: user,
    gid: user,
    ...nothing,
    entries: new Map(),
    flushedEntries: new Map(),
  };
}

export function changeNames(dir: Inode, names: NameChange): void {
  for (const { key, to } of names) {
    const old = dir.entries.get(key)?.inode;
    if (old) old.links--;
    if (to) to.links++;
  }
  enterNames(dir.entries, names);
  dir.pending.push(names);
}

export function flushData(inode: Inode): void {
  inode.flushed = { data: inode.data, mode: inode.mode, uid: inode.uid, gid: inode.gid };
}

export function flushNames(dir: Inode): void {
  dir.flushedEntries = new Map(dir.entries);
  dir.pending = [];
}

/** Every unflushed change, in a stable order. */
export function findUnflushed(root: Inode): Unflushed[] {
  const all = everyInode(root);
  return [
    ...all.filter(isDirty).map(unflushedData),
    ...all.flatMap((dir) => dir.pending.map((names) => unflushedNames(dir, names))),
  ];
}

/** Keeps only flushed changes and the unflushed ones that `choose` keeps. */
export function dropUnflushed(root: Inode, choose: Choose): void {
  const all = everyInode(root);
  for (const inode of all) {
    if (isDirty(inode)) loseData(inode, choose(unflushedData(inode)));
    for (const names of inode.pending)
      if (choose(unflushedNames(inode, names)) === "kept") enterNames(inode.flushedEntries, names);
    inode.pending = [];
    inode.entries = new Map(inode.flushedEntries);
    inode.links = 0;
  }
  for (const { entries } of everyInode(root)) for (const { inode } of entries.values()) inode.links++;
}

/** A copy that shares nothing with the original. */
export function copyTree(root: Inode): Inode {
  const copies = new Map(everyInode(root).map((inode) => [inode, { ...inode }]));
  // Data arrays are replaced, never modified, so the copies can share them.
  const copyOf = (inode: Inode): Inode => copies.get(inode) ?? { ...inode };
  const copyEntries = (entries: Map<string, Named>): Map<string, Named> =>
    new Map([...entries].map(([key, { name, inode }]) => [key, { name, inode: copyOf(inode) }]));
  for (const copy of copies.values()) {
    copy.entries = copyEntries(copy.entries);
    copy.flushedEntries = copyEntries(copy.flushedEntries);
    copy.pending = copy.pending.map((names) =>
      names.map((one) => ({ ...one, to: one.to && copyOf(one.to) })),
    );
  }
  return copies.get(root)!;
}

/** Every path below a directory, sorted; directories end in a slash. */
export function pathsBelow(dir: Inode, prefix = ""): string[] {
  return [...dir.entries.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, inode }) =>
      inode.kind === "directory"
        ? [`${prefix}${name}/`, ...pathsBelow(inode, `${prefix}${name}/`)]
        : [`${prefix}${name}`],
    );
}

function enterNames(entries: Map<string, Named>, names: NameChange): void {
  for (const { key, name, to } of names)
    if (to) entries.set(key, { name, inode: to });
    else entries.delete(key);
}

/** Includes inodes that only a flushed name or a pending name change refers to. */
function everyInode(root: Inode): Inode[] {
  const found = new Set([root]);
  for (const dir of found) {
    for (const { inode } of dir.entries.values()) found.add(inode);
    for (const { inode } of dir.flushedEntries.values()) found.add(inode);
    for (const names of dir.pending) for (const { to } of names) if (to) found.add(to);
  }
  return [...found];
}

function isDirty({ kind, data, mode, uid, gid, flushed }: Inode): boolean {
  if (kind !== "file") return false;
  return (
    !flushed || flushed.data !== data || flushed.mode !== mode || flushed.uid !== uid || flushed.gid !== gid
  );
}

/** Flushed bytes that are still part of the content survive; only later bytes can be lost. */
function unflushedData({ number, data, mode, flushed }: Inode): Unflushed {
  const outcomes: DataOutcome[] = ["kept", "old"];
  if (flushed?.data !== data) outcomes.push("short", "zeros");
  if (flushed && flushed.data !== data && flushed.data.length > 0) outcomes.push("mixed");
  if (flushed?.data !== data && (flushed?.mode ?? 0o600) !== mode) outcomes.push("bytes");
  return { what: "data", inode: number, outcomes };
}

function unflushedNames({ number }: Inode, names: NameChange): Unflushed {
  return {
    what: "name",
    directory: number,
    names: names.map(({ name }) => name),
    outcomes: ["kept", "lost"],
  };
}

function loseData(inode: Inode, outcome: DataOutcome | NameOutcome): void {
  const { data, uid, gid } = inode;
  const old = inode.flushed ?? { data: new Uint8Array(), mode: 0o600, uid, gid };
  const safe = commonLength(data, old.data);
  const half = (safe + data.length) >> 1;
  if (outcome === "old") Object.assign(inode, old);
  if (outcome === "bytes") inode.mode = old.mode;
  if (outcome === "short") inode.data = data.slice(0, half);
  if (outcome === "zeros") inode.data = data.slice().fill(0, safe);
  if (outcome === "mixed") inode.data = joined(data.subarray(0, half), old.data.subarray(half));
  flushData(inode);
}

function commonLength(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  return same;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
