import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { readAll, versionOf, writeAll } from "../files/content.ts";
import { codeOf, type Dir, type Files, type ProcessIdentity, withoutLinks } from "../files/files.ts";

/** Held by one process at a time. `epoch` rises with every owner and is written into every record. */
export type Tenure = {
  readonly epoch: number;
  /** What the owner before left as a note; `null` after a crash, or when it cannot be believed. */
  readonly inherited: string | null;
  /** Whether this is still the newest epoch. Asked again before everything that cannot be taken back. */
  holds(): Promise<boolean>;
  release(note: string): Promise<void>;
};

export type LockOptions = {
  /** How long to wait for another owner, in milliseconds of sleeping; no clock is asked. */
  readonly patience: number;
  /** Take the lock even from an owner that is not proven dead: a person's decision. */
  readonly breakOwner?: boolean;
};

/**
 * The epoch lock. Owners are called `lock-n`, made whole under another name and then linked, which fails where one
 * stands. The next is made when `free-n` says that the last owner is finished, or when that owner is proven dead.
 * Nothing is removed to gain the lock, so two processes cannot both believe that they have it.
 */
export async function acquireLock(
  files: Files,
  dir: Dir,
  { patience, breakOwner }: LockOptions,
): Promise<Outcome<Tenure>> {
  const crowd = crowds.get(dir) ?? 0;
  // Where others were waiting too, whoever has just had the lock does not come first again.
  let waited = crowd > 0 ? await pause(files, crowd) : 0;
  for (let begun = 0; ; ) {
    const last = await lastEpoch(files, dir);
    begun ||= last.epoch;
    const passed = Math.min(largestCrowd, last.epoch - begun);
    const owner = last.freed || last.epoch === 0 ? null : await readOwner(files, dir, last.epoch);
    if (!owner || breakOwner || (await isOver(files, dir, owner))) {
      const tenure = await takeEpoch(files, dir, last);
      if (!tenure) continue;
      crowds.set(dir, passed);
      return accept(tenure);
    }
    if (waited >= patience) return refuse({ code: "locked", owner: showOwner(owner) });
    waited += await waitFor(files, dir, last.epoch, Math.max(crowd, passed));
  }
}

/** How many others had the lock while this process last waited for it: about as many as wait with it. */
const crowds = new WeakMap<Dir, number>();
const largestCrowd = 30;
const looksBetween = 10;

/** Waits until an epoch is over, or until it is time to ask again whether its owner still lives. */
async function waitFor(files: Files, dir: Dir, epoch: number, crowd: number): Promise<number> {
  let waited = 0;
  for (let looks = 0; looks < looksBetween; looks++) {
    waited += await pause(files, crowd);
    if ((await files.stat(dir, `free-${epoch}`)) || !(await files.stat(dir, `lock-${epoch}`))) break;
  }
  return waited;
}

/** The more there are who look, the less often each of them need look; a little different each time. */
async function pause(files: Files, crowd: number): Promise<number> {
  const length = (2 + 1.5 * crowd) * (0.5 + jitter(files));
  await files.sleep(length);
  return length;
}

/** How the lock stands, for those who only look: `note` is what its last owner left. */
export type LockState =
  | { readonly is: "unused" }
  | { readonly is: "free"; readonly note: string }
  | { readonly is: "held" | "abandoned"; readonly owner: string };

export async function readLock(files: Files, dir: Dir): Promise<LockState> {
  const last = await lastEpoch(files, dir);
  if (last.epoch === 0) return { is: "unused" };
  if (last.freed) return { is: "free", note: (await readText(files, dir, `free-${last.epoch}`)) ?? "" };
  const owner = await readOwner(files, dir, last.epoch);
  return { is: (await isOver(files, dir, owner)) ? "abandoned" : "held", owner: showOwner(owner) };
}

type Last = { readonly epoch: number; readonly freed: boolean; readonly names: readonly string[] };

async function lastEpoch(files: Files, dir: Dir): Promise<Last> {
  const names = (await files.list(dir)).map(({ name }) => name);
  const epoch = names.reduce((highest, name) => Math.max(highest, epochOf(name)), 0);
  return { epoch, freed: names.includes(`free-${epoch}`), names };
}

function epochOf(name: string): number {
  const found = /^(?:lock|free)-([1-9][0-9]{0,14})$/.exec(name);
  return found ? Number(found[1]) : 0;
}

