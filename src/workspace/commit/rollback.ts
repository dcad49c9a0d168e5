import { absent, type Content, writeAll } from "../files/content.ts";
import { type Dir, FilesError, type NameInDir } from "../files/files.ts";
import type { FileState } from "../journal/entries.ts";
import { readSavedCopy, storeBytes } from "../journal/saved-copies.ts";
import type { ResolvedPath } from "../paths/walk.ts";
import { unlinkIfThere } from "../state/state.ts";
import { type CommitContext, type FileWrite, flushFile, renameOver } from "./commit-context.ts";
import { findAside, observeState, stagedName, stagingDir, versionAt } from "./file-state.ts";
import { flushInPlace, overwrite, putBack } from "./install.ts";

/** A path with content that the transaction did not write. */
export type UnexpectedFile = { readonly path: string; readonly version: string };

/** The current file of a job that is rolled back. */
type CurrentFile = { readonly place: ResolvedPath; readonly content: Content | null };

/** Restores the old file of a job. Touches only content that the transaction itself wrote. */
export async function rollBackFile(context: CommitContext, job: FileWrite): Promise<UnexpectedFile | null> {
  const { record, step } = job;
  const found = await observeState(context, job);
  const { place, content = null } = found;
  if (found.is === "unexpected" && !(step.inPlace && place))
    return { path: record.path, version: found.version };
  if (!place) return null;
  if (found.is === "before" && (content === null) === (record.before === null)) {
    if (step.inPlace && content) await flushInPlace(context, place);
    return null;
  }
  if (!record.before) return removeAfter(context, job, place);
  if (step.inPlace) return rewriteBefore(context, job, { place, content, before: record.before });
  return restoreBefore(context, job, { place, content, before: record.before });
}

type OldFile = CurrentFile & { readonly before: FileState };

async function rewriteBefore(
  context: CommitContext,
  { record }: FileWrite,
  { place, content, before }: OldFile,
): Promise<UnexpectedFile | null> {
  const copy = await readSavedCopy(context, before.version);
  if (!content || !copy.ok) return { path: record.path, version: content?.version ?? absent };
  if (content.version !== record.after?.version) await storeBytes(context, content.bytes, { flush: true });
  await context.checkLock();
  await overwrite(context, place, { bytes: copy.value, mode: before.mode });
  return null;
}

/** Removes a file that the transaction created. Renames it first and then checks that it is that file. */
async function removeAfter(
  context: CommitContext,
  job: FileWrite,
  place: ResolvedPath,
): Promise<UnexpectedFile | null> {
  const { files } = context;
  const removed = stagedName(context, job, place);
  await unlinkIfThere(files, removed.dir, removed.name);
  await context.checkLock();
  await renameOver(files, place, removed);
  const version = await versionAt(context, removed);
  const reserved = job.step.reserve === true && (await files.stat(removed.dir, removed.name))?.size === 0;
  if (version === job.record.after?.version || reserved) return null;
  await putBack(context, removed, place);
  return { path: job.record.path, version };
}

async function restoreBefore(
  context: CommitContext,
  job: FileWrite,
  { place, content, before }: OldFile,
): Promise<UnexpectedFile | null> {
  const dir = stagingDir(context, job, place);
  const old = (await findAside(context, job, place)) ?? (await stageBefore(context, job, { dir, before }));
  // The next owner of the lock removes staged files first, so that a rename after this check finds none.
  await context.checkLock();
  if (content) await renameOver(context.files, old, place);
  else if (!(await putBack(context, old, place))) return { path: job.record.path, version: "exists" };
  return null;
}

/** Stages the old file: by a link if the store has the file itself, otherwise as a new file with its bytes and mode. */
async function stageBefore(
  context: CommitContext,
  { step, record }: FileWrite,
  { dir, before }: { dir: Dir; before: FileState },
): Promise<NameInDir> {
  const { files, state } = context;
  const { version, mode } = before;
  const name = step.staged ?? step.aside ?? "";
  await unlinkIfThere(files, dir, name);
  const saved = await files.stat(state.blobs, version);
  if (saved && saved.identity === step.identity && dir === state.stage) {
    await files.link(state.blobs, version, dir, name);
    return { dir, name };
  }
  const bytes = await readSavedCopy(context, version);
  if (!bytes.ok) throw new FilesError("EIO", "no saved copy of", record.path);
  const file = await files.create(dir, name, 0o600);
  try {
    await writeAll(files, file, bytes.value);
    await files.setMode(file, mode);
    await flushFile(context, file);
    return { dir, name };
  } finally {
    await files.close(file);
  }
}
