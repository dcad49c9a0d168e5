import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import { type Content, sameBytes } from "../files/content.ts";
import { codeOf, type OpenFile } from "../files/files.ts";
import { onBehalfOf, refusalOfTrouble } from "../files/io-error.ts";
import { backupPath } from "../journal/backup-files.ts";
import type { Entry, FileRecord } from "../journal/entries.ts";
import { createVolume, type Intent, type OpenVolume } from "../journal/journal.ts";
import { imageMode, rescueImage } from "../journal/saved-copies.ts";
import { createWalker, type Walker } from "../paths/walk.ts";
import { tidyAborted, tidyDone } from "./cleanup.ts";
import type { Job, Site } from "./commit-context.ts";
import { type Condition, conditionOf, Stranger } from "./file-state.ts";
import { install } from "./install.ts";
import type { Tenure } from "./lock.ts";
import { flushParents, goBack, jobsOf } from "./recover.ts";
import { type Planned, type Prepared, prepare } from "./stage.ts";
import { type FileChange, missingDirs, readTargets, type Target } from "./targets.ts";

/** One transaction, before the files have been looked at under the lock. */
export type Request = {
  readonly number: number;
  /** Hash of the entry before. */
  readonly previous: string;
  readonly about: Omit<Entry, "id" | "state" | "files" | "durability">;
  readonly changes: readonly FileChange[];
  /** Directories to remove afterwards if they are empty then. */
  readonly removes: readonly string[];
  readonly strict: boolean;
  readonly inPlace: boolean;
  readonly mounts: boolean;
  readonly signal?: AbortSignal | undefined;
};

export type Written = {
  readonly entry: Entry;
  /** Hash of its last record: what the next entry points at. */
  readonly head: string;
  /** Bytes by which the journal and the images have grown. */
  readonly grown: number;
  /** Files that somebody wrote at the same moment, and where those bytes are kept. */
  readonly outside: readonly { readonly path: string; readonly kept: string }[];
};

/** `unsettled`: something could not be put right, and the next owner of the lock has to look. */
export type Attempt = { readonly outcome: Outcome<Written>; readonly unsettled: boolean };

/** Another process has the lock: whatever this one still had to do is no longer its business. */
class TenureLost extends Error {}

/**
 * The commit protocol. Old bytes are durable before a file changes; new bytes and their names before the commit record;
 * that record before the first file is replaced; all of it before `done`, and `done` before the answer.
 */
export async function commitTransaction(site: Site, tenure: Tenure, request: Request): Promise<Attempt> {
  const { files, state } = site;
  let volume: OpenVolume | undefined;
  let prepared: Prepared | undefined;
  let undo: ((error: unknown) => Promise<Attempt>) | undefined;
  try {
    const targets = await readTargets(site, request);
    if (!targets.ok) return { outcome: targets, unsettled: false };
    const intent = intentOf(site, request, targets.value);
    const jobs = jobsOf(intent);
    const planned = jobs.map((job, i) => ({ job, target: targets.value[i]! }));
    const texts = targets.value.map(({ change }) => change.texts);

    undo = (error) => abandon(site, request, intent, jobs, error);
    const open = await createVolume(files, state.journal, request.number, tenure.epoch, intent, texts);
    volume = open;
    const waiting = await prepare(site, open, intent, planned);
    prepared = waiting;
    await checkStillThere(site, tenure, request, planned);

    undo = (error) => retreat(site, open, request, intent, planned, error);
    await open.append(["commit", {}]);
    await flushVolume(site, open);
    for (const each of planned) {
      await checkTenure(tenure);
      await onBehalfOf(each.job.record.path, () =>
        install(site, intent.id, each.job, () => lookAgain(site, each, waiting)),
      );
    }
    await flushParents(site, jobs, intent);
    const outside = await verify(site, intent.id, planned, waiting);

    // Every file is as it shall be. If this cannot be written down, the next caller finds it out and does it.
    undo = (error) => leave(error);
    await open.append(["done", {}]);
    await flushVolume(site, open);

    undo = undefined;
    return await settle(site, open, request, intent, planned, waiting, outside);
  } catch (error) {
    if (undo && !(error instanceof TenureLost)) return await undo(error);
    return { outcome: refuse(refusalOf(error)), unsettled: undo !== undefined };
  } finally {
    await volume?.close();
    for (const image of prepared?.images.values() ?? []) await files.close(image);
  }
}

