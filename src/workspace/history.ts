import type { Entry } from "./entries.ts";
import type { Files } from "./files.ts";
import { entryOf, listVolumes, readVolume, type Volume } from "./journal.ts";
import type { State } from "./state.ts";

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
const tried = 32;

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

  /** The newest ones by their number, because most questions end there; then whatever the directory has. */
  async function* numbers(below: number): AsyncGenerator<number> {
    const known = below < Number.MAX_SAFE_INTEGER;
    const first = known ? Math.max(1, below - tried) : below;
    for (let number = below - 1; number >= first; number--) yield number;
    if (first > 1)
      for (const { number } of (await listVolumes(files, state.journal)).reverse())
        if (number < first) yield number;
  }

  async function* walk(below = Number.MAX_SAFE_INTEGER): AsyncGenerator<Past> {
    const undone = new Set<string>();
    for await (const number of numbers(below)) {
      const found = await volume(number);
      const entry = found && entryOf(found);
      if (!found || !entry) continue;
      const past = { number, entry, volume: found, undone: undone.has(entry.id) };
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
