import { accept, type Outcome } from "../../text/model/outcome.ts";
import { createViews } from "../journal/backup-files.ts";
import { type Balance, parseBalance, printBalance } from "../journal/checkpoint.ts";
import { listVolumes, readVolume } from "../journal/journal.ts";
import { registeredNumbers } from "../journal/journal-index.ts";
import { createWalker } from "../paths/walk.ts";
import { stampState } from "../state/state.ts";
import type { Ground, Site } from "./commit-context.ts";
import { acquireLock, type Tenure } from "./lock.ts";
import { type Recovered, recover, sweepState } from "./recover.ts";

export type Session = {
  readonly site: Site;
  readonly tenure: Tenure;
  readonly balance: Balance;
  /** What recovery did before this session began. */
  readonly recovered: readonly Recovered[];
};

/** What a session leaves behind. `balance: null`: the next owner has to look for itself. */
export type Left<T> = { readonly value: T; readonly balance: Balance | null };

export type SessionOptions = { readonly patience: number; readonly breakOwner?: boolean };

/**
 * Runs one piece of work as the only one that writes here: callers of this process queue up, processes take the lock,
 * and what a crash left is put right first.
 */
export async function inSession<T>(
  ground: Ground,
  options: SessionOptions,
  work: (session: Session) => Promise<Left<T>>,
): Promise<Outcome<T>> {
  const { files, root, state } = ground;
  return inTurn(queueName(ground), async () => {
    const tenure = await acquireLock(files, state.lock, options);
    if (!tenure.ok) return tenure;
    const [walker, views] = [createWalker(files, root), createViews(files, state)];
    const site: Site = { ...ground, walker, views, seen: new Map() };
    let left: Left<T> | null = null;
    try {
      const known = parseBalance(files, tenure.value.inherited);
      const found = known ? { balance: known, recovered: [] } : await survey(site, tenure.value);
      left = await work({ site, tenure: tenure.value, ...found });
      return accept(left.value);
    } finally {
      await walker.close();
      await views.close();
      await tenure.value.release(left?.balance ? printBalance(files, left.balance) : "");
    }
  });
}

/** Looks at the journal itself: recovers what is unfinished, sweeps up, and counts. */
async function survey(site: Site, tenure: Tenure): Promise<{ balance: Balance; recovered: Recovered[] }> {
  const { files, state } = site;
  const recovered: Recovered[] = [];
  for (const { number, pending } of await listVolumes(files, state.journal))
    if (pending) recovered.push(await recover(site, tenure.epoch, number));
  const unresolved = recovered.filter((each) => each.result === "doubtful");
  if (unresolved.length === 0) await sweepState(site);
  if (unresolved.length === 0 && state.copied) await stampState(files, state);
  const last = (await listVolumes(files, state.journal)).at(-1)?.number ?? 0;
  if (unresolved.length === 0) await hideUnknown(site, last);
  const volume = last > 0 ? await readVolume(files, state.journal, last) : null;
  const head = volume?.ok ? volume.value.head : "";
  return { balance: { next: last + 1, head, used: await measure(site), unresolved }, recovered };
}

/** A power cut can bring back the folder of a transaction that was cleared, when nothing else is left of it. */
async function hideUnknown({ files, state, views }: Site, last: number): Promise<void> {
  const folders = (await files.list(state.backups)).map(({ name }) => name);
  const later = folders.filter((name) => /^[0-9]+$/.test(name) && Number(name) > last);
  const known = later.length > 0 ? await registeredNumbers(files, state) : new Set();
  for (const name of later) if (!known.has(Number(name))) await views.hide(name);
}

/** How many bytes the journal and the images take. */
export async function measure({ files, state }: Ground): Promise<number> {
  let used = 0;
  for (const dir of [state.journal, state.blobs])
    for (const { name } of await files.list(dir)) used += (await files.stat(dir, name))?.size ?? 0;
  return used;
}

/** The last of each queue; a queue is for one root in this process. */
const queues = new Map<string, Promise<unknown>>();

async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(name) ?? Promise.resolve()).then(work, work);
  const settled = turn.catch(() => undefined);
  queues.set(name, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(name) === settled) queues.delete(name);
  }
}

function queueName({ files, state }: Ground): string {
  const { pid, boot } = files.self();
  return `${boot} ${pid} ${state.identity}`;
}
