import type { Attributes } from "../files/attributes.ts";
import type { Content } from "../files/content.ts";
import type { Dir } from "../files/files.ts";
import type { ResolvedPath } from "../paths/walk.ts";
import type { CommitContext } from "./commit-context.ts";

type PlacedFile = { readonly place: ResolvedPath; readonly content: Content | null };

/**
 * The attributes of files that exist, by their places. A file that was plain when this process last looked, and has not
 * changed since, is not asked about again: asking starts a program.
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

/** The most files that are remembered. */
const mostRemembered = 10_000;

/** Remembers files that this process has just written: a staged file has no attributes. */
export async function rememberPlain(
  { files, plainFiles }: CommitContext,
  { dir, name }: ResolvedPath,
): Promise<void> {
  const stat = await files.stat(dir, name);
  if (!stat) return;
  if (plainFiles.size >= mostRemembered) plainFiles.clear();
  plainFiles.set(stat.identity, stat.changed);
}
