import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { lookAt, type OpenState, type ReadContext } from "./commit/commit-context.ts";
import { readLock } from "./commit/lock.ts";
import { inSession } from "./commit/session.ts";
import { codeOf, type Dir, type Files, ignoreIoError } from "./files/files.ts";
import { parseCheckpoint } from "./journal/checkpoint.ts";
import { History } from "./journal/history.ts";
import { JournalIndex } from "./journal/journal-index.ts";
import { listTransactionLogs } from "./journal/transaction-log.ts";
import { VersionStore } from "./journal/version-store.ts";
import { Walker } from "./paths/walk.ts";
import { type OpenStateOptions, type ProbedRoot, probeRoot } from "./state/open-state.ts";
import { closeState, type State, stateName } from "./state/state.ts";
import { TaskLines } from "./tasks/task-lines.ts";

/** The open state of a root, and everything that reads its journal. */
export type JournalStores = {
  readonly openState: OpenState;
  readonly history: History;
  readonly journalIndex: JournalIndex;
  readonly versions: VersionStore;
  readonly taskLines: TaskLines;
};

/** Opens a root by its name, once. The handle stays on that directory, even if the name changes later. */
export async function openRoot(
  files: Files,
  path: string,
  options: OpenStateOptions,
): Promise<Outcome<OpenRoot>> {
  const dir = await openRootDir(files, path);
  if (!dir.ok) return dir;
  const probed = await probeRoot(files, dir.value, { ...options, create: false });
  if (!probed.ok) {
    await files.close(dir.value);
    return probed;
  }
  const root = new OpenRoot(path, options, probed.value);
  await root.recoverQuietly();
  return accept(root);
}

async function openRootDir(files: Files, path: string): Promise<Outcome<Dir>> {
  try {
    return accept(await files.openRoot(path));
  } catch (error) {
    const errno = codeOf(error);
    return refuse({ code: "unavailable", errno, detail: `the root cannot be opened: ${errno}` });
  }
}

/** An open root, and its state once there is one. The state is created only when something has to be stored. */
export class OpenRoot {
  readonly path: string;
  readonly files: Files;
  readonly #options: OpenStateOptions;
  #probed: ProbedRoot;
  #stores: JournalStores | null;
  /** States whose folder is gone. Calls may still use them, so they are closed with the root. */
  readonly #removed: State[] = [];
  #lastOpening: Promise<unknown> = Promise.resolve();

  constructor(path: string, options: OpenStateOptions, probed: ProbedRoot) {
    this.path = path;
    this.files = probed.files;
    this.#options = options;
    this.#probed = probed;
    this.#stores = storesOf(probed);
  }

  /** The stores; `null` while the root has no state. */
  stores(): Promise<Outcome<JournalStores | null>> {
    return this.#openInTurn({ create: false });
  }

  async createStores(): Promise<Outcome<JournalStores>> {
    const created = await this.#openInTurn({ create: true });
    if (!created.ok) return created;
    return created.value
      ? accept(created.value)
      : refuse({ code: "unavailable", detail: "the state could not be created" });
  }

  /** Runs work that only reads files. */
  async withReadContext<T>(work: (context: ReadContext) => Promise<T>): Promise<T> {
    const walker = new Walker(this.files, this.#probed.root);
    try {
      return await work({ ...this.#probed, walker, seen: new Map() });
    } finally {
      await walker.close();
    }
  }

  /** Releases every handle. The caller calls it once, when no operation runs. */
  async close(): Promise<void> {
    const states = [...this.#removed, ...(this.#probed.state ? [this.#probed.state] : [])];
    for (const state of states) await closeState(this.files, state);
    await this.files.close(this.#probed.root);
  }

  /**
   * Recovers unfinished transactions when a root is opened. A caller that may only read, or that comes while another
   * process writes, sees every file whole in any case.
   */
  async recoverQuietly(): Promise<void> {
    const openState = this.#stores?.openState;
    if (!openState) return;
    try {
      if (await mayNeedRecovery(openState))
        await inSession(openState, { patience: 1000 }, async ({ checkpoint }) => ({
          value: true,
          checkpoint,
        }));
    } catch (error) {
      ignoreIoError(error);
    }
  }

  /** Opens the state if it was created since. Concurrent callers get the same one. */
  #openInTurn(options: { create: boolean }): Promise<Outcome<JournalStores | null>> {
    const opening = this.#lastOpening.then(() => this.#open(options));
    this.#lastOpening = opening.catch(() => undefined);
    return opening;
  }

  /** Whether the state is still the folder of the root: `git clean` and a person may remove it while a server runs. */
  async #isThere({ openState }: JournalStores): Promise<boolean> {
    const found = await this.files.stat(this.#probed.root, stateName);
    return found?.identity === openState.state.identity;
  }

  async #open({ create }: { create: boolean }): Promise<Outcome<JournalStores | null>> {
    if (this.#stores && (await this.#isThere(this.#stores))) return accept(this.#stores);
    if (this.#probed.state) this.#removed.push(this.#probed.state);
    const again = await probeRoot(this.files, this.#probed.root, { ...this.#options, create });
    if (!again.ok) return again;
    this.#probed = again.value;
    this.#stores = storesOf(again.value);
    const { foreign } = again.value;
    return foreign ? refuse(foreign) : accept(this.#stores);
  }
}

function storesOf({ state, foreign: _, ...root }: ProbedRoot): JournalStores | null {
  if (!state) return null;
  const openState: OpenState = { ...root, state };
  const journalIndex = new JournalIndex(openState);
  const history = new History(openState, journalIndex);
  const readLive = (path: string): Promise<Uint8Array | null> => readLiveFile(openState, path);
  const versions = new VersionStore(openState, { history, index: journalIndex, readLive });
  const taskLines = new TaskLines({ history, journalIndex, versions });
  return { openState, history, journalIndex, versions, taskLines };
}

async function readLiveFile(openState: OpenState, path: string): Promise<Uint8Array | null> {
  const walker = new Walker(openState.files, openState.root);
  try {
    const looked = await lookAt({ ...openState, walker, seen: new Map() }, path.split("/"));
    return looked.ok ? (looked.value.content?.bytes ?? null) : null;
  } finally {
    await walker.close();
  }
}

async function mayNeedRecovery(openState: OpenState): Promise<boolean> {
  const { files, state } = openState;
  const lock = await readLock(files, state.lock);
  if (lock.is === "held") return false;
  // The names in the lock directory are not flushed: a power cut may lose them and leave the journal.
  if (lock.is === "unused") return (await listTransactionLogs(openState)).some(({ pending }) => pending);
  return !(lock.is === "free" && parseCheckpoint(files, lock.note));
}
