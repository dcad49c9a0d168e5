import { Stranger, waitingDir } from "./condition.ts";
import { writeAll } from "./content.ts";
import { codeOf, type Dir, FilesError, type OpenFile } from "./files.ts";
import { keepImage } from "./images.ts";
import type { Intent, OpenVolume } from "./journal.ts";
import { inParallel, type Job, type Site } from "./site.ts";
import type { Target } from "./targets.ts";

/** A target with the job that the journal has for it. */
export type Planned = { readonly target: Target; readonly job: Job };

/** Identities of the staged files, by path: what a file's name must lead to in the end. */
export type Staged = ReadonlyMap<string, string>;

/**
 * Makes everything durable that the commit record will speak of: the journal's first records, the old bytes, the new
 * ones, and all their names. What lies in our own directories may be written while the journal is still being flushed,
 * because whoever recovers sweeps those; what lies among the user's files may not.
 */
export async function prepare(
  site: Site,
  volume: OpenVolume,
  intent: Intent,
  planned: readonly Planned[],
): Promise<Staged> {
  const { files, state } = site;
  const begun: Flush[] = [() => volume.flush(), () => files.flushDir(state.journal)];
  const outside = intent.makes.length > 0 || planned.some(({ job }) => job.step.beside);
  if (outside) await flushAll(site, begun);
  for (const path of intent.makes) await makeDir(site, path, { again: false });
  return writeInBatches(site, planned, outside ? [] : begun);
}

type Flush = () => Promise<unknown>;

async function flushAll(site: Site, flushes: readonly Flush[]): Promise<void> {
  if (site.durability === "full") await inParallel(flushes, (flush) => flush());
}

/** Makes a directory of the transaction. Recovery takes one that is there for the one it made before. */
export async function makeDir(site: Site, path: string, { again }: { again: boolean }): Promise<void> {
  const place = await site.walker.walk(path.split("/"));
  if (!place.ok || place.value.missing.length > 0) throw new Stranger(path, "not a directory");
  try {
    await site.files.mkdir(place.value.dir, place.value.name, 0o777);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (!again) throw new Stranger(path, "exists");
  }
}

const openAtOnce = 64;

/** Writes some files, flushes them all at once, and goes on; the last batch takes the directories along. */
async function writeInBatches(
  site: Site,
  planned: readonly Planned[],
  begun: readonly Flush[],
): Promise<Staged> {
  const { files, state } = site;
  const staged = new Map<string, string>();
  const dirs = new Set<Dir>([state.blobs, state.stage]);
  for (let at = 0; at < planned.length; at += openAtOnce) {
    const open: OpenFile[] = [];
    try {
      for (const each of planned.slice(at, at + openAtOnce)) {
        await keepBefore(site, each, open);
        await stageAfter(site, each, open, staged, dirs);
      }
      const names = at + openAtOnce < planned.length ? [] : [...dirs];
      await flushAll(site, [
        ...(at === 0 ? begun : []),
        ...open.map(
          (file): Flush =>
            () =>
              files.flush(file),
        ),
        ...names.map(
          (dir): Flush =>
            () =>
              files.flushDir(dir),
        ),
      ]);
    } finally {
      for (const file of open) await files.close(file);
    }
  }
  return staged;
}

async function keepBefore({ files, state }: Site, { target, job }: Planned, open: OpenFile[]): Promise<void> {
  if (!target.content) return;
  open.push(await keepImage(files, state, target.place, target.content, { copy: job.step.inPlace === true }));
}

/** Writes the new file under its waiting name, reads it back, and gives it its owner and mode before the flush. */
async function stageAfter(
  site: Site,
  { target, job }: Planned,
  open: OpenFile[],
  staged: Map<string, string>,
  dirs: Set<Dir>,
): Promise<void> {
  const { change, after, owner } = target;
  if (!change.after || !after) return;
  const place = await site.walker.walk(job.names);
  if (!place.ok || place.value.missing.length > 0) throw new Stranger(job.record.path, "not a directory");
  const dir = waitingDir(site, job, place.value);
  dirs.add(dir);
  const file = await site.files.create(dir, job.step.staged!, 0o600);
  open.push(file);
  await writeAll(site.files, file, change.after.bytes);
  const made = await site.files.statOpen(file);
  if (owner && (owner.uid !== made.uid || owner.gid !== made.gid))
    await site.files.setOwner(file, owner.uid, owner.gid);
  if (after.mode !== made.mode) await site.files.setMode(file, after.mode);
  const written = await site.files.read(file, 0, change.after.bytes.length + 1);
  if (!sameBytes(written, change.after.bytes))
    throw new FilesError("EIO", "read back other bytes than were written", job.record.path);
  staged.set(job.record.path, made.identity);
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
