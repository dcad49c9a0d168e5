import { type Content, writeAll } from "../files/content.ts";
import { type Dir, FilesError } from "../files/files.ts";
import { readImage, storeImage } from "../journal/saved-copies.ts";
import type { Spot } from "../paths/walk.ts";
import { unlinkIfThere } from "../state/state.ts";
import { flushFile, type Job, renameOver, type Site } from "./commit-context.ts";
import { conditionOf, isAside, versionAt, waitingDir } from "./file-state.ts";
import { flushInPlace, overwrite, putBack } from "./install.ts";

/** A path at which something stands that the transaction did not write. */
export type Found = { readonly path: string; readonly version: string };

/** Returns a path to what was there before. Only what the transaction itself wrote is touched. */
export async function takeBack(site: Site, job: Job): Promise<Found | null> {
  const { record, step } = job;
  const found = await conditionOf(site, job);
  if (found.is === "stranger" && !(step.inPlace && found.place))
    return { path: record.path, version: found.version };
  const place = found.place!;
  const content = found.content ?? null;
  if (found.is === "before" && (content === null) === (record.before === null)) {
    if (step.inPlace && content) await flushInPlace(site, place);
    return null;
  }
  if (step.inPlace) return rewriteBefore(site, job, place, content);
  if (!record.before) return removeAfter(site, job, place);
  return restoreBefore(site, job, place, content);
}

async function rewriteBefore(
  site: Site,
  { record }: Job,
  place: Spot,
  content: Content | null,
): Promise<Found | null> {
  const image = await readImage(site.files, site.state, record.before!.version);
  if (!content || !image.ok) return { path: record.path, version: content?.version ?? "absent" };
  if (content.version !== record.after?.version)
    await storeImage(site.files, site.state, content.bytes, { flush: true });
  await overwrite(site, place, image.value, record.before!.mode);
  return null;
}

/** Removes a file that the transaction created, if it proves to be that file once its name is gone. */
async function removeAfter(site: Site, job: Job, place: Spot): Promise<Found | null> {
  const { files } = site;
  const dir = waitingDir(site, job, place);
  const name = job.step.staged!;
  await unlinkIfThere(files, dir, name);
  await renameOver(files, place.dir, place.name, dir, name);
  const version = await versionAt(site, dir, name);
  const reserved = job.step.reserve === true && (await files.stat(dir, name))?.size === 0;
  if (version === job.record.after!.version || reserved) return null;
  await putBack(site, dir, name, place);
  return { path: job.record.path, version };
}

async function restoreBefore(
  site: Site,
  job: Job,
  place: Spot,
  content: Content | null,
): Promise<Found | null> {
  const dir = waitingDir(site, job, place);
  const name = (await isAside(site, job, place)) ? job.step.aside! : await stageBefore(site, job, dir);
  if (content) await renameOver(site.files, dir, name, place.dir, place.name);
  else if (!(await putBack(site, dir, name, place))) return { path: job.record.path, version: "exists" };
  return null;
}

/** The old file itself where the store has it, else a new one with its bytes and mode. */
async function stageBefore(site: Site, { step, record }: Job, dir: Dir): Promise<string> {
  const { files, state } = site;
  const { version, mode } = record.before!;
  const name = step.staged ?? step.aside!;
  await unlinkIfThere(files, dir, name);
  const image = await files.stat(state.blobs, version);
  if (image && image.identity === step.identity && dir === state.stage) {
    await files.link(state.blobs, version, dir, name);
    return name;
  }
  const bytes = await readImage(files, state, version);
  if (!bytes.ok) throw new FilesError("EIO", "no image of", record.path);
  const file = await files.create(dir, name, 0o600);
  try {
    await writeAll(files, file, bytes.value);
    await files.setMode(file, mode);
    await flushFile(site, file);
    return name;
  } finally {
    await files.close(file);
  }
}
