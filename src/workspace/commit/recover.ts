import { codeOf, type Dir } from "../files/files.ts";
import {
  type Aborted,
  type Intent,
  type OpenVolume,
  readVolume,
  reopenVolume,
  type Volume,
  volumeName,
} from "../journal/journal.ts";
import { isProtected } from "../paths/guarded-names.ts";
import { parsePath } from "../paths/paths.ts";
import { unlinkIfThere } from "../state/state.ts";
import { tidyAborted, tidyDone } from "./cleanup.ts";
import { flushDirs, type Job, type Site } from "./commit-context.ts";
import { conditionOf, isAside, Stranger, versionAt, waitingDir } from "./file-state.ts";
import { install } from "./install.ts";
import { type Found, takeBack } from "./rollback.ts";
import { makeDir } from "./stage.ts";

/**
 * What recovery made of an unfinished transaction. `doubtful`: the journal cannot be believed, so nothing was touched,
 * and its paths stay closed until somebody decides.
 */
export type Recovered =
  | { readonly number: number; readonly result: "committed" | "cleared" }
  | { readonly number: number; readonly result: "aborted"; readonly strangers: readonly Found[] }
  | {
      readonly number: number;
      readonly result: "doubtful";
      readonly why: string;
      readonly paths: readonly string[];
    };

/**
 * Finishes or reverses one transaction that a crash interrupted. Every step is of the form "if it is so, make it so":
 * a crash in here is met by the same rules again.
 */
export async function recover(site: Site, epoch: number, number: number): Promise<Recovered> {
  const read = await readVolume(site.files, site.state.journal, number);
  if (!read.ok) return { number, result: "cleared" };
  const volume = read.value;
  const doubt = doubtOf(site, volume);
  const { intent } = volume;
  if (doubt)
    return { number, result: "doubtful", why: doubt, paths: intent?.files.map(({ path }) => path) ?? [] };
  if (!intent) {
    await unlinkIfThere(site.files, site.state.journal, volumeName(number, { pending: true }));
    return { number, result: "cleared" };
  }
  const jobs = jobsOf(intent);
  if (volume.done) {
    await makeDurable(site, epoch, volume);
    await tidyDone(site, number, intent, jobs);
    return { number, result: "committed" };
  }
  if (volume.aborted) {
    await makeDurable(site, epoch, volume);
    return clear(site, volume, intent, jobs, volume.aborted.strangers);
  }
  if (!volume.committed) return recoverUncommitted(site, volume, intent, jobs);
  return recoverCommitted(site, epoch, volume, intent, jobs);
}

/** What was read may be in memory only. Before anybody acts on it, it must not be lost any more. */
async function makeDurable({ files, state }: Site, epoch: number, volume: Volume): Promise<void> {
  const open = await reopenVolume(files, state.journal, volume, epoch);
  try {
    await open.flush();
    await files.flushDir(state.journal);
  } finally {
    await open.close();
  }
}

/** Why a journal cannot be acted on; `null` where it can. */
function doubtOf(site: Site, { parsed, intent }: Volume): string | null {
  if (parsed.ending === "newer") return "written by a newer version";
  if (parsed.ending === "corrupt") return "its checksum is wrong";
  if (!intent) return null;
  if (site.state.copied) return "made in another place";
  // The gate stands here too: a journal is a file, and somebody may have written it.
  const flawed = intent.files.find(({ path }) => !isUsable(path));
  if (flawed) return `it names ${JSON.stringify(flawed.path)}`;
  return [...intent.makes, ...intent.removes].every(isUsable) && intent.steps.every(areNames)
    ? null
    : "it names places outside";
}

function isUsable(path: string): boolean {
  const parsed = parsePath(path);
  return parsed.ok && parsed.value.path === path && !parsed.value.key.split("/").some(isProtected);
}

function areNames({ staged = "-", aside = "-" }: Intent["steps"][number]): boolean {
  return [staged, aside].every((name) => /^[-.a-z0-9]+$/.test(name));
}

export function jobsOf({ files, steps }: Intent): Job[] {
  return files.map((record, i) => ({ record, step: steps[i]!, names: record.path.split("/") }));
}

