import { compareTexts } from "../../text/diff/compare.ts";
import { indexLines } from "../../text/model/lines.ts";
import type { Rival } from "../../text/model/outcome.ts";
import type { Files } from "../files/files.ts";
import type { LineRegion } from "../journal/entries.ts";
import type { History } from "../journal/history.ts";
import { entryOf } from "../journal/journal.ts";
import type { Register, RegisterLine } from "../journal/journal-index.ts";
import { decodeAny, readSide } from "../journal/versions.ts";
import type { State } from "../state/state.ts";
import { lineHunks, moveLines, overlapsAny } from "./tasks.ts";

/** Who asks: only other tasks of the same run are rivals. */
export type Who = { readonly task: string; readonly run?: string | undefined };

/** A file as it is now. */
export type Current = { readonly version: string; readonly text: string };

/** Answers who else of a run has edited certain lines, from the journal and so across processes. `next`: where known. */
export type Marks = {
  findRivals(
    path: string,
    current: Current,
    lines: readonly LineRegion[],
    who: Who,
    next: number | null,
  ): Promise<Rival[]>;
};

/** Lines that an entry has marked, where they are now; `mark` is its place among the marks of that entry. */
type Mark = {
  readonly number: number;
  readonly run: string | null;
  readonly task: string;
  readonly mark: number;
  readonly lines: LineRegion;
};

/** The marks on one file, carried as far as one entry. */
type Track = { next: number; version: string | null; marks: Mark[] };

export function createMarks(files: Files, state: State, history: History, register: Register): Marks {
  const tracks = new Map<string, Track>();

  const advance = async (
    path: string,
    lines: ReadonlyMap<number, RegisterLine>,
    next: number,
  ): Promise<Track> => {
    const track = tracks.get(path) ?? { next: 1, version: null, marks: [] };
    tracks.set(path, track);
    for (const number of numbersOf(path, lines, track.next, next)) await step(track, path, number);
    track.next = next;
    return track;
  };

  const step = async (track: Track, path: string, number: number): Promise<void> => {
    const volume = await history.volume(number);
    const entry = volume && entryOf(volume);
    const index = entry?.files.findIndex((file) => file.path === path) ?? -1;
    if (!volume || !entry || index < 0) return;
    const { before, after, hunks, lines } = entry.files[index]!;
    if (!before) track.marks = [];
    else if (track.version !== null && track.version !== before.version && track.marks.length > 0) {
      const [then, now] = [
        await textOf(path, track.version),
        decodeImage(await readSide(files, state, volume, index, "before")),
      ];
      track.marks =
        then === null || now === null ? [] : moveAll(track.marks, lineHunks(then, compareTexts(then, now)));
    }
    track.marks = after ? moveAll(track.marks, hunks) : [];
    track.version = after?.version ?? null;
    if (entry.kind === "edit" && entry.task !== undefined)
      for (const [mark, line] of lines.entries())
        track.marks.push({ number, run: entry.run ?? null, task: entry.task, mark, lines: line.after });
  };

  /** The text of a version that some entry left behind. */
  const textOf = async (path: string, version: string): Promise<string | null> => {
    for await (const { entry, volume } of history.walk()) {
      const index = entry.files.findIndex((file) => file.path === path && file.after?.version === version);
      if (index >= 0) return decodeImage(await readSide(files, state, volume, index, "after"));
    }
    return null;
  };

  const showRival = async ({ number, task, mark, lines }: Mark, path: string): Promise<Rival> => {
    const volume = (await history.volume(number))!;
    const entry = entryOf(volume)!;
    const index = entry.files.findIndex((file) => file.path === path);
    const marked = entry.files[index]!.lines[mark]!;
    const before = decodeImage(await readSide(files, state, volume, index, "before"));
    const after = decodeImage(await readSide(files, state, volume, index, "after"));
    return {
      task,
      entry: entry.id,
      reason: entry.reason,
      ...lines,
      ...(before === null ? {} : { before: sliceLines(before, marked.before) }),
      ...(after === null ? {} : { after: sliceLines(after, marked.after) }),
    };
  };

  return {
    findRivals: async (path, current, asked, who, known) => {
      const lines = await register.lines(known ?? undefined);
      const next = known ?? newest(lines) + 1;
      const run = who.run ?? null;
      const isRival = (line: { task: string | null; run: string | null }): boolean =>
        line.task !== null && line.task !== who.task && line.run === run;
      const others = [...lines.values()].filter(
        (line) => isRival(line) && line.number < next && line.paths.includes(path),
      );
      if (others.length === 0) return [];
      const track = await advance(path, lines, next);
      const undone = undoneNumbers(lines, next);
      let marks = track.marks.filter((mark) => isRival(mark) && !undone.has(mark.number));
      if (marks.length > 0 && track.version !== current.version) {
        const then = track.version === null ? null : await textOf(path, track.version);
        marks = then === null ? [] : moveAll(marks, lineHunks(then, compareTexts(then, current.text)));
      }
      const overlaps = overlapsAny(asked);
      const met = marks.filter((mark) => overlaps(mark.lines));
      return Promise.all(met.map((mark) => showRival(mark, path)));
    },
  };
}

function newest(lines: ReadonlyMap<number, RegisterLine>): number {
  let highest = 0;
  for (const number of lines.keys()) highest = Math.max(highest, number);
  return highest;
}

function numbersOf(
  path: string,
  lines: ReadonlyMap<number, RegisterLine>,
  from: number,
  next: number,
): number[] {
  const found: number[] = [];
  for (const { number, paths } of lines.values())
    if (number >= from && number < next && paths.includes(path)) found.push(number);
  return found.sort((a, b) => a - b);
}

function undoneNumbers(lines: ReadonlyMap<number, RegisterLine>, next: number): Set<number> {
  const undone = new Set<number>();
  const undoing = [...lines.values()].filter(({ number, undoes }) => number < next && undoes.length > 0);
  for (const { number, undoes } of undoing.sort((a, b) => b.number - a.number))
    if (!undone.has(number)) for (const id of undoes) undone.add(Number(id));
  return undone;
}

function moveAll(marks: readonly Mark[], hunks: Parameters<typeof moveLines>[1]): Mark[] {
  return marks.map((mark) => ({ ...mark, lines: moveLines(mark.lines, hunks) }));
}

function decodeImage(image: Awaited<ReturnType<typeof readSide>>): string | null {
  return image.ok && image.value ? (decodeAny(image.value)?.text ?? null) : null;
}

function sliceLines(text: string, { startLine, endLine }: LineRegion): string {
  const { starts } = indexLines(text);
  if (endLine < startLine) return "";
  return text.slice(starts[startLine - 1] ?? text.length, starts[endLine] ?? text.length);
}
