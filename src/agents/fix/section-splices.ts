import { compareTexts } from "../../text/diff/compare.ts";
import { endingAt, foldEndings, withEnding } from "../../text/model/lines.ts";
import type { Splice } from "../../text/model/splice.ts";

/**
 * The changes from a section to the model's version of it, as regions of the section's own bytes. Lines that differ
 * only in white space at their end, or in a removed secret, count as unchanged; so do the blank lines around the whole.
 */
export function findSectionSplices(
  section: string,
  answer: string,
  redact: (text: string) => string,
): Splice[] {
  const folded = foldEndings(section);
  const known = new Map(folded.split("\n").map((line) => [redact(line).trimEnd(), line]));
  const lines = foldEndings(answer)
    .split("\n")
    .map((line) => known.get(line.trimEnd()) ?? line);
  const lead = /^\s*\n|^/.exec(folded)![0];
  const tail = /\s*$/.exec(folded)![0];
  const wanted = `${lead}${trimLines(lines)}${tail}`;
  const offsets = originalOffsets(section);
  return compareTexts(folded, wanted).map(({ region, text }) => {
    const [start, stop] = [offsets[region.start] ?? section.length, offsets[region.end] ?? section.length];
    return { region: { start, end: stop }, text: withEnding(text, endingAt(section, start, stop)) };
  });
}

function trimLines(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0
    ? ""
    : lines
        .slice(first, last + 1)
        .join("\n")
        .trimEnd();
}

/** For each position of the folded text, its position in the original. */
function originalOffsets(text: string): number[] {
  const offsets: number[] = [];
  for (let i = 0; i < text.length; i++) {
    offsets.push(i);
    if (text[i] === "\r" && text[i + 1] === "\n") i++;
  }
  offsets.push(text.length);
  return offsets;
}
