import { dropComments } from "../../syntax/source/doc-comments.ts";
import { createWordFilter, parseWordIndex, type WordIndex } from "../../syntax/words/word-index.ts";
import { createWordFinder } from "../../syntax/words/words.ts";
import { readCacheFile, writeCacheFile } from "../../workspace/files/cache-file.ts";
import { byCodeUnit, type HeadFiles } from "./head-files.ts";
import type { CheckMemory } from "./memory.ts";

export type OccurrenceSearch = {
  readonly files: HeadFiles;
  readonly index: () => WordIndex;
  /** Leaves comments out: where comments are documents, a name that occurs only in them is gone. */
  readonly skipComments: boolean;
};

/** The source files that hold each name. */
export async function findOccurrences(
  names: readonly string[],
  { files, index, skipComments }: OccurrenceSearch,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>(names.map((name) => [name, []]));
  if (names.length === 0) return found;
  const find = createWordFinder(names);
  const mayHold = createWordFilter(names);
  await files.search(findCandidates(names, files, index()), (path, text) => {
    const id = files.ids.get(path);
    // A text that was not in the index is, now, and most are ruled out by their words.
    if (typeof id === "string" && !mayHold(index().wordsOf(id, text ?? ""))) return;
    if (text === null) return;
    const code = skipComments ? dropComments(path, text) : text;
    for (const name of new Set(find(code).map((mention) => mention.name))) found.get(name)?.push(path);
  });
  for (const paths of found.values()) paths.sort(byCodeUnit);
  return found;
}

/** The files that must be read to know whether they hold the names. */
function findCandidates(
  names: readonly string[],
  { ids, code }: HeadFiles,
  index: WordIndex,
): readonly string[] {
  const mayHold = index.mayHold(names);
  return code.filter((path) => {
    const id = ids.get(path);
    return typeof id !== "string" || mayHold(id);
  });
}

// Reading fewer files than this takes no longer than reading the index.
const fewest = 200;

/** The word index of the repository at `top`, for its sources and its documents. It is read from the cache when it is first asked for. */
export function openWordIndex(
  top: string,
  { ids, code, documents }: HeadFiles,
  memory: CheckMemory,
): { index: () => WordIndex; save: () => void } {
  const { createHash } = process.getBuiltinModule("node:crypto");
  const name = `words/${createHash("sha256").update(top).digest("hex").slice(0, 32)}.bin`;
  return {
    index: () => {
      memory.words ??= parseWordIndex(code.length < fewest ? null : readCacheFile(name));
      return memory.words;
    },
    save: () => {
      const index = memory.words;
      // Writing the index takes as long as reading a few hundred files.
      if (!index || code.length < fewest || index.added() < fewest / 2) return;
      const paths = [...code, ...documents];
      const known = new Set(paths.map((path) => ids.get(path)).filter((id) => typeof id === "string"));
      const bytes = index.print(known);
      if (bytes) writeCacheFile(name, bytes);
    },
  };
}
