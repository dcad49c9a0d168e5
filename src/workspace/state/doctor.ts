import type { Outcome } from "../../text/model/outcome.ts";
import type { CommitContext } from "../commit/commit-context.ts";
import { readLock } from "../commit/lock.ts";
import { sweepState } from "../commit/recover.ts";
import { inSession, measureState } from "../commit/session.ts";
import { readContent, versionOf } from "../files/content.ts";
import { codeOf } from "../files/files.ts";
import type { JournalCheckpoint, Unresolved } from "../journal/checkpoint.ts";
import { neededCopies } from "../journal/gc.ts";
import { readGcHorizon } from "../journal/gc-horizon.ts";
import { shortVersion } from "../journal/journal-index.ts";
import { readPruneHorizon } from "../journal/prune.ts";
import { isSound, markKept, readSavedCopy, rescueCopy, storeBytes } from "../journal/saved-copies.ts";
import {
  entryOf,
  listTransactionLogs,
  logName,
  readTransactionLog,
  type TransactionLog,
} from "../journal/transaction-log.ts";
import type { JournalStores, OpenRoot } from "../open-root.ts";
import type { OpenOptions } from "../writer.ts";
import { isPrivate, makePrivate, replaceFile, type StateAccess } from "./state.ts";

/** A problem of the state. */
export type StateProblem = {
  readonly what: "lock" | "doubtful" | "image" | "chain" | "stray" | "access" | "state";
  readonly subject: string;
  readonly detail: string;
  readonly repaired: boolean;
  /** The bytes of a damaged copy can be made again from other versions. */
  readonly rebuildable?: true;
};

export type DoctorOptions = {
  /**
   * Repair the state: remove leftovers, restrict permissions, restore backup files, and set doubtful transactions aside.
   * Everything that belongs to a doubtful transaction is kept, and the user's files are not touched.
   */
  readonly repair?: boolean;
  /** Take the lock from an owner that is not proven dead. Only a person can decide this. */
  readonly breakLock?: boolean;
};

export type Doctor = { doctor(options?: DoctorOptions): Promise<readonly StateProblem[]> };

export function createDoctor(root: OpenRoot, { patience = 10_000 }: OpenOptions): Doctor {
  return {
    doctor: async ({ repair = false, breakLock = false } = {}) => {
      const stores = await root.stores();
      if (!stores.ok) return [problem("state", ".suture", show(stores))];
      if (!stores.value) return [];
      const { openState, journalIndex } = stores.value;
      const journal = stores.value;
      const known = [...(await journalIndex.lines()).keys()];
      const held = await examineLock(openState, breakLock);
      // The owner of the lock needs its staged files.
      if (held.length > 0 && !breakLock) return [...held, ...(await examineHistory(journal, known))];
      try {
        const found = await inSession(
          openState,
          { patience, breakOwner: breakLock },
          async ({ context, checkpoint }) => {
            const problems = await examine(journal, checkpoint.unresolved, [...known, checkpoint.next - 1]);
            if (!repair) return { value: problems, checkpoint };
            const after = await repairState(context, journal, checkpoint);
            return {
              value: problems.map((each) => ({ ...each, repaired: isRepaired(each) })),
              checkpoint: after,
            };
          },
        );
        return found.ok ? [...held, ...found.value] : [...held, problem("lock", "lock", show(found))];
      } catch (error) {
        return [problem("state", ".suture", codeOf(error))];
      }
    },
  };
}

function problem(what: StateProblem["what"], subject: string, detail: string): StateProblem {
  return { what, subject, detail, repaired: false };
}

function show(refused: Outcome<unknown>): string {
  return refused.ok ? "" : "detail" in refused.refusal ? `${refused.refusal.detail}` : refused.refusal.code;
}

async function examineLock({ files, state }: StateAccess, breakLock: boolean): Promise<StateProblem[]> {
  const lock = await readLock(files, state.lock);
  return lock.is === "held"
    ? [{ ...problem("lock", lock.owner, "holds the lock"), repaired: breakLock }]
    : [];
}

async function examine(
  stores: JournalStores,
  unresolved: readonly Unresolved[],
  known: readonly number[],
): Promise<StateProblem[]> {
  return [
    ...unresolved.map(({ number, why, paths }) =>
      problem("doubtful", String(number), [why, ...paths].join(": ")),
    ),
    ...(await examineHistory(stores, known)),
    ...(unresolved.length === 0 ? await examineStrays(stores.openState) : []),
  ];
}

