import type { Attributes } from "../files/attributes.ts";
import type { Content } from "../files/content.ts";
import type { Dir, Stat } from "../files/files.ts";
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
    if (!content || plainFiles.has(content.stat)) continue;
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

/** A file without access control list and attributes, and when it last changed. */
type PlainFile = readonly [identity: string, changed: string];

/** The most files that are remembered by a process, and by the state. */
const mostRemembered = 10_000;
const mostKept = 32;

/** The files that had no attributes when this process or the one before wrote them. */
export class PlainFiles {
  readonly #changed = new Map<string, string>();
  #last: PlainFile[] = [];

  /** Every change of an attribute changes the time that is compared. */
  has({ identity, changed }: Pick<Stat, "identity" | "changed">): boolean {
    return this.#changed.get(identity) === changed;
  }

  /** Remembers a file that this process has just written: a staged file has no attributes. */
  add({ identity, changed }: Pick<Stat, "identity" | "changed">): void {
    if (this.#changed.size >= mostRemembered) this.#changed.clear();
    this.#changed.set(identity, changed);
    this.#last.push([identity, changed]);
    if (this.#last.length >= 2 * mostKept) this.#last = this.#last.slice(-mostKept);
  }

  /** Takes over what an earlier process knew. */
  recall(kept: readonly PlainFile[]): void {
    for (const [identity, changed] of new Map(kept))
      if (!this.#changed.has(identity)) this.add({ identity, changed });
  }

  /** The files that were written last, for the next process. */
  last(): readonly PlainFile[] {
    return this.#last.slice(-mostKept);
  }
}
