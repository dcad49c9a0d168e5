import { readLock } from "../commit/lock.ts";
import type { Files } from "../files/files.ts";
import type { State } from "../state/state.ts";
import { parseBalance } from "./checkpoint.ts";
import type { Entry } from "./entries.ts";
import { entryOf, listVolumes, readVolume, type Volume } from "./journal.ts";

/** An entry that is decided, with its journal file, and whether another has taken its effect back. */
export type Past = {
  readonly number: number;
  readonly entry: Entry;
  readonly volume: Volume;
  readonly undone: boolean;
};

/** The journal as it can be read at any time, also while others write. */
export type History = {
  /** Newest first, from below a number if that is known. Reads on only as far as it is asked to. */
  walk(below?: number): AsyncGenerator<Past>;
  find(id: string): Promise<Past | null>;
  /** One entry without asking whether it still stands. */
  volume(number: number): Promise<Volume | null>;
};

const mostKept = 512;
const widestGap = 16;

export function createHistory(files: Files, state: State): History {
  // What has its final name never changes, so it need not be read twice.
  const kept = new Map<number, Volume>();

  const volume = async (number: number): Promise<Volume | null> => {
    const known = kept.get(number);
    if (known) return known;
    const read = await readVolume(files, state.journal, number);
    if (!read.ok) return null;
    if (!read.value.pending) {
      kept.set(number, read.value);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    }
    return read.value;
  };

  /** Where to begin: the last owner of the lock has noted it; while somebody has the lock, the directory says. */
  const nextNumber = async (): Promise<number> => {
    const lock = await readLock(files, state.lock);
    const noted = lock.is === "free" ? parseBalance(files, lock.note) : null;
    return noted?.next ?? ((await listVolumes(files, state.journal)).at(-1)?.number ?? 0) + 1;
  };

  /** By their numbers, so that a long history need not be listed; after a gap, whatever the directory has. */
  async function* volumes(below: number): AsyncGenerator<Volume> {
    let missing = 0;
    for (let number = below - 1; number > 0; number--) {
      const found = await volume(number);
      missing = found ? 0 : missing + 1;
      if (found) yield found;
      if (missing < widestGap) continue;
      const rest = (await listVolumes(files, state.journal)).filter((each) => each.number < number);
      for (const each of rest.reverse()) {
        const later = await volume(each.number);
        if (later) yield later;
      }
      return;
    }
  }

  async function* walk(below?: number): AsyncGenerator<Past> {
    const undone = new Set<string>();
    for await (const found of volumes(below ?? (await nextNumber()))) {
      const entry = entryOf(found);
      if (!entry) continue;
      const past = { number: found.number, entry, volume: found, undone: undone.has(entry.id) };
      if (!past.undone && entry.state === "committed") for (const id of entry.undoes ?? []) undone.add(id);
      yield past;
    }
  }

  return {
    walk,
    volume,
    find: async (id) => {
      for await (const past of walk()) if (past.entry.id === id) return past;
      return null;
    },
  };
}