async function examineHistory(stores: JournalStores, known: readonly number[]): Promise<StateProblem[]> {
  const access = stores.openState;
  return [
    ...(await examineAccess(access)),
    ...(await examineJournal(access)),
    ...(await examineCopies(stores)),
    ...(await examineEnd(access, known)),
  ];
}

async function examineAccess(access: StateAccess): Promise<StateProblem[]> {
  return (await isPrivate(access)) ? [] : [problem("access", ".suture", "other users may read it")];
}

/** Every record must match its checksum, and every entry the previous one. Pruned entries are missing. */
async function examineJournal(access: StateAccess): Promise<StateProblem[]> {
  const found: StateProblem[] = [];
  const pruned = await readPruneHorizon(access);
  let [head, last] = ["", 0];
  for (const { number, pending } of await listTransactionLogs(access)) {
    const read = pending ? null : await readTransactionLog(access, number);
    if (!read?.ok) continue;
    const log = read.value;
    const detail = problemOf(log, last < number - 1 && number <= pruned ? null : head);
    if (detail) found.push(problem("chain", String(number), detail));
    [head, last] = [log.head, number];
  }
  return found;
}

/** No entry refers to the newest one. Its backup files and its line in the journal index show that it existed. */
async function examineEnd(access: StateAccess, known: readonly number[]): Promise<StateProblem[]> {
  const { files, state } = access;
  const setAside = (await files.list(state.journal)).flatMap(
    ({ name }) => /^([0-9]+)\.doubtful$/.exec(name)?.[1] ?? [],
  );
  const logs = (await listTransactionLogs(access)).map(({ number }) => number);
  const last = Math.max(0, ...logs.slice(-1), ...setAside.map(Number));
  const shown = (await files.list(state.backups))
    .map(({ name }) => Number(name))
    .filter(Number.isSafeInteger);
  const lost = [...new Set([...shown, ...known])].filter((number) => number > last).sort((a, b) => a - b);
  return lost.map((number) => problem("chain", String(number), "its transaction log is gone"));
}

const endings = {
  torn: "its last record is incomplete",
  corrupt: "its checksum is wrong",
  newer: "a newer Suture wrote it",
  whole: "it has no first record",
} as const;

/** `head`: the hash of the previous entry; `null` where that entry was pruned. */
function problemOf({ parsed, intent }: TransactionLog, head: string | null): string | null {
  if (parsed.ending !== "whole" || !intent) return endings[parsed.ending];
  return head === null || intent.previous === head ? null : "it does not follow the previous entry";
}

/** The bytes before each entry must be there, or be rebuilt from a later version. Newest first: later ones are known. */
async function examineCopies({ openState, versions, history }: JournalStores): Promise<StateProblem[]> {
  const found: StateProblem[] = [];
  const horizon = await readGcHorizon(openState);
  const known = new Set<string>();
  for (const { number, pending } of (await listTransactionLogs(openState)).reverse()) {
    const log = pending || number < horizon ? null : await history.log(number);
    const entry = log && entryOf(log);
    if (entry?.state !== "committed") continue;
    for (const { path, before } of entry.files) {
      if (!before) continue;
      const { version } = before;
      if (!(await versions.isAvailable({ path, version, from: number }, known)))
        found.push(problem("image", `${entry.id} ${path}`, "the previous bytes are gone or changed"));
      else if (await isDamaged(openState, version)) {
        const detail = writtenInto(await lateText(openState, before));
        found.push({ ...problem("image", `${entry.id} ${path}`, detail), rebuildable: true });
      }
    }
  }
  return found.reverse();
}

function writtenInto(late: string): string {
  const what = late === "" ? "into the saved copy" : `${JSON.stringify(late)} after the copy was made`;
  return `another program wrote ${what}; the previous bytes can be rebuilt, and a repair keeps both`;
}

/** The beginning of what another program added to a saved copy; empty where it changed the copy otherwise. */
async function lateText(
  { files, state }: StateAccess,
  { version, size }: { readonly version: string; readonly size: number },
): Promise<string> {
  const found = await readContent(files, { dir: state.blobs, name: version });
  const bytes = found.ok ? found.value?.bytes : undefined;
  if (!bytes || versionOf(bytes.subarray(0, size)) !== version) return "";
  return new TextDecoder().decode(bytes.subarray(size, size + 200));
}

