import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { applySplices } from "../../text/model/splice.ts";
import { versionOf } from "../files/content.ts";
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
    const copy = await readSavedCopy(this.#access, wanted.version);
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
      const bytes = version === without ? null : await this.#available(version, live);
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
      if (known.has(version) || (await this.#available(version, live))) {
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
        const copy = await readSavedCopy(this.#access, name);
        return copy.ok ? copy.value : null;
      },
    });
    return route && replaySteps(route.bytes, route.steps);
  }

  async #available(version: string, live: LiveFile): Promise<Uint8Array | null> {
    const copy = await readSavedCopy(this.#access, version);
    if (copy.ok) return copy.value;
    const current = await live();
    return current?.version === version ? current.bytes : null;
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
    let missing = 0;
    for (let number = from; number < from + mostLogs && missing < mostMissing; number++) {
      const log = await this.#history.log(number);
      missing = log ? 0 : missing + 1;
      if (!log?.done || log.aborted) continue;
      const index = log.intent?.files.findIndex((file) => file.path === path) ?? -1;
      const record = log.intent?.files[index];
      if (!record) continue;
      return record.before?.version === version && record.from === undefined
        ? { log, index, toward: "before" }
        : null;
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
    const copy = source?.before ? await readSavedCopy(this.#access, source.before.version) : null;
    return copy?.ok ? replaySteps(copy.value, [{ log, index, toward: "after" }]) : null;
  }
}