/** Nothing was to be touched yet. If something was, the missing commit record is the lie. */
async function recoverUncommitted(
  site: Site,
  volume: Volume,
  intent: Intent,
  jobs: readonly Job[],
): Promise<Recovered> {
  for (const job of jobs)
    if (await wasInstalled(site, job)) {
      const paths = intent.files.map(({ path }) => path);
      return {
        number: volume.number,
        result: "doubtful",
        why: "files have changed without a commit record",
        paths,
      };
    }
  return clear(site, volume, intent, jobs, []);
}

/** Whether the transaction, and not just anybody, has brought a file to its new state. */
async function wasInstalled(site: Site, job: Job): Promise<boolean> {
  const { before, after } = job.record;
  if (after?.version === before?.version) return false;
  const found = await conditionOf(site, job);
  return found.is === "after" && (after !== null || (await isAside(site, job, found.place)));
}

async function recoverCommitted(
  site: Site,
  epoch: number,
  volume: Volume,
  intent: Intent,
  jobs: readonly Job[],
): Promise<Recovered> {
  await makeDurable(site, epoch, volume);
  const open = await reopenVolume(site.files, site.state.journal, volume, epoch);
  try {
    if (!(await canFinish(site, jobs))) return await goBack(site, open, volume.number, intent, jobs);
    try {
      for (const path of intent.makes) await makeDir(site, path, { again: true });
      for (const job of jobs) await install(site, intent.id, job);
      for (const job of jobs) await checkInstalled(site, job);
    } catch (error) {
      if (!(error instanceof Stranger)) throw error;
      return await goBack(site, open, volume.number, intent, jobs);
    }
    await flushParents(site, jobs, intent);
    await open.append(["done", {}]);
    await open.flush();
    await tidyDone(site, volume.number, intent, jobs);
    return { number: volume.number, result: "committed" };
  } finally {
    await open.close();
  }
}

async function checkInstalled(site: Site, job: Job): Promise<void> {
  const found = await conditionOf(site, job);
  if (found.is !== "after") throw new Stranger(job.record.path, found.is);
}

/** Whether each file is as before or as after, and what is still to be written waits, whole. */
async function canFinish(site: Site, jobs: readonly Job[]): Promise<boolean> {
  for (const job of jobs) {
    const found = await conditionOf(site, job);
    if (found.is === "after") continue;
    if (found.is === "stranger" && !(job.step.inPlace && found.content)) return false;
    const dir = waitingDir(site, job, found.place!);
    if (job.record.after && (await versionAt(site, dir, job.step.staged!)) !== job.record.after.version)
      return false;
  }
  return true;
}

/** Returns every file to what it was, except those that are somebody else's by now. */
export async function goBack(
  site: Site,
  open: OpenVolume,
  number: number,
  intent: Intent,
  jobs: readonly Job[],
): Promise<Recovered> {
  const strangers: Found[] = [];
  for (const job of [...jobs].reverse()) {
    const found = await takeBack(site, job);
    if (found) strangers.unshift(found);
  }
  await flushParents(site, jobs, intent);
  await open.append(["aborted", { strangers } satisfies Aborted]);
  await open.flush();
  await tidyAborted(site, number, intent, jobs, strangers);
  return strangers.length > 0 ? { number, result: "aborted", strangers } : { number, result: "cleared" };
}

async function clear(
  site: Site,
  { number }: Volume,
  intent: Intent,
  jobs: readonly Job[],
  strangers: readonly Found[],
): Promise<Recovered> {
  await tidyAborted(site, number, intent, jobs, strangers);
  return strangers.length > 0 ? { number, result: "aborted", strangers } : { number, result: "cleared" };
}

/** Flushes every directory in which a name has changed. */
export async function flushParents(site: Site, jobs: readonly Job[], { makes }: Intent): Promise<void> {
  const dirs = new Set<Dir>();
  for (const names of [...jobs.map((job) => job.names), ...makes.map((path) => path.split("/"))]) {
    const place = await site.walker.walk(names);
    if (place.ok && place.value.missing.length === 0) dirs.add(place.value.dir);
  }
  await flushDirs(site, dirs);
}

/** Removes what crashed transactions left in our own directories, once none of them is unfinished. */
export async function sweepState({ files, state }: Site): Promise<void> {
  for (const { name, kind } of await files.list(state.stage))
    if (kind !== "directory") await unlinkIfThere(files, state.stage, name);
  for (const dir of [state.dir, state.blobs, state.audit, state.journal])
    for (const { name } of await files.list(dir))
      if (name.endsWith(".draft")) await files.unlink(dir, name).catch(codeOf);
}
