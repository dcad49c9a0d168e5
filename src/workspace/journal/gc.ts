import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Site } from "../commit/commit-context.ts";
import { inSession, measure } from "../commit/session.ts";
import type { OpenRoot } from "../open-root.ts";
import { unlessItFails } from "../reader.ts";
import { unlinkIfThere } from "../state/state.ts";
import type { WriterOptions } from "../writer.ts";
import { readForgotten, writeForgotten } from "./gc-horizon.ts";
import { entryOf, listVolumes, readVolume } from "./journal.ts";

/** Sizes of the state in bytes before and after, and the images that went. */
export type GcReport = {
  readonly before: number;
  readonly after: number;
  readonly removed: readonly string[];
};

export type GcOptions = {
  /** Also give up the images of entries older than this one. They can then no longer be undone. */
  readonly forget?: { readonly before: string };
  readonly dryRun?: boolean;
};

export type Gc = {
  /** Removes images that no entry needs. What is the last copy of something goes only when it is told to forget it. */
  gc(options?: GcOptions): Promise<Outcome<GcReport>>;
};

export function createGc(root: OpenRoot, { patience = 10_000 }: WriterOptions): Gc {
  return {
    gc: ({ forget, dryRun = false } = {}) =>
      unlessItFails(async () => {
        const books = await root.books();
        if (!books.ok) return books;
        if (!books.value) return accept({ before: 0, after: 0, removed: [] });
        return inSession(books.value.ground, { patience }, async ({ site, balance }) => {
          const limit = Math.max(
            await readForgotten(site.files, site.state),
            Number(forget?.before ?? 0) || 0,
          );
          const before = await measure(site);
          const removed = await collect(site, limit, { dryRun });
          const after = before - removed.reduce((sum, { size }) => sum + size, 0);
          const value = { before, after, removed: removed.map(({ name }) => name) };
          return { value, balance: { ...balance, used: dryRun ? balance.used : after } };
        });
      }),
  };
}

type Image = { readonly name: string; readonly size: number };

/** First it is written down what will be forgotten; whoever is interrupted after that goes on where this one stopped. */
async function collect(site: Site, limit: number, { dryRun }: { dryRun: boolean }): Promise<Image[]> {
  const { files, state, views } = site;
  const needed = await neededImages(site, limit);
  const listed = await files.list(state.blobs);
  const rescued = new Set(
    listed.filter(({ name }) => name.endsWith(".keep")).map(({ name }) => name.slice(0, -5)),
  );
  const useless = listed.filter(
    ({ name }) => /^[0-9a-f]{64}$/.test(name) && !needed.has(name) && !rescued.has(name),
  );
  const images: Image[] = [];
  for (const { name } of useless)
    images.push({ name, size: (await files.stat(state.blobs, name))?.size ?? 0 });
  if (dryRun) return images;
  if (limit > 0) await writeForgotten(files, state, limit);
  for (const { number } of await listVolumes(files, state.journal))
    if (number < limit) await views.hide(String(number));
  for (const { name } of images) await unlinkIfThere(files, state.blobs, name);
  await files.flushDir(state.blobs);
  return images;
}

/** Images of the files before each entry that is remembered, and of all that an aborted one met. */
export async function neededImages({ files, state }: Site, limit: number): Promise<Set<string>> {
  const needed = new Set<string>();
  for (const { number } of await listVolumes(files, state.journal)) {
    const volume = number < limit ? null : await readVolume(files, state.journal, number);
    const intent = volume?.ok ? volume.value.intent : null;
    const aborted = volume?.ok && entryOf(volume.value)?.state !== "committed";
    for (const { before, after } of intent?.files ?? []) {
      if (before) needed.add(before.version);
      if (after && aborted) needed.add(after.version);
    }
  }
  return needed;
}
