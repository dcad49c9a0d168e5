import { readContent, writeAll } from "../files/content.ts";
import { codeOf, type Files, type NameInDir, withoutLinks } from "../files/files.ts";
import { storeBytes } from "../journal/saved-copies.ts";
import type { ResolvedPath } from "../paths/walk.ts";
import { type CommitContext, type FileWrite, flushFile, renameOver } from "./commit-context.ts";
import {
  type ObservedState,
  observeState,
  stagedName,
  stagingDir,
  UnexpectedContent,
  versionAt,
} from "./file-state.ts";

export type InstallOptions = {
  readonly id: string;
  readonly job: FileWrite;
  /** A faster check of the current file, if the caller has one. */
  readonly observeQuickly?: () => Promise<ObservedState | null>;
};

/**
 * Puts a job's new file in place of the old one. Does nothing if that has been done. It checks the current file last,
 * so that almost no time passes between the check and the replacement.
 */
export async function install(
  context: CommitContext,
  { id, job, observeQuickly = async () => null }: InstallOptions,
): Promise<void> {
  const { record, step } = job;
  const { path, before } = record;
  if (before) await context.backups.add({ id, path, version: before.version });
  const found = (await observeQuickly()) ?? (await observeState(context, job));
  if (found.is === "after") return step.inPlace ? flushInPlace(context, found.place) : undefined;
  const { place, content } = found;
  if (found.is === "unexpected" && !(step.inPlace && content))
    throw new UnexpectedContent(path, found.version);
  if (!place || place.missing.length > 0) throw new UnexpectedContent(path, "its directory is gone");
  if (step.inPlace) {
    // The content is half written, or comes from another program. Either way it is kept before it is overwritten.
    if (found.is === "unexpected" && content) await storeBytes(context, content.bytes, { flush: true });
    return writeInPlace(context, job, place);
  }
  if (before && !step.aside) return renameOver(context.files, stagedName(context, job, place), place);
  if (step.aside && content) await moveAside(context, job, { place, aside: step.aside });
  if (record.after) await giveName(context, job, place);
}

/** Moves the old file away before checking it, so that the checked file is exactly the moved one. */
async function moveAside(
  context: CommitContext,
  job: FileWrite,
  { place, aside }: { place: ResolvedPath; aside: string },
): Promise<void> {
  const to = { dir: stagingDir(context, job, place), name: aside };
  // A power cut can leave both names of one file, and renaming a file onto itself does nothing.
  await clearName(context, to);
  await renameOver(context.files, place, to);
  const version = await versionAt(context, to);
  if (version === job.record.before?.version) return;
  await putBack(context, to, place);
  throw new UnexpectedContent(job.record.path, version);
}

/** Gives a new file a free name with a link: a link fails if the name is taken, a rename would overwrite. */
async function giveName(context: CommitContext, job: FileWrite, place: ResolvedPath): Promise<void> {
  const { files } = context;
  const staged = stagedName(context, job, place);
  try {
    if (!job.step.reserve) return await files.link(staged.dir, staged.name, place.dir, place.name);
    await files.close(await files.create(place.dir, place.name, 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const existing = await files.stat(place.dir, place.name);
    if (!job.step.reserve || existing?.size !== 0) throw new UnexpectedContent(job.record.path, "exists");
  }
  await renameOver(files, staged, place);
}

/** Overwrites a file in place with its staged bytes. Readers may see half of it; recovery finishes it. */
async function writeInPlace(context: CommitContext, job: FileWrite, place: ResolvedPath): Promise<void> {
  const { after, path } = job.record;
  const staged = await readContent(context.files, stagedName(context, job, place));
  if (!staged.ok || !staged.value || !after || staged.value.version !== after.version)
    throw new UnexpectedContent(path, "nothing staged");
  await overwrite(context, place, { bytes: staged.value.bytes, mode: after.mode });
}

export async function overwrite(
  context: CommitContext,
  place: NameInDir,
  { bytes, mode }: { bytes: Uint8Array; mode: number },
): Promise<void> {
  const { files } = context;
  const file = await files.openWrite(place.dir, place.name);
  try {
    await writeAll(files, file, bytes);
    await files.truncate(file, bytes.length);
    if ((await files.statOpen(file)).mode !== mode) await files.setMode(file, mode);
    await flushFile(context, file);
  } finally {
    await files.close(file);
  }
}

/** Bytes that were written in place before a crash look whole, but may not have reached the disk. */
export async function flushInPlace(context: CommitContext, place: NameInDir): Promise<void> {
  const file = await context.files.openWrite(place.dir, place.name);
  try {
    await flushFile(context, file);
  } finally {
    await context.files.close(file);
  }
}

/** Removes a file from one of our directories, and stores its bytes first. */
export async function clearName(context: CommitContext, at: NameInDir): Promise<void> {
  const content = await readContent(context.files, at);
  if (content.ok && !content.value) return;
  if (content.ok && content.value) await storeBytes(context, content.value.bytes, { flush: true });
  await context.files.unlink(at.dir, at.name);
}

/** Moves a file back to its name. If the name is taken, stores its bytes instead and returns false. */
export async function putBack(context: CommitContext, from: NameInDir, place: NameInDir): Promise<boolean> {
  const linked = await linkIfFree(context.files, from, place);
  if (linked) await context.files.unlink(from.dir, from.name);
  else await clearName(context, from);
  return linked;
}

/** Gives a file a second name, if the name is free. Copies it where there are no hard links. */
async function linkIfFree(files: Files, from: NameInDir, to: NameInDir): Promise<boolean> {
  try {
    await files.link(from.dir, from.name, to.dir, to.name);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return false;
    if (!withoutLinks.has(code)) throw error;
    return copyIfFree(files, from, to);
  }
}

async function copyIfFree(files: Files, from: NameInDir, to: NameInDir): Promise<boolean> {
  const content = await readContent(files, from);
  if (!content.ok || !content.value || (await files.stat(to.dir, to.name))) return false;
  const copy = await files.create(to.dir, to.name, 0o600);
  try {
    await writeAll(files, copy, content.value.bytes);
    await files.setMode(copy, content.value.stat.mode);
    await files.flush(copy);
    return true;
  } finally {
    await files.close(copy);
  }
}