/** What a process could not say or remove because the disk failed: terms that are over, drafts that are of no use. */
type Loose = { readonly terms: Set<string>; readonly drafts: Set<string> };
const looseEnds = new WeakMap<ProcessIdentity, Loose>();

/** Nobody need wait for himself: what this process knows to be over is over, whatever the disk says. */
function looseOf(files: Files): Loose {
  const self = files.self();
  const known = looseEnds.get(self) ?? { terms: new Set(), drafts: new Set() };
  looseEnds.set(self, known);
  return known;
}

async function takeEpoch(files: Files, dir: Dir, last: Last): Promise<Tenure | null> {
  const term = files.randomId();
  try {
    return await beginTerm(files, dir, last, term);
  } catch (error) {
    looseOf(files).terms.add(term);
    throw error;
  }
}

async function beginTerm(files: Files, dir: Dir, last: Last, term: string): Promise<Tenure | null> {
  const epoch = last.epoch + 1;
  if (!(await putOwner(files, dir, `lock-${epoch}`, term))) return null;
  const now = await lastEpoch(files, dir);
  if (now.epoch !== epoch || now.freed) {
    // Made late: the epochs had moved on and the old ones were swept. The newer owner stands.
    await removeOwner(files, dir, `lock-${epoch}`);
    return null;
  }
  const inherited = last.freed ? await readText(files, dir, `free-${last.epoch}`) : null;
  await sweep(files, dir, now.names, epoch);
  return {
    epoch,
    inherited,
    // Whoever takes the lock from us makes exactly the next name; whoever comes after that removes ours first.
    holds: async () =>
      (await files.stat(dir, `lock-${epoch + 1}`)) === null &&
      (await files.stat(dir, `lock-${epoch}`)) !== null,
    release: async (note) => {
      if (!(await release(files, dir, epoch, note))) looseOf(files).terms.add(term);
    },
  };
}

/** Makes the owner whole before it gets its name: only a power cut can leave half of one. */
async function putOwner(files: Files, dir: Dir, name: string, term: string): Promise<boolean> {
  const draft = printDraft(files.self(), files.randomId());
  const owner = JSON.stringify({ ...files.self(), term });
  try {
    await writeNew(files, dir, draft, owner);
    const linked = await linkOwner(files, dir, draft, name);
    if (linked !== "no links") return linked;
  } finally {
    if (!(await removeOwner(files, dir, draft))) looseOf(files).drafts.add(draft);
  }
  return putFolder(files, dir, draft, name, owner);
}

async function linkOwner(files: Files, dir: Dir, draft: string, name: string): Promise<boolean | "no links"> {
  try {
    await files.link(dir, draft, dir, name);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (taken.has(code)) return false;
    if (withoutLinks.has(code)) return "no links";
    throw error;
  }
}

/** What it means that a name could not be given: another has it, or had it a moment ago, or has swept our draft. */
const taken = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR", "ENOENT"]);

/** Without hard links: a directory with the owner in it, for a rename onto one that is not empty fails too. */
async function putFolder(
  files: Files,
  dir: Dir,
  draft: string,
  name: string,
  owner: string,
): Promise<boolean> {
  await files.mkdir(dir, draft, 0o700);
  try {
    const inside = await files.openDir(dir, draft);
    try {
      await writeNew(files, inside, ownerName, owner);
    } finally {
      await files.close(inside);
    }
    await files.rename(dir, draft, dir, name);
    return true;
  } catch (error) {
    await removeOwner(files, dir, draft);
    const code = codeOf(error);
    if (taken.has(code) || (await files.stat(dir, name))) return false;
    throw error;
  }
}

const ownerName = "owner";

/** The name of a draft tells whose it is, so that what a dead process left can be swept without opening it. */
function printDraft(self: ProcessIdentity, id: string): string {
  return `draft.${self.pid}.${self.started || "-"}.${self.boot || "-"}.${placeOf(self)}.${id}`;
}

/** Where process numbers mean what they mean here. */
function placeOf({ host, namespace }: ProcessIdentity): string {
  return versionOf(new TextEncoder().encode(`${host} ${namespace}`)).slice(0, 8);
}

function isDeadDraft(files: Files, name: string): boolean {
  const found = /^draft\.([1-9][0-9]*)\.([^.]+)\.([^.]+)\.([0-9a-f]{8})\.[0-9a-f]+$/.exec(name);
  const self = files.self();
  if (!found || found[4] !== placeOf(self)) return false;
  const [started, boot] = [found[2]!, found[3]!].map((part) => (part === "-" ? "" : part)) as [
    string,
    string,
  ];
  return files.isDead({ ...self, pid: Number(found[1]), started, boot });
}

