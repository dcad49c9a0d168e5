import type { CommitContext } from "../commit/commit-context.ts";
import type { JournalStores } from "../open-root.ts";
import { readSmall, replaceFile, type StateAccess, unlinkIfThere } from "../state/state.ts";
import type { JournalCheckpoint } from "./checkpoint.ts";
import { dropCopy } from "./deltas.ts";
import { type IndexLine, rewriteIndex, shortVersion } from "./journal-index.ts";
import { logName } from "./transaction-log.ts";

export type PruneOptions = {
  /** The number of the next entry. */
  readonly next: number;
  /** The size of the state, in bytes. */
  readonly used: number;
  /** The maximal size of the state, in bytes. Half of it is used before entries go. */
  readonly quota: number;
  /** The time, in milliseconds. */
  readonly now: number;
  /** Drop every copy that can be rebuilt, whatever its age and size. */
  readonly allCopies?: boolean;
  /** Only count what would go. */
  readonly dryRun?: boolean;
};

export type PruneReport = {
  /** The size of the state afterwards, in bytes. */
  readonly used: number;
  /** The versions whose copies were removed. */
  readonly copies: readonly string[];
  readonly entries: number;
};

/** The newest entries keep their copies and their logs. */
const newestKept = 1000;
const day = 86_400_000;
const copyAge = 30 * day;
const entryAge = 365 * day;
const diskBlock = 4096;

/** Whether so much has happened since the last time that the state should be pruned. */
export function shouldPrune({ next, used, pruned }: JournalCheckpoint, quota: number): boolean {
  if (next - (pruned?.next ?? 0) >= 256) return true;
  return used > quota / 2 && used - (pruned?.used ?? 0) > quota / 64;
}

/**
 * Keeps the state small: first copies that can be rebuilt go, then old entries. The entries that found a file as the
 * user or another program had left it stay, with their copies, because they are the way back to those bytes.
 */
export async function pruneState(
  context: CommitContext,
  stores: JournalStores,
  options: PruneOptions,
): Promise<PruneReport> {
  const lines = [...(await stores.journalIndex.lines(options.next)).values()].sort(
    (a, b) => a.number - b.number,
  );
  const names = await namesOfCopies(context);
  const copies = await pruneCopies(context, stores, { lines, names, options });
  const used = options.used - copies.reduce((sum, { size }) => sum + size, 0);
  const { doomed, size } = await selectEntries(context, { lines, names, options: { ...options, used } });
  if (doomed.length > 0 && !options.dryRun) await removeEntries(context, lines, doomed);
  return {
    used: Math.max(0, used - size),
    copies: copies.map(({ version }) => version),
    entries: doomed.length,
  };
}

type Pruning = {
  readonly lines: readonly IndexLine[];
  /** The names of all copies, by the first digits of their version. */
  readonly names: ReadonlyMap<string, string>;
  readonly options: PruneOptions;
};

async function namesOfCopies({ files, state }: StateAccess): Promise<Map<string, string>> {
  const names = (await files.list(state.blobs)).map(({ name }) => name);
  return new Map(
    names.filter((name) => /^[0-9a-f]{64}$/.test(name)).map((name) => [shortVersion(name), name]),
  );
}

type Dropped = { readonly version: string; readonly size: number };

/** Drops copies, oldest first, so that the next version of each file is still there to rebuild from. */
async function pruneCopies(
  context: CommitContext,
  stores: JournalStores,
  { lines, names, options }: Pruning,
): Promise<Dropped[]> {
  const newest = lines.at(-1)?.number ?? 0;
  const writers = new Map<string, number>();
  const dropped: Dropped[] = [];
  for (const { number, state, time, files } of lines) {
    if (state !== "committed") continue;
    const isOld = number <= newest - newestKept || options.now - Date.parse(time) > copyAge;
    for (const { path, before, after } of files) {
      const version = before === null ? undefined : names.get(before);
      const writer = writers.get(`${path}\0${before}`) ?? null;
      if (after !== null) writers.set(`${path}\0${after}`, number);
      if (version === undefined || writer === null || !(isOld || options.allCopies)) continue;
      const size = (await context.files.stat(context.state.blobs, version))?.size ?? 0;
      if (!isOld && size <= diskBlock) continue;
      const saved = { number, path, version, size, writer };
      const freed = await dropCopy(context, stores, saved, { dryRun: options.dryRun === true });
      if (freed > 0) dropped.push({ version, size: freed });
    }
  }
  return dropped;
}

/** The oldest entries that may go, until the state is small enough and none is too old. */
async function selectEntries(
  { files, state }: StateAccess,
  { lines, names, options: { quota, now, used } }: Pruning,
): Promise<{ doomed: number[]; size: number }> {
  const target = used > quota / 2 ? (quota * 3) / 8 : quota;
  const last = (lines.at(-1)?.number ?? 0) - newestKept;
  const written = new Set<string>();
  const doomed: number[] = [];
  let size = 0;
  for (const line of lines) {
    const isOld = now - Date.parse(line.time) > entryAge;
    if (line.number > last || (used - size <= target && !isOld)) break;
    const foundOwn = line.files.some(
      ({ path, before }) => before !== null && !written.has(`${path}\0${before}`),
    );
    for (const { path, after } of line.files) if (after !== null) written.add(`${path}\0${after}`);
    if (foundOwn || line.state !== "committed") continue;
    doomed.push(line.number);
    size += (await files.stat(state.journal, logName(line.number, { pending: false })))?.size ?? 0;
    for (const { before } of line.files) {
      const name = before === null ? undefined : names.get(before);
      if (name !== undefined) size += (await files.stat(state.blobs, name))?.size ?? 0;
    }
  }
  return { doomed, size };
}

/** Records first which entries go, so that an interrupted removal is no damage. */
async function removeEntries(
  context: CommitContext,
  lines: readonly IndexLine[],
  doomed: readonly number[],
): Promise<void> {
  const { files, state, backups } = context;
  const gone = new Set(doomed);
  await writePruneHorizon(context, Math.max(...doomed.slice(-1)) + 1);
  const needed = new Set(
    lines
      .filter(({ number }) => !gone.has(number))
      .flatMap(({ files: changed }) => changed.flatMap(({ before, after }) => [before, after])),
  );
  for (const number of doomed) {
    await context.checkLock();
    await backups.remove(String(number));
    await unlinkIfThere(files, state.journal, logName(number, { pending: false }));
  }
  const listed = (await files.list(state.blobs)).map(({ name }) => name);
  const kept = new Set(listed.filter((name) => name.endsWith(".keep")).map((name) => name.slice(0, -5)));
  for (const name of listed)
    if (/^[0-9a-f]{64}$/.test(name) && !needed.has(shortVersion(name)) && !kept.has(name))
      await unlinkIfThere(files, state.blobs, name);
  await rewriteIndex(context, { below: Number.MAX_SAFE_INTEGER, without: gone });
}

const horizonName = "pruned";

/** Entries with lower numbers may have been removed to make room. */
export async function readPruneHorizon({ files, state }: StateAccess): Promise<number> {
  const bytes = await readSmall(files, state.journal, horizonName);
  const number = Number(new TextDecoder().decode(bytes ?? new Uint8Array()));
  return Number.isSafeInteger(number) ? number : 0;
}

async function writePruneHorizon(access: StateAccess, number: number): Promise<void> {
  if ((await readPruneHorizon(access)) >= number) return;
  const bytes = new TextEncoder().encode(`${number}\n`);
  await replaceFile(access.files, { dir: access.state.journal, name: horizonName, bytes, flush: "both" });
}
