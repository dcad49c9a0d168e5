import { dropComments } from "../../syntax/source/doc-comments.ts";
import {
  createWordFilter,
  type HashStretch,
  parseWordIndex,
  type WordIndex,
} from "../../syntax/words/word-index.ts";
import { createNameFinder } from "../../syntax/words/words.ts";
import { readCacheFile, writeCacheFile } from "../../workspace/files/cache-file.ts";
import { placeName } from "../../workspace/hash/place-name.ts";
import { byCodeUnit, type HeadFiles } from "./head-files.ts";
import type { CheckMemory } from "./memory.ts";

export type OccurrenceSearch = {
  readonly files: HeadFiles;
  readonly words: OpenWordIndex;
  /** Leaves comments out: where comments are documents, a name that occurs only in them is gone. */
  readonly skipComments: boolean;
};

/** The source files that hold each name. */
export async function findOccurrences(
  names: readonly string[],
  { files, words: { index, candidates }, skipComments }: OccurrenceSearch,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>(names.map((name) => [name, []]));
  if (names.length === 0) return found;
  const find = createNameFinder(names);
  const mayHold = createWordFilter(names);
  await files.search(candidates(mayHold), (path, text) => {
    const id = files.ids.get(path);
    // A text that was not in the index is, now, and most are ruled out by their words.
    if (typeof id === "string" && !mayHold(index().wordsOf(id, text ?? ""))) return;
    if (text === null) return;
    const code = skipComments ? dropComments(path, text) : text;
    for (const name of find(code)) found.get(name)?.push(path);
  });
  for (const paths of found.values()) paths.sort(byCodeUnit);
  return found;
}

// Reading fewer files than this takes no longer than reading the index.
const fewest = 200;

/** The word index of a repository, for its sources and its documents. It is read from the cache when it is first asked for. */
export type OpenWordIndex = {
  readonly index: () => WordIndex;
  /** The source files that must be read to know whether they hold the names of a filter. */
  readonly candidates: (mayHold: ReturnType<typeof createWordFilter>) => readonly string[];
  readonly save: () => void;
};

export function openWordIndex(
  top: string,
  { ids, code, documents }: HeadFiles,
  memory: CheckMemory,
): OpenWordIndex {
  const name = `words/${placeName(top)}.bin`;
  const index = (): WordIndex => {
    memory.words ??= parseWordIndex(code.length < fewest ? null : readCacheFile(name));
    return memory.words;
  };
  // Several rules ask about all files, and the lookups by path and by id would cost more than the search.
  const stretches: (HashStretch | undefined)[] = [];
  return {
    index,
    candidates: (mayHold) => {
      const known = index();
      return code.filter((path, at) => {
        const id = stretches[at] === undefined ? ids.get(path) : null;
        if (typeof id === "string") stretches[at] = known.stretchOf(id);
        const stretch = stretches[at];
        return stretch === undefined || mayHold(stretch.hashes, stretch.start, stretch.end);
      });
    },
    save: () => {
      const { words } = memory;
      // Writing the index takes as long as reading a few hundred files.
      if (!words || code.length < fewest || words.added() < fewest / 2) return;
      const paths = [...code, ...documents];
      const known = new Set(paths.map((path) => ids.get(path)).filter((id) => typeof id === "string"));
      const bytes = words.print(known);
      if (bytes) writeCacheFile(name, bytes);
    },
  };
}
