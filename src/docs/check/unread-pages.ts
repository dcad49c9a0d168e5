import type { ChangedFile } from "../../drift/change/change.ts";
import type { Unknown } from "../../drift/find-drift.ts";
import { unknownWords } from "../../wording/findings.ts";
import type { HeadFiles } from "./head-files.ts";

export type UnreadPageOptions = {
  readonly isJudged: (path: string) => boolean;
  /** Pages that are unknown already. */
  readonly known: ReadonlySet<string>;
};

/**
 * Pages that are too large or no text, if they have a word that the change took out of the code: they may have become
 * false, and no rule looks at them.
 */
export async function findUnreadPages(
  headFiles: HeadFiles,
  files: readonly ChangedFile[],
  { isJudged, known }: UnreadPageOptions,
): Promise<Unknown[]> {
  const pages = Map.groupBy(
    headFiles.documents.filter((path) => isJudged(path) && !known.has(path)),
    (path) => headFiles.ids.get(path) ?? "",
  );
  const ids = [...pages.keys()].filter((id) => ["large", "notText"].includes(headFiles.leftOut(id) ?? ""));
  if (ids.length === 0 || files.length === 0) return [];
  const gone = goneWords(files);
  const found: Unknown[] = [];
  await headFiles.eachBlob(ids, (id, bytes) => {
    if (!hasAny(bytes, gone)) return;
    for (const path of pages.get(id) ?? []) found.push({ path, why: unknownWords[headFiles.leftOut(id)!] });
  });
  return found;
}

/** The words that stood in a changed file and are no longer there. */
function goneWords(files: readonly ChangedFile[]): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ before, after }) => {
      const fresh = new Set(wordsOf(after ?? ""));
      return wordsOf(before ?? "").filter((word) => !fresh.has(word));
    }),
  );
}

function wordsOf(text: string): string[] {
  return text.match(/[A-Za-z0-9_$]{2,}/g) ?? [];
}

/** Whether bytes in any encoding that keeps ASCII have one of these words. */
function hasAny(bytes: Uint8Array, words: ReadonlySet<string>): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  for (const [word] of text.matchAll(/[A-Za-z0-9_$]{2,}/g)) if (words.has(word)) return true;
  return false;
}
