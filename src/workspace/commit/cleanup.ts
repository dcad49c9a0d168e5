import { codeOf, type Dir } from "../files/files.ts";
import { type Intent, volumeName } from "../journal/journal.ts";
import { closeImage, detachImage } from "../journal/saved-copies.ts";
import { unlinkIfThere } from "../state/state.ts";
import { flushDirs, type Job, lookAt, type Site } from "./commit-context.ts";
import { waitingDir } from "./file-state.ts";
import { clearName } from "./install.ts";

/**
 * After `done`: what waited goes, what was kept is closed to others, and the journal file gets its final name.
 * `closed`: paths whose image has been closed already.
 */
export async function tidyDone(
  site: Site,
  number: number,
  intent: Intent,
  jobs: readonly Job[],
  closed: ReadonlyMap<string, unknown> = new Map(),
): Promise<void> {
  for (const job of jobs) await discardWaiting(site, job);
  for (const job of jobs)
    if (job.record.before && !job.step.held && !closed.has(job.record.path)) await closeKept(site, job);
  for (const path of intent.removes) await removeEmpty(site, path.split("/"));
  // The final name may be durable before anything else is; then nobody would look here again.
  await flushOutside(site, intent.removes, jobs);
  await finish(site, number);
}

/**
 * After going back: as if nothing had been. Where somebody else's file was met, the entry stays in the history with
 * every version of that file; else its journal file goes last, because until then it is what says what to clear.
 */
export async function tidyAborted(
  site: Site,
  number: number,
  intent: Intent,
  jobs: readonly Job[],
  strangers: readonly { readonly path: string }[],
): Promise<void> {
  const strange = new Set(strangers.map(({ path }) => path));
  const met = jobs.filter(({ record }) => strange.has(record.path));
  for (const job of met) await storeStaged(site, job);
  for (const job of jobs) await discardWaiting(site, job);
  // With these names gone for good, nobody can take the transaction up again.
  await flushDirs(site, [site.state.stage]);
  for (const path of [...intent.makes].reverse()) await removeEmpty(site, path.split("/"));
  await flushOutside(site, intent.makes, jobs);
  const kept = new Set(met.map(({ record }) => record.before?.version));
  for (const job of jobs) await dropImage(site, job, kept);
  await site.views.hide(intent.id);
  for (const { record } of met)
    if (record.before) await site.views.show(intent.id, record.path, record.before.version);
  if (met.length > 0) return finish(site, number);
  await unlinkIfThere(site.files, site.state.journal, volumeName(number, { pending: true }));
}

async function finish({ files, state }: Site, number: number): Promise<void> {
  try {
    const [from, to] = [volumeName(number, { pending: true }), volumeName(number, { pending: false })];
    await files.rename(state.journal, from, state.journal, to);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Removes a job's staged file and its old one. Bytes that are in no other place go to the store first. */
async function discardWaiting(site: Site, job: Job): Promise<void> {
  const { staged, aside } = job.step;
  const dir = await waitingPlace(site, job);
  if (!dir) return;
  // Mostly it has been renamed, and asking is cheaper than failing.
  if (staged && (await site.files.stat(dir, staged))) await unlinkIfThere(site.files, dir, staged);
  if (aside) await clearName(site, dir, aside);
}

async function waitingPlace(site: Site, job: Job): Promise<Dir | null> {
  if (!job.step.beside) return site.state.stage;
  const place = await site.walker.walk(job.names);
  return place.ok && place.value.missing.length === 0 ? waitingDir(site, job, place.value) : null;
}

async function storeStaged(site: Site, job: Job): Promise<void> {
  const dir = job.step.staged ? await waitingPlace(site, job) : null;
  if (dir) await clearName(site, dir, job.step.staged!);
}

/** An image that this transaction has made goes with it, unless it tells what a stranger was met instead of. */
async function dropImage(
  site: Site,
  { record, step, names }: Job,
  kept: ReadonlySet<string | undefined>,
): Promise<void> {
  const { files, state } = site;
  const version = record.before?.version;
  if (version === undefined) return;
  if (!step.held && !kept.has(version)) return unlinkIfThere(files, state.blobs, version);
  const looked = await lookAt(site, names);
  const live = looked.ok ? looked.value.content : null;
  if (live) await detachImage(files, state, version, live, { held: step.held === true });
}

/** A file that people work on may be its own image still, after a way back; its permission is theirs. */
async function closeKept(site: Site, { record, names }: Job): Promise<void> {
  const { files, state } = site;
  const { version } = record.before!;
  const image = await files.stat(state.blobs, version);
  const looked = image ? await lookAt(site, names) : null;
  const isLive = looked?.ok && looked.value.content?.stat.identity === image?.identity;
  if (image && !isLive) await closeImage(files, state, version);
}

/** Flushes the directories among the user's files in which something of ours was removed. */
async function flushOutside(site: Site, paths: readonly string[], jobs: readonly Job[]): Promise<void> {
  const beside = jobs.filter(({ step }) => step.beside).map(({ names }) => names);
  const dirs = new Set<Dir>();
  for (const names of [...paths.map((path) => path.split("/")), ...beside]) {
    const place = await site.walker.walk(names);
    if (place.ok) dirs.add(place.value.dir);
  }
  await flushDirs(site, dirs);
}

/** Removes a directory that holds nothing; one that is gone, or holds something, is left as it is. */
async function removeEmpty(site: Site, names: readonly string[]): Promise<void> {
  const place = await site.walker.walk(names);
  if (!place.ok || place.value.missing.length > 0) return;
  try {
    await site.files.rmdir(place.value.dir, place.value.name);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(codeOf(error))) throw error;
  }
}
