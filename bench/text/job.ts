import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printDiff } from "../../src/text/diff/diff.ts";
import { applySplices, type Splice } from "../../src/text/model/splice.ts";

export type Swap = { readonly quote: string; readonly text: string };

/** One thing to do to one file, in every form that an engine may want it. */
export type Job = {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  readonly swaps: readonly Swap[];
  /** The same change as a unified diff of `before.txt`. */
  readonly patch: string;
  /** The same change as splices of `stale`, or of the file where that is absent. */
  readonly splices: readonly Splice[];
  /** The right content afterwards; null where every change would be wrong. */
  readonly after: string | null;
  /** The text that the change was meant for, when the file no longer holds it. */
  readonly stale?: string;
};

type Given = { swaps?: readonly Swap[]; splices?: readonly Splice[]; stale?: string; after?: string | null };

/** The files of a job: `before.txt`, a copy of it to be edited in place, and the patch. */
export function makeJob(folder: string, name: string, text: string, given: Given): Job {
  const { swaps = [], stale } = given;
  const meant = stale ?? text;
  const splices = given.splices ?? locateSwaps(meant, swaps);
  const patch = printDiff({ path: "before.txt", before: meant, splices });
  const after =
    given.after !== undefined ? given.after : stale === undefined ? applySplices(text, splices) : null;
  mkdirSync(folder, { recursive: true });
  for (const file of ["before.txt", "in-place.txt"]) writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, "patch.diff"), patch.replaceAll("/before.txt", "/in-place.txt"));
  const bytes = Buffer.byteLength(text);
  return { name, folder, bytes, swaps, patch, splices, after, ...(stale === undefined ? {} : { stale }) };
}

/** Splices for swaps whose quotations are found from front to back. */
function locateSwaps(text: string, swaps: readonly Swap[]): Splice[] {
  let at = 0;
  return swaps.map(({ quote, text: fresh }) => {
    const start = text.indexOf(quote, at);
    at = start + quote.length;
    return { region: { start, end: at }, text: fresh };
  });
}

/** Lines that look like prose with names and numbers in it; each is unique. */
export function prose(bytes: number, accents = false): string {
  const random = createRandom(17);
  const words = (accents ? `${plainWords} ${accentedWords}` : plainWords).split(" ");
  const sentence = (): string => Array.from({ length: 8 }, () => words[random(words.length)]!).join(" ");
  const sentences = Array.from({ length: 512 }, sentence);
  const lines: string[] = [];
  for (let size = 0, i = 0; size < bytes; i++) {
    lines.push(`#${i} ${sentences[random(512)]!}.\n`);
    size += lines.at(-1)!.length;
  }
  return lines.join("");
}

const plainWords = "the option of a value that is read when name file returns each call path with error set";
const accentedWords = "zařízení für größere données naïve año señal";

/** `count` lines from a line on. */
export function passage(text: string, share: number, count: number): string {
  const start = text.indexOf("\n", Math.floor(text.length * share)) + 1;
  let end = start;
  for (let i = 0; i < count && end < text.length; i++) end = text.indexOf("\n", end) + 1 || text.length;
  return text.slice(start, end);
}

export function createRandom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2654435761);
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
