import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { applySplices } from "../../text/model/splice.ts";
import { readContent, versionOf } from "../files/content.ts";
import type { StateAccess } from "../state/state.ts";
import { readGcHorizon } from "./gc-horizon.ts";
import type { History } from "./history.ts";
import { type JournalIndex, shortVersion } from "./journal-index.ts";
import { readSavedCopy } from "./saved-copies.ts";
import type { TransactionLog } from "./transaction-log.ts";
import { findRoute } from "./version-graph.ts";
import { type DirectedStep, decodeAny, inverseOf, replaySteps, splicesOf } from "./versions.ts";

/** One file of an entry, before or after it. */
export type FileSide = {
  readonly log: TransactionLog;
  readonly index: number;
  readonly side: "before" | "after";
};

/** A version of a file, as an entry of at least this number finds it. */
export type FileVersionAt = { readonly path: string; readonly version: string; readonly from: number };

export type RebuildOptions = {
  /** Use only saved copies, and not this one: shows that the copy is not needed. */
  readonly without?: string;
};

/** Reads the current bytes of a file; `null` where there is none. */
export type ReadLive = (path: string) => Promise<Uint8Array | null>;

type LiveFile = () => Promise<{ readonly bytes: Uint8Array; readonly version: string } | null>;

const mostLogs = 4096;
const mostMissing = 16;

/**
 * The bytes of every version that the journal knows. Few versions have a saved copy. The others are rebuilt from a copy
 * of a later version, or from the file itself, with the texts that the journal keeps.
 */
export class VersionStore {
  readonly #access: StateAccess;
  readonly #history: History;
  readonly #index: JournalIndex;
  readonly #readLive: ReadLive;

  constructor(
    access: StateAccess,
    { history, index, readLive }: { history: History; index: JournalIndex; readLive: ReadLive },
  ) {
    this.#access = access;
    this.#history = history;
    this.#index = index;
    this.#readLive = readLive;
  }