function intentOf(
  site: Site,
  { number, previous, about, removes }: Request,
  targets: readonly Target[],
): Intent {
  const id = String(number);
  return {
    ...about,
    id,
    format: 1,
    previous,
    durability: { level: site.durability, limits: site.limits },
    files: targets.map((target) => recordOf(id, target)),
    steps: targets.map(({ step }) => step),
    makes: missingDirs(targets),
    removes,
  };
}

function recordOf(id: string, { change, before, after }: Target): FileRecord {
  const { path } = change.gated;
  return { path, before, after, ...change.about, ...(before ? { backup: backupPath(id, path) } : {}) };
}

async function flushVolume({ durability }: Site, volume: OpenVolume): Promise<void> {
  if (durability === "full") await volume.flush();
}

async function checkTenure(tenure: Tenure): Promise<void> {
  if (!(await tenure.holds())) throw new TenureLost("another process has taken the lock");
}

/** The last look before the point of no return: still wanted, still ours, and every directory still where it was. */
async function checkStillThere(
  site: Site,
  tenure: Tenure,
  { signal }: Request,
  planned: readonly Planned[],
): Promise<void> {
  if (signal?.aborted) throw new Cancelled("the caller has gone");
  await checkTenure(tenure);
  const parents = new Map(planned.map(({ job }) => [job.names.slice(0, -1).join("/"), job.names]));
  const fresh = createWalker(site.files, site.root);
  try {
    for (const names of parents.values())
      if ((await parentIdentity(site, site.walker, names)) !== (await parentIdentity(site, fresh, names)))
        throw new Stranger(names.join("/"), "its directory has moved");
  } finally {
    await fresh.close();
  }
}

async function parentIdentity({ files }: Site, walker: Walker, names: readonly string[]): Promise<string> {
  const place = await walker.walk(names);
  return place.ok && place.value.missing.length === 0
    ? (await files.statOpen(place.value.dir)).identity
    : "nowhere";
}

/** The quick look, where the old file is open: it holds what it held, and its name still leads to it. */
async function lookAgain(
  site: Site,
  { job, target }: Planned,
  { images }: Prepared,
): Promise<Condition | null> {
  const { content } = target;
  const image = images.get(job.record.path);
  const place = image && content ? await site.walker.walk(job.names) : null;
  if (!image || !content || !place?.ok || place.value.missing.length > 0) return null;
  if (!(await holds(site, image, content))) return null;
  const standing = await site.files.stat(place.value.dir, place.value.name);
  return standing?.identity === content.stat.identity ? { is: "before", place: place.value, content } : null;
}

async function holds({ files }: Site, file: OpenFile, { bytes }: Content): Promise<boolean> {
  return sameBytes(await files.read(file, 0, bytes.length + 1), bytes);
}

/** Every name must lead to the file that was staged for it, and every image must be what was there before. */
async function verify(
  site: Site,
  id: string,
  planned: readonly Planned[],
  prepared: Prepared,
): Promise<Written["outside"]> {
  const outside: { path: string; kept: string }[] = [];
  for (const { job, target } of planned) {
    const { path } = job.record;
    if (!(await isStaged(site, job, prepared)) && (await conditionOf(site, job)).is === "stranger")
      outside.push({ path, kept: path });
    const image = prepared.images.get(path);
    if (!target.content || (image && (await holds(site, image, target.content)))) continue;
    const kept = await rescueImage(site.files, site.state, target.content);
    if (!kept) continue;
    await site.views.show(id, path, target.content.version);
    outside.push({ path, kept });
  }
  return outside;
}

