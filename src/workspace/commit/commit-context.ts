import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Content, readContent } from "../files/content.ts";
import { codeOf, type Dir, type Files, type OpenFile } from "../files/files.ts";
import type { Views } from "../journal/backup-files.ts";
import type { Durability, FileRecord } from "../journal/entries.ts";
import type { Step } from "../journal/journal.ts";
import type { Spot, Walker } from "../paths/walk.ts";
import type { State } from "../state/state.ts";

/** Where a workspace stands: the open root, its state, and how careful to be. */
export type Ground = {
  readonly files: Files;
  readonly root: Dir;
  readonly state: State;
  /** `fast` leaves flushing to the system. */
  readonly durability: Durability["level"];
  readonly limits: Durability["limits"];
  /** Two spellings of a name can be one file here. */
  readonly foldsNames: boolean;
  readonly sizeLimit: number;
};

/** Ground with what one piece of work has opened and seen there. */
export type Site = Ground & {
  readonly walker: Walker;
  /** The last content read at each path: files mostly are what they were a moment ago. */
  readonly seen: Map<string, Content>;
  readonly views: Views;
};

/** One file of a transaction: what becomes of it and how. */
export type Job = { readonly record: FileRecord; readonly step: Step; readonly names: readonly string[] };

export async function flushFile({ files, durability }: Site, file: OpenFile): Promise<void> {
  if (durability === "full") await files.flush(file);
}

export async function flushDirs({ files, durability }: Site, dirs: Iterable<Dir>): Promise<void> {
  if (durability === "full") await inParallel([...new Set(dirs)], (dir) => files.flushDir(dir));
}

/** What stands at a path now; the spelling counts also where the file system does not mind it. */
export async function lookAt(
  site: Omit<Site, "state" | "views">,
  names: readonly string[],
): Promise<Outcome<{ place: Spot; content: Content | null }>> {
  const place = await site.walker.walk(names);
  if (!place.ok) return place;
  if (place.value.missing.length > 0) return accept({ place: place.value, content: null });
  const { dir, name } = place.value;
  const path = names.join("/");
  const content = await readContent(site.files, dir, name, site.sizeLimit, site.seen.get(path));
  if (!content.ok) return refuse({ path, ...content.refusal });
  if (content.value) site.seen.set(path, content.value);
  if (content.value && site.foldsNames && !(await isSpelt(site.files, dir, name)))
    return accept({ place: place.value, content: null });
  return accept({ place: place.value, content: content.value });
}

/** Whether a directory has an entry of exactly this spelling. */
export async function isSpelt(files: Files, dir: Dir, name: string): Promise<boolean> {
  return (await files.list(dir)).some((entry) => entry.name === name);
}

const patientTries = 10;

/** Windows refuses while somebody reads the file; that passes. Never falls back to overwriting. */
export async function renameOver(
  files: Files,
  from: Dir,
  name: string,
  to: Dir,
  newName: string,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await files.rename(from, name, to, newName);
    } catch (error) {
      const passing = ["EPERM", "EBUSY", "EACCES"].includes(codeOf(error));
      if (!passing || tried === patientTries || !(await files.fileSystem(to)).readersBlock) throw error;
      await files.sleep(40 * tried);
    }
  }
}

const atOnce = 16;

/** Runs a task for each item, sixteen at a time, and waits for all of them also when one fails. */
export async function inParallel<T, R>(
  items: readonly T[],
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const errors: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && errors.length === 0) {
      const index = next++;
      try {
        results[index] = await task(items[index]!, index);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