/** Writes damaged copies again. Bytes that another program wrote into them are kept under their own hash. */
async function healCopies(context: CommitContext, { journalIndex, versions }: JournalStores): Promise<void> {
  const { files, state } = context;
  for (const { name: version } of await files.list(state.blobs)) {
    if (!/^[0-9a-f]{64}$/.test(version) || !(await isDamaged(context, version))) continue;
    const bytes = await rebuildCopy({ journalIndex, versions }, version);
    const stat = await files.stat(state.blobs, version);
    if (bytes && stat) await rescueCopy(context, { version, bytes, stat });
  }
}

async function rebuildCopy(
  { journalIndex, versions }: Pick<JournalStores, "journalIndex" | "versions">,
  version: string,
): Promise<Uint8Array | null> {
  const short = shortVersion(version);
  for (const { number, files } of await journalIndex.linesWith(short)) {
    const file = files.find(({ before }) => before === short);
    const bytes = file && (await versions.rebuild({ path: file.path, version, from: number }));
    if (bytes) return bytes;
  }
  return null;
}

async function isDamaged(access: StateAccess, version: string): Promise<boolean> {
  const exists = (await access.files.stat(access.state.blobs, version)) !== null;
  return exists && !(await isSound(access, version));
}

async function examineStrays({ files, state }: StateAccess): Promise<StateProblem[]> {
  const found: StateProblem[] = [];
  for (const { name } of await files.list(state.stage))
    found.push(problem("stray", `stage/${name}`, "no transaction needs it"));
  for (const dir of [state.dir, state.blobs, state.audit, state.journal])
    for (const { name } of await files.list(dir))
      if (name.endsWith(".draft")) found.push(problem("stray", name, "never finished"));
  return found;
}

function isRepaired({ what, rebuildable }: StateProblem): boolean {
  return what === "doubtful" || what === "stray" || what === "access" || rebuildable === true;
}

async function repairState(
  context: CommitContext,
  stores: JournalStores,
  { unresolved, ...checkpoint }: JournalCheckpoint,
): Promise<JournalCheckpoint> {
  if (unresolved.length > 0) await storeStaged(context);
  for (const { number } of unresolved) await setAside(context, number);
  if (unresolved.length > 0) await detachAll(context);
  await sweepState(context);
  await makePrivate(context);
  await healCopies(context, stores);
  await restoreBackups(context);
  return { ...checkpoint, used: await measureState(context), unresolved: [] };
}

/** Keeps the staged files of transactions that will not be carried out. */
async function storeStaged(access: StateAccess): Promise<void> {
  const { files, state } = access;
  for (const { name } of await files.list(state.stage)) {
    const content = await readContent(files, { dir: state.stage, name });
    if (content.ok && content.value) await storeBytes(access, content.value.bytes, { flush: true });
  }
}

/** A doubtful transaction is neither carried out nor rolled back. Its log is kept under another name. */
async function setAside({ files, state, backups }: CommitContext, number: number): Promise<void> {
  const name = logName(number, { pending: true });
  await files.rename(state.journal, name, state.journal, name.replace("pending", "doubtful"));
  await files.flushDir(state.journal);
  await backups.remove(String(number));
}

/** Some saved copies may share an inode with a live file, and it is unknown which: replaces all with real copies. */
async function detachAll(context: CommitContext): Promise<void> {
  const { files, state, backups } = context;
  const needed = await neededCopies(context, 0);
  for (const { name } of await files.list(state.blobs)) {
    const copy = await readSavedCopy(context, name);
    if (!copy.ok) continue;
    await replaceFile(files, { dir: state.blobs, name, bytes: copy.value, flush: "both" });
    if (!needed.has(name)) await markKept(context, name);
  }
  for (const { number } of await listTransactionLogs(context)) await backups.remove(String(number));
}

async function restoreBackups(context: CommitContext): Promise<void> {
  const horizon = await readGcHorizon(context);
  for (const { number } of await listTransactionLogs(context)) {
    const read = number < horizon ? null : await readTransactionLog(context, number);
    const entry = read?.ok ? entryOf(read.value) : null;
    if (!entry) continue;
    for (const { path, before } of entry.files)
      if (before && (await isSound(context, before.version)))
        await context.backups.add({ id: entry.id, path, version: before.version });
  }
}