  /** The bytes of one file before or after an entry; `null` where there was no file. */
  async readSide({ log, index, side }: FileSide): Promise<Outcome<Uint8Array | null>> {
    const record = log.intent?.files[index];
    const wanted = record?.[side];
    if (!record || !wanted) return accept(null);
    const copy = await this.#readCopy(wanted);
    if (copy.ok) return copy;
    const derived = side === "after" ? await this.#deriveAfter(log, index) : null;
    if (derived && versionOf(derived) === wanted.version) return accept(derived);
    if (log.number < (await readGcHorizon(this.#access)))
      return refuse({
        code: "unavailable",
        detail: `gc has removed the saved copies of entry ${log.number}`,
      });
    const from = side === "before" ? log.number : log.number + 1;
    const rebuilt = await this.rebuild({ path: record.path, version: wanted.version, from });
    return rebuilt ? accept(rebuilt) : copy;
  }

  /** The text of a version that an entry found or wrote. The version may be given by its first digits (`shortVersion`). */
  async textOfVersion({ path, version }: Omit<FileVersionAt, "from">): Promise<string | null> {
    for (const { number } of await this.#index.linesWith(shortVersion(version))) {
      const log = await this.#history.log(number);
      const index = log?.intent?.files.findIndex((file) => file.path === path) ?? -1;
      for (const side of ["before", "after"] as const) {
        const found = log?.intent?.files[index]?.[side]?.version;
        if (!log || !found?.startsWith(version)) continue;
        const copy = await this.readSide({ log, index, side });
        if (copy.ok && copy.value) return decodeAny(copy.value)?.text ?? null;
      }
    }
    return null;
  }

  /** Whether the index has a version of a file. */
  async knows({ path, version }: Omit<FileVersionAt, "from">): Promise<boolean> {
    const short = shortVersion(version);
    const lines = await this.#index.linesWith(short);
    return lines.some(({ files }) =>
      files.some((file) => file.path === path && (file.before === short || file.after === short)),
    );
  }

  /** The bytes of a version, from a later version of the same file; `null` where that is impossible. */
  async rebuild(wanted: FileVersionAt, { without }: RebuildOptions = {}): Promise<Uint8Array | null> {
    const { path } = wanted;
    const steps: DirectedStep[] = [];
    const live = this.#liveFile(without === undefined ? path : null);
    for (let { version, from } = wanted; ; ) {
      const bytes = version === without ? null : await this.#available({ path, version, from }, live);
      if (bytes) return replaySteps(bytes, steps.reverse());
      const step = await this.#nextChange({ path, version, from });
      const after = step?.log.intent?.files[step.index]?.after;
      if (!step || !after) break;
      steps.push(step);
      [version, from] = [after.version, step.log.number + 1];
    }
    return without === undefined ? this.#rebuildFromAnywhere(wanted.version) : null;
  }

  /** Whether the bytes of a version are there or can be rebuilt. `known`: versions for which that is so. */
  async isAvailable(wanted: FileVersionAt, known: Set<string>): Promise<boolean> {
    const { path } = wanted;
    const visited: string[] = [];
    const live = this.#liveFile(path);
    for (let { version, from } = wanted; ; ) {
      visited.push(version);
      if (known.has(version) || (await this.#available({ path, version, from }, live))) {
        for (const each of visited) known.add(each);
        return true;
      }
      const step = await this.#nextChange({ path, version, from });
      const after = step?.log.intent?.files[step.index]?.after;
      if (!step || !after || !inverseOf(step.log, step.index)) break;
      [version, from] = [after.version, step.log.number + 1];
    }
    return (await this.#rebuildFromAnywhere(wanted.version)) !== null;
  }

  /** Another file may have had the same content, and its entries may lead to a saved copy. */
  async #rebuildFromAnywhere(version: string): Promise<Uint8Array | null> {
    const lines = await this.#index.lines();
    const route = await findRoute([...lines.values()], version, {
      read: (number) => this.#history.log(number),
      copy: async (name) => {
        const copy = await this.#readCopy({ version: name });
        return copy.ok ? copy.value : null;
      },
    });
    return route && replaySteps(route.bytes, route.steps);
  }

  /** The bytes of a version from its copy, from the file, or from the longer copy of a file that grew since. */
  async #available({ path, version, from }: FileVersionAt, live: LiveFile): Promise<Uint8Array | null> {
    const copy = await this.#readCopy({ version });
    if (copy.ok) return copy.value;
    const current = await live();
    if (current?.version === version) return current.bytes;
    const size = await this.#sizeOf(version);
    if (size === null) return null;
    const grown = (current && firstBytes(current.bytes, size, version)) ?? null;
    return grown ?? this.#cutNext({ path, version, from }, size);
  }

  /** A saved copy. If another program has added to it since, the part before is the copy. */
  async #readCopy({ version, size }: { version: string; size?: number }): Promise<Outcome<Uint8Array>> {
    const copy = await readSavedCopy(this.#access, version);
    if (copy.ok) return copy;
    const found = await readContent(this.#access.files, { dir: this.#access.state.blobs, name: version });
    const bytes = found.ok ? found.value?.bytes : undefined;
    const most = bytes && (size ?? (await this.#sizeOf(version)));
    const first = bytes && most != null ? firstBytes(bytes, most, version) : null;
    return first ? accept(first) : copy;
  }

  /** The beginning of what the next entry found, where another program only added to the file in between. */
  async #cutNext({ path, version, from }: FileVersionAt, size: number): Promise<Uint8Array | null> {
    const next = await this.#nextEntry(path, from);
    const before = next?.log.intent?.files[next.index]?.before;
    if (!before || before.version === version || before.size < size) return null;
    const copy = await this.#readCopy(before);
    return copy.ok ? firstBytes(copy.value, size, version) : null;
  }

  /** The size of a version, from an entry that found or wrote it. */
  async #sizeOf(version: string): Promise<number | null> {
    for (const { number } of await this.#index.linesWith(shortVersion(version))) {
      const log = await this.#history.log(number);
      for (const { before, after } of log?.intent?.files ?? [])
        for (const side of [before, after]) if (side?.version === version) return side.size;
    }
    return null;
  }

  /** The current file, read and hashed at most once; without a path, none. */
  #liveFile(path: string | null): LiveFile {
    let reading: ReturnType<LiveFile> | undefined;
    const read: LiveFile = async () => {
      const bytes = path === null ? null : await this.#readLive(path);
      return bytes && { bytes, version: versionOf(bytes) };
    };
    return () => (reading ??= read());
  }

  /** The first entry from a number on that changed a file; `null` unless it found this version and edited it. */
  async #nextChange({ path, version, from }: FileVersionAt): Promise<DirectedStep | null> {
    const next = await this.#nextEntry(path, from);
    const record = next?.log.intent?.files[next.index];
    return next && record?.before?.version === version && record.from === undefined
      ? { ...next, toward: "before" }
      : null;
  }

  /** The first entry from a number on that changed a file. */
  async #nextEntry(path: string, from: number): Promise<{ log: TransactionLog; index: number } | null> {
    let missing = 0;
    for (let number = from; number < from + mostLogs && missing < mostMissing; number++) {
      const log = await this.#history.log(number);
      missing = log ? 0 : missing + 1;
      if (!log?.done || log.aborted) continue;
      const index = log.intent?.files.findIndex((file) => file.path === path) ?? -1;
      if (index >= 0) return { log, index };
    }
    return null;
  }

  /** Rebuilds the new bytes from the old ones and the inserted texts. */
  async #deriveAfter(log: TransactionLog, index: number): Promise<Uint8Array | null> {
    const splices = splicesOf(log, index);
    const record = log.intent?.files[index];
    if (!splices || !record) return null;
    if (!record.before && !record.from) return new TextEncoder().encode(applySplices("", splices));
    const source =
      record.from === undefined ? record : log.intent?.files.find(({ path }) => path === record.from);
    const copy = source?.before ? await this.#readCopy(source.before) : null;
    return copy?.ok ? replaySteps(copy.value, [{ log, index, toward: "after" }]) : null;
  }
}

/** The first bytes, if they have the hash of a version. */
function firstBytes(bytes: Uint8Array, size: number, version: string): Uint8Array | null {
  const first = bytes.subarray(0, size);
  return bytes.length > size && versionOf(first) === version ? first : null;
}
