import { versionOf, writeAll } from "../files/content.ts";
import { codeOf, type Files, type OpenFile } from "../files/files.ts";
import type { State } from "../state/state.ts";
import type { Entry } from "./entries.ts";
import { entryOf, listVolumes, readVolume } from "./journal.ts";

/** One line for each entry, so that questions about tasks and keys need not open every journal file. */
export type RegisterLine = {
  readonly number: number;
  readonly run: string | null;
  readonly task: string | null;
  readonly key: string | null;
  readonly undoes: readonly string[];
  readonly paths: readonly string[];
};

/**
 * An extract of the journal: never flushed, never believed beyond its checksums, and made whole from the journal
 * itself where it lacks something.
 */
export type Register = {
  /**
   * The lines of all entries below a number, by their numbers; newer ones may be among them. Whoever has the lock knows
   * the number of the next entry; others leave it out.
   */
  lines(next?: number): Promise<ReadonlyMap<number, RegisterLine>>;
  /** Adds what was just committed. Failing to is no harm. */
  append(number: number, entry: Entry): Promise<void>;
};

const fileName = "index";

export function createRegister(files: Files, state: State): Register {
  const known = new Map<number, RegisterLine>();
  /** Everything below this number is known. */
  let whole = 0;
  /** How far the file has been read. */
  let position = 0;

  const load = async (next: number): Promise<void> => {
    const tail = await readTail(files, state, position);
    position += tail.length;
    for (const line of parseLines(tail)) known.set(line.number, line);
    const numbers = await numbersFrom(whole, next);
    for (const number of numbers) {
      const volume = known.has(number) ? null : await readVolume(files, state.journal, number);
      const entry = volume?.ok ? entryOf(volume.value) : null;
      if (entry) known.set(number, lineOf(number, entry));
    }
    // Whoever asks for all of them knows no end; later entries must still be looked for.
    whole =
      next < Number.MAX_SAFE_INTEGER
        ? next
        : numbers.reduce((end, number) => Math.max(end, number + 1), whole);
  };
  const numbersFrom = async (first: number, next: number): Promise<number[]> => {
    if (first > 0 && next < Number.MAX_SAFE_INTEGER)
      return Array.from({ length: next - first }, (_, i) => first + i);
    return (await listVolumes(files, state.journal))
      .map(({ number }) => number)
      .filter((number) => number >= first && number < next);
  };

  /** Whoever only looks leaves out what is still being decided. */
  const nextFinished = async (): Promise<number> => {
    const finished = (await listVolumes(files, state.journal)).filter(({ pending }) => !pending);
    return (finished.at(-1)?.number ?? 0) + 1;
  };

  return {
    lines: async (next) => {
      const end = next ?? (await nextFinished());
      if (whole < end) await load(end);
      return known;
    },
    append: async (number, entry) => {
      try {
        await appendText(files, state, printLine(lineOf(number, entry)));
      } catch (error) {
        codeOf(error);
      }
    },
  };
}

/** The numbers that the register's file has, whatever the journal has. */
export async function registeredNumbers(files: Files, state: State): Promise<Set<number>> {
  return new Set(parseLines(await readTail(files, state, 0)).map(({ number }) => number));
}

async function readTail(files: Files, state: State, position: number): Promise<Uint8Array> {
  try {
    const file = await files.openRead(state.journal, fileName);
    try {
      const { size } = await files.statOpen(file);
      const tail = await files.read(file, position, Math.max(0, size - position));
      return tail.subarray(0, tail.lastIndexOf(10) + 1);
    } finally {
      await files.close(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return new Uint8Array();
    throw error;
  }
}

function lineOf(number: number, { state, run, task, idempotencyKey, undoes, files }: Entry): RegisterLine {
  // An aborted entry says nothing about any file.
  const paths = state === "committed" ? files.map(({ path }) => path) : [];
  return {
    number,
    run: run ?? null,
    task: task ?? null,
    key: idempotencyKey ?? null,
    undoes: undoes ?? [],
    paths,
  };
}

function printLine({ number, run, task, key, undoes, paths }: RegisterLine): string {
  const json = JSON.stringify([number, run, task, key, undoes, ...paths]);
  return `${checksum(json)} ${json}\n`;
}

function parseLines(bytes: Uint8Array): RegisterLine[] {
  const lines: RegisterLine[] = [];
  for (const text of new TextDecoder().decode(bytes).split("\n")) {
    const [sum, json] = [text.slice(0, 8), text.slice(9)];
    if (json === "" || sum !== checksum(json)) continue;
    const [number, run, task, key, undoes, ...paths] = JSON.parse(json);
    lines.push({ number, run, task, key, undoes, paths });
  }
  return lines;
}

function checksum(json: string): string {
  return versionOf(new TextEncoder().encode(json)).slice(0, 8);
}

async function appendText(files: Files, state: State, text: string): Promise<void> {
  const file = await openOrCreate(files, state);
  try {
    await writeAll(files, file, new TextEncoder().encode(text), (await files.statOpen(file)).size);
  } finally {
    await files.close(file);
  }
}

async function openOrCreate(files: Files, state: State): Promise<OpenFile> {
  try {
    return await files.openWrite(state.journal, fileName);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return files.create(state.journal, fileName, 0o600);
  }
}
