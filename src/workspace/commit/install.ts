import { readContent, writeAll } from "../files/content.ts";
import { codeOf, type Dir, type Files, withoutLinks } from "../files/files.ts";
import { storeImage } from "../journal/saved-copies.ts";
import type { Spot } from "../paths/walk.ts";
import { flushFile, type Job, renameOver, type Site } from "./commit-context.ts";
import { type Condition, conditionOf, Stranger, versionAt, waitingDir } from "./file-state.ts";

/**
 * Puts a job's new file where the old one stands. Does nothing where that has been done. The look at what stands there
 * comes last, so that next to nothing lies between it and the replacement; whoever can look quickly says how.
 */
export async function install(
  site: Site,
  id: string,
  job: Job,
  quickLook: () => Promise<Condition | null> = async () => null,
): Promise<void> {
  const { record, step } = job;
  if (record.before) await site.views.show(id, record.path, record.before.version);
  const found = (await quickLook()) ?? (await conditionOf(site, job));
  if (found.is === "after") return step.inPlace ? flushInPlace(site, found.place) : undefined;
  if (found.is === "stranger" && !(step.inPlace && found.place && found.content))
    throw new Stranger(record.path, found.version);
  const place = found.place!;
  if (place.missing.length > 0) throw new Stranger(record.path, "its directory is gone");
  if (step.inPlace) {
    // Half of each, or somebody else's: either way such bytes are kept before they go.
    if (found.is === "stranger")
      await storeImage(site.files, site.state, found.content!.bytes, { flush: true });
    return writeInPlace(site, job, place);
  }
  if (record.before && !step.aside)
    return renameOver(site.files, waitingDir(site, job, place), step.staged!, place.dir, place.name);
  if (step.aside && found.content) await moveAside(site, job, place);
  if (record.after) await giveName(site, job, place);
}

/** Takes the old file's name away first, so that what is looked at afterwards is exactly what was taken. */
async function moveAside(site: Site, job: Job, place: Spot): Promise<void> {
  const dir = waitingDir(site, job, place);
  const aside = job.step.aside!;
  // A power cut can leave both names of one file, and renaming it onto itself would do nothing.
  await clearName(site, dir, aside);
  await renameOver(site.files, place.dir, place.name, dir, aside);
  const version = await versionAt(site, dir, aside);
  if (version === job.record.before!.version) return;
  await putBack(site, dir, aside, place);
  throw new Stranger(job.record.path, version);
}

/** Gives a new file a name that nobody has: a link fails where something appeared, a rename would not. */
async function giveName(site: Site, job: Job, place: Spot): Promise<void> {
  const { files } = site;
  const dir = waitingDir(site, job, place);
  try {
    if (!job.step.reserve) return await files.link(dir, job.step.staged!, place.dir, place.name);
    await files.close(await files.create(place.dir, place.name, 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const standing = await files.stat(place.dir, place.name);
    if (!job.step.reserve || standing?.size !== 0) throw new Stranger(job.record.path, "exists");
  }
  await renameOver(files, dir, job.step.staged!, place.dir, place.name);
}

/** Overwrites through the file itself, from the staged bytes. Not atomic for readers; recovery finishes it. */
async function writeInPlace(site: Site, job: Job, place: Spot): Promise<void> {
  const { after, path } = job.record;
  const staged = await readContent(
    site.files,
    waitingDir(site, job, place),
    job.step.staged!,
    Number.POSITIVE_INFINITY,
  );
  if (!staged.ok || staged.value?.version !== after?.version) throw new Stranger(path, "nothing staged");
  await overwrite(site, place, staged.value!.bytes, after!.mode);
}

export async function overwrite(site: Site, place: Spot, bytes: Uint8Array, mode: number): Promise<void> {
  const { files } = site;
  const file = await files.openWrite(place.dir, place.name);
  try {
    await writeAll(files, file, bytes);
    await files.truncate(file, bytes.length);
    if ((await files.statOpen(file)).mode !== mode) await files.setMode(file, mode);
    await flushFile(site, file);
  } finally {
    await files.close(file);
  }
}

/** What was written in place before a crash may still be in memory only, whole as it looks. */
export async function flushInPlace(site: Site, place: Spot): Promise<void> {
  const file = await site.files.openWrite(place.dir, place.name);
  try {
    await flushFile(site, file);
  } finally {
    await site.files.close(file);
  }
}

/** Removes a name in one of our directories; its bytes go to the store, if that has not got them. */
export async function clearName(site: Site, dir: Dir, name: string): Promise<void> {
  const { files, state } = site;
  const content = await readContent(files, dir, name, Number.POSITIVE_INFINITY);
  if (content.ok && !content.value) return;
  if (content.ok && content.value) await storeImage(files, state, content.value.bytes, { flush: true });
  await files.unlink(dir, name);
}

/** Returns a file to its name, unless something has taken that; then its bytes go to the store. */
export async function putBack(site: Site, dir: Dir, name: string, place: Spot): Promise<boolean> {
  const free = await linkFree(site.files, dir, name, place);
  if (free) await site.files.unlink(dir, name);
  else await clearName(site, dir, name);
  return free;
}

/** Gives a file a second name if that is free; without hard links, a copy. */
async function linkFree(files: Files, dir: Dir, name: string, place: Spot): Promise<boolean> {
  try {
    await files.link(dir, name, place.dir, place.name);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return false;
    if (!withoutLinks.has(code)) throw error;
    return copyFree(files, dir, name, place);
  }
}

async function copyFree(files: Files, dir: Dir, name: string, place: Spot): Promise<boolean> {
  const content = await readContent(files, dir, name, Number.POSITIVE_INFINITY);
  if (!content.ok || !content.value || (await files.stat(place.dir, place.name))) return false;
  const copy = await files.create(place.dir, place.name, 0o600);
  try {
    await writeAll(files, copy, content.value.bytes);
    await files.setMode(copy, content.value.stat.mode);
    await files.flush(copy);
    return true;
  } finally {
    await files.close(copy);
  }
}
