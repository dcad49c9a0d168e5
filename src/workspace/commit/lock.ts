import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { readAll, versionOf, writeAll } from "../files/content.ts";
import {
  codeOf,
  type Dir,
  type Files,
  ignoreIoError,
  type OpenFile,
  type ProcessIdentity,
  withoutLinks,
} from "../files/files.ts";

/** The lock, held by this process. `epoch` increases with every owner and is written into every record. */
export type HeldLock = {
  readonly epoch: number;
  /** The note that the previous owner left; `null` after a crash. */
  readonly inherited: string | null;
  /** Whether this is still the newest epoch. Callers ask again before every irreversible step. */
  holds(): Promise<boolean>;
  release(note: string): Promise<void>;
};

/** Another process has taken the lock, so this one must stop. */
export class LockLost extends Error {
  constructor() {
    super("one that has taken the lock from this one");
  }
}

export type LockOptions = {
  /** How long to wait for another owner, in milliseconds of sleeping; no clock is read. */
  readonly patience: number;
  /** Take the lock even from an owner that is not proven dead: a person's decision. */
  readonly breakOwner?: boolean;
};

/** The lock as a reader sees it. `note` is what the last owner left. */
export type LockState =
  | { readonly is: "unused" }
  | { readonly is: "free"; readonly note: string }
  | { readonly is: "held" | "abandoned"; readonly owner: string };

export function acquireLock(files: Files, dir: Dir, options: LockOptions): Promise<Outcome<HeldLock>> {
  return new EpochLock(files, dir).acquire(options);
}

export function readLock(files: Files, dir: Dir): Promise<LockState> {
  return new EpochLock(files, dir).read();
}

/** The newest epoch in the lock directory; 0 if there is none. */
type LastEpoch = { readonly epoch: number; readonly freed: boolean; readonly names: readonly string[] };

/** The identity in an owner file, or why there is none. */
type Owner = (ProcessIdentity & { readonly ownerId?: string }) | "torn" | "gone";

/** A name, and the text of the file to create there. */
type NamedText = { readonly name: string; readonly text: string };

/**
 * An owner as it was created: its file, still open, with its identity and the length of its first line. `null`: the owner
 * is a folder, or a file that had to be closed.
 */
type CreatedOwner = { readonly file: OpenFile; readonly identity: string; readonly length: number } | null;

/**
 * The epoch lock. Owner files are called `lock-n`. An owner file is written under a draft name and then linked, which
 * fails if the name exists. A process creates the next one when `free-n` shows that the last owner has finished, or when
 * that owner is proven dead. No file is removed to gain the lock, so two processes cannot both believe they hold it.
 * `free-n` is a second name of the owner file. The owner has added its note to the file before, on a line of its own.
 */
class EpochLock {
  readonly #files: Files;
  readonly #dir: Dir;

  constructor(files: Files, dir: Dir) {
    this.#files = files;
    this.#dir = dir;
  }