async function writeNew(files: Files, dir: Dir, name: string, text: string): Promise<void> {
  const file = await files.create(dir, name, 0o600);
  try {
    await writeAll(files, file, new TextEncoder().encode(text));
  } finally {
    await files.close(file);
  }
}

/** Says that an epoch is over; whether that could be said. */
async function release(files: Files, dir: Dir, epoch: number, note: string): Promise<boolean> {
  try {
    await writeNew(files, dir, `free-${epoch}`, note);
    return true;
  } catch (error) {
    codeOf(error);
  }
  try {
    // A full disk must not leave the lock taken. This is no note, so the next owner looks for itself.
    await files.rename(dir, `lock-${epoch}`, dir, `free-${epoch}`);
    return true;
  } catch (error) {
    codeOf(error);
    return false;
  }
}

/**
 * Older epochs have done their duty: the newest alone decides. They go in rising order and up to the first that does not
 * go, so that an old owner always misses its own or sees the next. Drafts outlive only their dead authors.
 */
async function sweep(files: Files, dir: Dir, names: readonly string[], epoch: number): Promise<void> {
  const { drafts } = looseOf(files);
  for (const name of names)
    if ((drafts.has(name) || isDeadDraft(files, name)) && (await removeOwner(files, dir, name)))
      drafts.delete(name);
  const old = names.filter((name) => epochOf(name) > 0 && epochOf(name) < epoch);
  for (const name of old.sort((a, b) => epochOf(a) - epochOf(b)))
    if (!(await removeOwner(files, dir, name))) return;
}

/** Removes a lock, a draft or a note; others may be doing the same. Says whether it is gone. */
async function removeOwner(files: Files, dir: Dir, name: string): Promise<boolean> {
  try {
    const found = await files.stat(dir, name);
    if (found?.kind === "directory") await removeFolder(files, dir, name);
    else if (found) await files.unlink(dir, name);
    return true;
  } catch (error) {
    return codeOf(error) === "ENOENT";
  }
}

async function removeFolder(files: Files, dir: Dir, name: string): Promise<void> {
  const inside = await files.openDir(dir, name);
  try {
    await files.unlink(inside, ownerName).catch(codeOf);
  } finally {
    await files.close(inside);
  }
  await files.rmdir(dir, name);
}

type Owner = (ProcessIdentity & { readonly term?: string }) | "torn" | "gone";

async function readOwner(files: Files, dir: Dir, epoch: number): Promise<Owner> {
  const name = `lock-${epoch}`;
  const found = await files.stat(dir, name);
  if (found?.kind !== "directory") return found ? parseOwner(await readText(files, dir, name)) : "gone";
  try {
    const inside = await files.openDir(dir, name);
    try {
      return parseOwner(await readText(files, inside, ownerName));
    } finally {
      await files.close(inside);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "gone";
    throw error;
  }
}

function parseOwner(text: string | null): Owner {
  try {
    const { host, boot, namespace, pid, started, term } = JSON.parse(text ?? "") as Exclude<Owner, string>;
    const sound = [host, boot, namespace, started].every((part) => typeof part === "string") && pid > 0;
    if (!sound || !Number.isInteger(pid)) return "torn";
    return { host, boot, namespace, pid, started, ...(typeof term === "string" ? { term } : {}) };
  } catch {
    return "torn";
  }
}

/** Half an owner has outlived a power cut, for no process ever shows one. Over a network that cannot be known. */
async function isOver(files: Files, dir: Dir, owner: Owner): Promise<boolean> {
  if (owner === "gone") return false;
  if (owner === "torn") return !(await files.fileSystem(dir)).network;
  return (owner.term !== undefined && looseOf(files).terms.has(owner.term)) || files.isDead(owner);
}

function showOwner(owner: Owner): string {
  return typeof owner === "string" ? "unknown" : `process ${owner.pid} on ${owner.host}`;
}

async function readText(files: Files, dir: Dir, name: string): Promise<string | null> {
  try {
    const file = await files.openRead(dir, name);
    try {
      return new TextDecoder().decode(await readAll(files, file, 4096));
    } finally {
      await files.close(file);
    }
  } catch (error) {
    codeOf(error);
    return null;
  }
}

/** Spreads waiting processes out; any number between 0 and 1 would do. */
function jitter(files: Files): number {
  return Number.parseInt(files.randomId().slice(-4), 16) / 0xffff;
}
