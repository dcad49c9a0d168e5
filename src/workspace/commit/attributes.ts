import type { Attributes } from "../files/attributes.ts";
import type { Content } from "../files/content.ts";
import type { Dir } from "../files/files.ts";
import type { ResolvedPath } from "../paths/walk.ts";
import type { CommitContext } from "./commit-context.ts";

type PlacedFile = { readonly place: ResolvedPath; readonly content: Content | null };

/**
 * The attributes of files that exist, by their places. A file that was plain when this process or the one before last
 * wrote it, and has not changed since, is not asked about again: asking starts a program.
 */
export async function findAttributes(
  { files, plainFiles }: CommitContext,
  found: readonly PlacedFile[],
): Promise<ReadonlyMap<ResolvedPath, Attributes>> {
  const asked = new Map<Dir, ResolvedPath[]>();
  for (const { place, content } of found) {
    if (!content || plainFiles.get(content.stat.identity) === content.stat.changed) continue;
    const beside = asked.get(place.dir);
    if (beside) beside.push(place);
    else asked.set(place.dir, [place]);
  }
  const known = new Map<ResolvedPath, Attributes>();
  for (const [dir, places] of asked) {
    const attributes = await files.attributes(
      dir,
      places.map(({ name }) => name),
    );
    for (const [i, place] of places.entries()) if (attributes?.[i]) known.set(place, attributes[i]);
  }
  return known;
}

/** The most files that are remembered by a process, and by the state. */
const mostRemembered = 10_000;
const mostKept = 32;

/** Takes over what an earlier process knew. Every change of an attribute changes the time that is compared. */
export function recallPlain(
  { plainFiles }: Pick<CommitContext, "plainFiles">,
  kept: readonly (readonly [identity: string, changed: string])[],
): void {
  for (const [identity, changed] of kept) if (!plainFiles.has(identity)) plainFiles.set(identity, changed);
}

/** Answers that the next process can reuse. */
export function lastPlain({
  plainFiles,
}: Pick<CommitContext, "plainFiles">): (readonly [identity: string, changed: string])[] {
  return [...plainFiles].slice(-mostKept);
}

/** Remembers files that this process has just written: a staged file has no attributes. */
export async function rememberPlain(
  { files, plainFiles }: CommitContext,
  { dir, name }: ResolvedPath,
): Promise<void> {
  const stat = await files.stat(dir, name);
  if (!stat) return;
  if (plainFiles.size >= mostRemembered) plainFiles.clear();
  plainFiles.delete(stat.identity);
  plainFiles.set(stat.identity, stat.changed);
}