  async acquire({ patience, breakOwner }: LockOptions): Promise<Outcome<HeldLock>> {
    const contenders = contendersOf.get(this.#dir) ?? 0;
    // If other processes were waiting too, a process that just had the lock lets them go first.
    let waited = contenders > 0 ? await this.#pause(contenders) : 0;
    for (let firstEpoch = 0; ; ) {
      const last = await this.#lastEpoch();
      firstEpoch ||= last.epoch;
      const passed = Math.min(maxContenders, last.epoch - firstEpoch);
      const owner = last.freed || last.epoch === 0 ? null : await this.#readOwner(last.epoch);
      if (!owner || breakOwner || (await this.#isOver(owner))) {
        const lock = await this.#takeEpoch(last);
        if (!lock) continue;
        contendersOf.set(this.#dir, passed);
        return accept(lock);
      }
      if (waited >= patience) return refuse({ code: "locked", owner: showOwner(owner) });
      waited += await this.#waitFor(last.epoch, Math.max(contenders, passed));
    }
  }

  async read(): Promise<LockState> {
    const last = await this.#lastEpoch();
    if (last.epoch === 0) return { is: "unused" };
    if (last.freed) return { is: "free", note: (await this.#readNote(last.epoch)) ?? "" };
    const owner = await this.#readOwner(last.epoch);
    return { is: (await this.#isOver(owner)) ? "abandoned" : "held", owner: showOwner(owner) };
  }

  /** Waits until an epoch ends, or until it is time to check again whether its owner is alive. */
  async #waitFor(epoch: number, contenders: number): Promise<number> {
    let waited = 0;
    for (let polls = 0; polls < pollsBetweenChecks; polls++) {
      waited += await this.#pause(contenders);
      if ((await this.#stat(`free-${epoch}`)) || !(await this.#stat(`lock-${epoch}`))) break;
    }
    return waited;
  }

  /** The more processes wait, the less often each of them polls. The random part spreads them out. */
  async #pause(contenders: number): Promise<number> {
    const jitter = Number.parseInt(this.#files.randomId().slice(-4), 16) / 0xffff;
    const length = (2 + 1.5 * contenders) * (0.5 + jitter);
    await this.#files.sleep(length);
    return length;
  }

  async #lastEpoch(): Promise<LastEpoch> {
    const names = (await this.#files.list(this.#dir)).map(({ name }) => name);
    const epoch = names.reduce((highest, name) => Math.max(highest, epochOf(name)), 0);
    return { epoch, freed: names.includes(`free-${epoch}`), names };
  }

  async #takeEpoch(last: LastEpoch): Promise<HeldLock | null> {
    const ownerId = this.#files.randomId();
    const endLife = await this.#showLife(ownerId);
    try {
      const lock = await this.#beginEpoch(last, ownerId);
      if (!lock) await endLife();
      return lock && { ...lock, release: (note) => lock.release(note).finally(endLife) };
    } catch (error) {
      leftoversOf(this.#files).ownerIds.add(ownerId);
      await endLife();
      throw error;
    }
  }

  /** Processes outside a container do not see its pids, so an owner in one also listens on a socket. */
  async #showLife(ownerId: string): Promise<() => Promise<void>> {
    const { namespace } = this.#files.self();
    const isSeen = namespace === "" || namespace === machineNamespace;
    const endLife = isSeen ? null : await this.#files.showLife(this.#dir, lifeName(ownerId));
    return endLife ?? (async () => {});
  }

  async #beginEpoch(last: LastEpoch, ownerId: string): Promise<HeldLock | null> {
    const epoch = last.epoch + 1;
    const owner = await this.#createOwner(`lock-${epoch}`, ownerId);
    if (owner === "taken") return null;
    try {
      const now = await this.#lastEpoch();
      if (now.epoch !== epoch || now.freed) {
        // This process was late: newer epochs exist and the old names were removed. The newer owner keeps the lock.
        await this.#removeOwner(`lock-${epoch}`);
        await this.#closeOwner(owner);
        return null;
      }
      const inherited = last.freed ? await this.#readNote(last.epoch) : null;
      await this.#removeOldEpochs(now.names, epoch);
      return this.#heldLock(epoch, { inherited, owner, ownerId });
    } catch (error) {
      await this.#closeOwner(owner);
      throw error;
    }
  }

  #heldLock(
    epoch: number,
    { inherited, owner, ownerId }: { inherited: string | null; owner: CreatedOwner; ownerId: string },
  ): HeldLock {
    return {
      epoch,
      inherited,
      // A process that takes the lock creates exactly the next name. Later owners remove this process's name first.
      holds: async () =>
        (await this.#stat(`lock-${epoch + 1}`)) === null && (await this.#isOwn(epoch, owner, ownerId)),
      release: async (note) => {
        if (!(await this.#release(epoch, note, owner))) leftoversOf(this.#files).ownerIds.add(ownerId);
        await this.#closeOwner(owner);
      },
    };
  }

  /** A process that is late creates the name of a past epoch for a moment. So it is compared, not only looked for. */
  async #isOwn(epoch: number, owner: CreatedOwner, ownerId: string): Promise<boolean> {
    if (owner) return (await this.#stat(`lock-${epoch}`))?.identity === owner.identity;
    const found = await this.#readOwner(epoch);
    // A failed read does not mean that the owner changed.
    return found === "torn" || (found !== "gone" && found.ownerId === ownerId);
  }

  /** Writes the whole owner file before it gets its name: only a power cut can leave half of one. */
  async #createOwner(name: string, ownerId: string): Promise<CreatedOwner | "taken"> {
    const self = this.#files.self();
    const draft = printDraft(self, ownerId);
    const text = JSON.stringify({ ...self, term: ownerId });
    let owner: CreatedOwner = null;
    let linked: boolean | "no links" = false;
    try {
      owner = await this.#writeOwner({ name: draft, text });
      linked = await this.#linkOwner(draft, name);
      if (linked === true) return owner;
    } finally {
      if (!(await this.#removeOwner(draft))) leftoversOf(this.#files).drafts.add(draft);
      if (linked !== true) await this.#closeOwner(owner);
    }
    if (linked === false) return "taken";
    return (await this.#createOwnerFolder(draft, { name, text })) ? null : "taken";
  }

  /** Writes an owner file. Other machines of a network see its bytes only when it is closed, so there it is not left open. */
  async #writeOwner({ name, text }: NamedText): Promise<CreatedOwner> {
    const isShared = (await this.#files.fileSystem(this.#dir)).network;
    const file = await this.#createFile(this.#dir, { name, text });
    const { identity, size } = await this.#files.statOpen(file);
    const owner = { file, identity, length: size };
    if (!isShared) return owner;
    await this.#closeOwner(owner);
    return null;
  }

  async #closeOwner(owner: CreatedOwner): Promise<void> {
    if (owner) await this.#files.close(owner.file);
  }

  async #linkOwner(draft: string, name: string): Promise<boolean | "no links"> {
    try {
      await this.#files.link(this.#dir, draft, this.#dir, name);
      return true;
    } catch (error) {
      const code = codeOf(error);
      if (nameTaken.has(code)) return false;
      if (withoutLinks.has(code)) return "no links";
      throw error;
    }
  }

  /** Without hard links, the owner is a folder: a rename onto a folder that is not empty fails too. */
  async #createOwnerFolder(draft: string, { name, text }: NamedText): Promise<boolean> {
    await this.#files.mkdir(this.#dir, draft, 0o700);
    try {
      const inside = await this.#files.openDir(this.#dir, draft);
      try {
        await this.#writeNew(inside, { name: ownerName, text });
      } finally {
        await this.#files.close(inside);
      }
      await this.#files.rename(this.#dir, draft, this.#dir, name);
      return true;
    } catch (error) {
      await this.#removeOwner(draft);
      const code = codeOf(error);
      if (nameTaken.has(code) || (await this.#stat(name))) return false;
      throw error;
    }
  }

  /** Marks an epoch as finished; returns false if the disk did not allow it. */
  async #release(epoch: number, note: string, owner: CreatedOwner): Promise<boolean> {
    const [held, free] = [`lock-${epoch}`, `free-${epoch}`];
    try {
      if (owner) {
        await writeAll(this.#files, owner.file, new TextEncoder().encode(`\n${note}`), owner.length);
        await this.#files.link(this.#dir, held, this.#dir, free);
      } else await this.#writeNew(this.#dir, { name: free, text: `\n${note}` });
      return true;
    } catch (error) {
      ignoreIoError(error);
    }
    try {
      // A full disk must not keep the lock taken. Half a note is not a valid one, so the next owner inspects the journal.
      await this.#files.rename(this.#dir, held, this.#dir, free);
      return true;
    } catch (error) {
      ignoreIoError(error);
      return false;
    }
  }

  /**
   * Only the newest epoch decides, so older ones can be removed. They are removed in ascending order, up to the first
   * failure, so that an old owner always either misses its own name or sees the next one. Drafts are removed only if
   * their author is dead, or this process itself.
   */
  async #removeOldEpochs(names: readonly string[], epoch: number): Promise<void> {
    const { drafts } = leftoversOf(this.#files);
    for (const name of names)
      if ((drafts.has(name) || isDeadDraft(this.#files, name)) && (await this.#removeOwner(name)))
        drafts.delete(name);
    for (const name of names)
      if (isLifeName(name) && (await this.#files.hasEnded(this.#dir, name))) await this.#removeOwner(name);
    const old = names.filter((name) => epochOf(name) > 0 && epochOf(name) < epoch);
    for (const name of old.sort((a, b) => epochOf(a) - epochOf(b)))
      if (!(await this.#removeOwner(name))) return;
  }

  /** Removes an owner, a draft or a note, possibly together with other processes. Returns whether it is gone. */
  async #removeOwner(name: string): Promise<boolean> {
    try {
      await this.#files.unlink(this.#dir, name);
      return true;
    } catch (error) {
      const code = codeOf(error);
      return isFolder.has(code) ? this.#removeFolder(name) : code === "ENOENT";
    }
  }

  async #removeFolder(name: string): Promise<boolean> {
    try {
      const inside = await this.#files.openDir(this.#dir, name);
      try {
        await this.#files.unlink(inside, ownerName).catch(ignoreIoError);
      } finally {
        await this.#files.close(inside);
      }
      await this.#files.rmdir(this.#dir, name);
      return true;
    } catch (error) {
      return codeOf(error) === "ENOENT";
    }
  }

  /** The note that the owner of an epoch left. Earlier versions of Suture wrote it alone into a file. */
  async #readNote(epoch: number): Promise<string | null> {
    const text = await this.#readText(this.#dir, `free-${epoch}`);
    return text === null ? null : text.slice(text.indexOf("\n") + 1);
  }

  async #readOwner(epoch: number): Promise<Owner> {
    const name = `lock-${epoch}`;
    const found = await this.#stat(name);
    if (!found) return "gone";
    if (found.kind !== "directory") return parseOwner(await this.#readText(this.#dir, name));
    try {
      const inside = await this.#files.openDir(this.#dir, name);
      try {
        return parseOwner(await this.#readText(inside, ownerName));
      } finally {
        await this.#files.close(inside);
      }
    } catch (error) {
      if (codeOf(error) === "ENOENT") return "gone";
      throw error;
    }
  }

  /**
   * Whether an owner has ended. Processes never show half an owner file, so a torn one is left from a power cut; on a
   * network file system this is not certain.
   */
  async #isOver(owner: Owner): Promise<boolean> {
    if (owner === "gone") return false;
    if (owner === "torn") return !(await this.#files.fileSystem(this.#dir)).network;
    const { ownerId, boot } = owner;
    if (this.#files.isDead(owner)) return true;
    if (ownerId === undefined) return false;
    if (leftoversOf(this.#files).ownerIds.has(ownerId)) return true;
    // A socket connects only processes of the same running kernel.
    const isSameKernel = boot !== "" && boot === this.#files.self().boot;
    return isSameKernel && this.#files.hasEnded(this.#dir, lifeName(ownerId));
  }

  #stat(name: string): ReturnType<Files["stat"]> {
    return this.#files.stat(this.#dir, name);
  }

  async #writeNew(dir: Dir, named: NamedText): Promise<void> {
    await this.#files.close(await this.#createFile(dir, named));
  }

  /** Creates a file and leaves it open. */
  async #createFile(dir: Dir, { name, text }: NamedText): Promise<OpenFile> {
    const file = await this.#files.create(dir, name, 0o600);
    try {
      await writeAll(this.#files, file, new TextEncoder().encode(text));
      return file;
    } catch (error) {
      await this.#files.close(file);
      throw error;
    }
  }

  async #readText(dir: Dir, name: string): Promise<string | null> {
    try {
      const file = await this.#files.openRead(dir, name);
      try {
        return new TextDecoder().decode(await readAll(this.#files, file, 4096));
      } finally {
        await this.#files.close(file);
      }
    } catch (error) {
      ignoreIoError(error);
      return null;
    }
  }
}

/** How many owners the lock had while this process last waited: an estimate of how many processes wait with it. */
const contendersOf = new WeakMap<Dir, number>();
const maxContenders = 30;
const pollsBetweenChecks = 10;

const ownerName = "owner";

/** The pid namespace of a Linux machine itself; containers have others. The kernel fixes this number. */
const machineNamespace = "pid:[4026531836]";

const lifeName = (ownerId: string): string => `alive-${ownerId}`;
const isLifeName = (name: string): boolean => /^alive-[0-9a-f]+$/.test(name);

/** The errors with which systems refuse to unlink a directory. */
const isFolder = new Set(["EISDIR", "EPERM"]);

/** Errors that mean that a name was not given: another process has it, had it just before, or removed the draft. */
const nameTaken = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR", "ENOENT"]);

function epochOf(name: string): number {
  const found = /^(?:lock|free)-([1-9][0-9]{0,14})$/.exec(name);
  return found ? Number(found[1]) : 0;
}

/** Ended owners and unneeded drafts of this process that it could not mark or remove, because the disk failed. */
type Leftovers = { readonly ownerIds: Set<string>; readonly drafts: Set<string> };
const allLeftovers = new WeakMap<ProcessIdentity, Leftovers>();

/** A process never waits for itself: it remembers its own ended owners, even if the disk does not show it. */
function leftoversOf(files: Files): Leftovers {
  const self = files.self();
  const known = allLeftovers.get(self) ?? { ownerIds: new Set(), drafts: new Set() };
  allLeftovers.set(self, known);
  return known;
}

/** The name of a draft identifies its author, so that the drafts of dead processes can be removed without opening them. */
function printDraft(self: ProcessIdentity, id: string): string {
  return `draft.${self.pid}.${self.started || "-"}.${self.boot || "-"}.${pidSpaceOf(self)}.${id}`;
}

/** Identifies the host and namespace in which a pid is valid. */
function pidSpaceOf({ host, namespace }: ProcessIdentity): string {
  return versionOf(new TextEncoder().encode(`${host} ${namespace}`)).slice(0, 8);
}

function isDeadDraft(files: Files, name: string): boolean {
  const [, pid, started, boot, pidSpace] =
    /^draft\.([1-9][0-9]*)\.([^.]+)\.([^.]+)\.([0-9a-f]{8})\.[0-9a-f]+$/.exec(name) ?? [];
  const self = files.self();
  if (pidSpace === undefined || pidSpace !== pidSpaceOf(self)) return false;
  const orEmpty = (part: string | undefined): string => (part === "-" ? "" : (part ?? ""));
  return files.isDead({ ...self, pid: Number(pid), started: orEmpty(started), boot: orEmpty(boot) });
}

/** On disk, the owner id is called `term`. */
function parseOwner(text: string | null): Owner {
  try {
    const [line = ""] = (text ?? "").split("\n", 1);
    const { host, boot, namespace, pid, started, term } = JSON.parse(line) as ProcessIdentity & {
      readonly term?: unknown;
    };
    const isValid = [host, boot, namespace, started].every((part) => typeof part === "string") && pid > 0;
    if (!isValid || !Number.isInteger(pid)) return "torn";
    return {
      host,
      boot,
      namespace,
      pid,
      started,
      ...defined({ ownerId: typeof term === "string" ? term : undefined }),
    };
  } catch {
    return "torn";
  }
}

function showOwner(owner: Owner): string {
  return typeof owner === "string" ? "unknown" : `process ${owner.pid} on ${owner.host}`;
}