async function isStaged(site: Site, { record, step, names }: Job, { staged }: Prepared): Promise<boolean> {
  if (!record.after || step.inPlace) return true;
  const place = await site.walker.walk(names);
  const standing =
    place.ok && place.value.missing.length === 0
      ? await site.files.stat(place.value.dir, place.value.name)
      : null;
  return standing?.identity === staged.get(record.path);
}

/** All is written. What is left to do is done again by recovery if it fails here. */
async function settle(
  site: Site,
  volume: OpenVolume,
  { number }: Request,
  intent: Intent,
  planned: readonly Planned[],
  { images: own }: Prepared,
  outside: Written["outside"],
): Promise<Attempt> {
  const images = planned.map(({ target, job }) => (job.step.held ? 0 : (target.before?.size ?? 0)));
  const grown = images.reduce((sum, size) => sum + size, volume.size());
  const {
    format: _format,
    previous: _previous,
    steps: _steps,
    makes: _makes,
    removes: _removes,
    ...entry
  } = intent;
  const written: Written = { entry: { ...entry, state: "committed" }, head: volume.head(), grown, outside };
  const jobs = planned.map(({ job }) => job);
  try {
    for (const image of own.values()) await site.files.setMode(image, imageMode);
    await tidyDone(site, number, intent, jobs, own);
    return { outcome: accept(written), unsettled: false };
  } catch (error) {
    codeOf(error);
    return { outcome: accept(written), unsettled: true };
  }
}

/** Before the commit record: no file has been touched, only what waited has to go. */
async function abandon(
  site: Site,
  { number }: Request,
  intent: Intent,
  jobs: readonly Job[],
  error: unknown,
): Promise<Attempt> {
  const refusal = refusalOf(error);
  try {
    await tidyAborted(site, number, intent, jobs, []);
    return { outcome: refuse(refusal), unsettled: false };
  } catch (again) {
    codeOf(again);
    return { outcome: refuse(refusal), unsettled: true };
  }
}

/** After the commit record: every file goes back to what it was, or recovery decides when the machine allows. */
async function retreat(
  site: Site,
  volume: OpenVolume,
  { number }: Request,
  intent: Intent,
  planned: readonly Planned[],
  error: unknown,
): Promise<Attempt> {
  const refusal = refusalOf(error);
  try {
    // Whoever wrote into the old file has changed its image with it; only we still know what it was.
    if (error instanceof Stranger)
      for (const { target } of planned)
        if (target.content) await rescueImage(site.files, site.state, target.content);
    const jobs = planned.map(({ job }) => job);
    const { result } = await goBack(site, volume, number, intent, jobs);
    // An entry that stays, to keep what was met, has used up its number.
    return { outcome: refuse(refusal), unsettled: result !== "cleared" };
  } catch (again) {
    if (!(again instanceof Stranger)) codeOf(again);
    return { outcome: refuse(unsettled(refusal, "open")), unsettled: true };
  }
}

function leave(error: unknown): Promise<Attempt> {
  return Promise.resolve({
    outcome: refuse(unsettled(refusalOf(error), "written")),
    unsettled: true,
  });
}

function unsettled(refusal: Refusal, aftermath: "open" | "written"): Refusal {
  const { path, code } = refusal;
  return {
    code: "unavailable",
    ...(path === undefined ? {} : { path }),
    ...("errno" in refusal && refusal.errno !== undefined ? { errno: refusal.errno } : {}),
    detail: ("detail" in refusal ? refusal.detail : undefined) ?? code,
    aftermath,
  };
}

class Cancelled extends Error {}

/** What the caller hears. Errors that are not the machine's are bugs, and thrown on. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Stranger)
    return { code: "conflict", path: error.path, detail: `changed meanwhile (${error.version})` };
  if (error instanceof TenureLost) return { code: "locked", owner: error.message };
  if (error instanceof Cancelled) return { code: "unavailable", detail: error.message };
  return refusalOfTrouble(error);
}
