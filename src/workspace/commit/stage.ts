import { sameBytes, writeAll } from "../files/content.ts";
import { codeOf, type Dir, FilesError, type OpenFile } from "../files/files.ts";
import type { Intent, OpenVolume } from "../journal/journal.ts";
import { keepImage } from "../journal/saved-copies.ts";
import { inParallel, type Job, type Site } from "./commit-context.ts";
import { Stranger, waitingDir } from "./file-state.ts";
import type { Target } from "./targets.ts";

/** A target with the job that the journal has for it. */
export type Planned = { readonly target: Target; readonly job: Job };

/** What waits for the commit record. */
export type Prepared = {
  /** Identities of the staged files, by path: what a file's name must lead to in the end. */
  readonly staged: Map<string, string>;
  /** Old files that are their own image, by path and open, where there are few enough of them. */
  readonly images: Map<string, OpenFile>;
};

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
): Promise<Prepared> {
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

const openAtOnce = 128;

/** Writes some files, flushes them all at once, and goes on; the last batch takes the directories along. */
async function writeInBatches(
  site: Site,
  planned: readonly Planned[],
  begun: readonly Flush[],
): Promise<Prepared> {
  const { files, state } = site;
  const prepared: Prepared = { staged: new Map(), images: new Map() };
  const dirs = new Set<Dir>([state.blobs, state.stage]);
  for (let at = 0; at < planned.length; at += openAtOnce) {
    const open = new Map<OpenFile, string | null>();
    try {
      for (const each of planned.slice(at, at + openAtOnce)) {
        await keepBefore(site, each, open);
        await stageAfter(site, each, open, prepared, dirs);
      }
      const last = at + openAtOnce >= planned.length;
      const contents = [...open.keys()].map(
        (file): Flush =>
          () =>
            files.flush(file),
      );
      const names = [...(last ? dirs : [])].map(
        (dir): Flush =>
          () =>
            files.flushDir(dir),
      );
      await flushAll(site, [...(at === 0 ? begun : []), ...contents, ...names]);
      if (planned.length <= openAtOnce)
        for (const [file, path] of open) if (path !== null) prepared.images.set(path, file);
    } finally {
      for (const [file, path] of open)
        if (path === null || !prepared.images.has(path)) await files.close(file);
    }
  }
  return prepared;
}

/** Open files are noted with the path whose old content they are, if they are the old file itself. */
async function keepBefore(
  { files, state, durability }: Site,
  { target, job }: Planned,
  open: Map<OpenFile, string | null>,
): Promise<void> {
  if (!target.content) return;
  const flush = durability === "full";
  const how = { copy: job.step.inPlace === true, held: job.step.held === true, flush };
  const { file, own } = await keepImage(files, state, target.place, target.content, how);
  open.set(file, own ? job.record.path : null);
}

/** Writes the new file under its waiting name, reads it back, and gives it its owner and mode before the flush. */
async function stageAfter(
  site: Site,
  { target, job }: Planned,
  open: Map<OpenFile, string | null>,
  { staged }: Prepared,
  dirs: Set<Dir>,
): Promise<void> {
  const { change, after, owner } = target;
  if (!change.after || !after) return;
  const place = await site.walker.walk(job.names);
  if (!place.ok || place.value.missing.length > 0) throw new Stranger(job.record.path, "not a directory");
  const dir = waitingDir(site, job, place.value);
  dirs.add(dir);
  const file = await site.files.create(dir, job.step.staged!, 0o600);
  open.set(file, null);
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
