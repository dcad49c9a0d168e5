import { compareTexts } from "../../text/diff/compare.ts";
import { endingAt, foldEndings } from "../../text/model/lines.ts";
import type { Splice } from "../../text/model/splice.ts";

/**
 * The changes from a section to the model's version of it, as regions of the section's own bytes. Lines that differ
 * only in white space at their end, or in a removed secret, count as unchanged and keep their bytes; so do the blank
 * lines around the whole.
 */
export function findSectionSplices(
  section: string,
  answer: string,
  redact: (text: string) => string,
): Splice[] {
  const own = splitLines(section, redact);
  const written = foldEndings(answer).split("\n");
  const [from, to] = filledLines(own.map(({ key }) => key));
  const wanted = written.slice(...filledLines(written));
  const between = keepLines(own.slice(from, to), wanted);
  const ending = endingAt(section, 0, section.length);
  const lines = [...own.slice(0, from), ...between, ...own.slice(to)];
  return compareTexts(section, joinLines(lines, ending, own.at(-1)?.end ?? ""));
}

/** A line with its ending; `key` is how a model that copies it may write it. */
type OwnLine = { readonly text: string; readonly key: string; readonly end: string };

function splitLines(section: string, redact: (text: string) => string): OwnLine[] {
  return section.split(/(?<=\n)/).map((line) => {
    const text = line.replace(/\r?\n$/, "");
    return { text, key: redact(text).trimEnd(), end: line.slice(text.length) };
  });
}

/** The lines without the blank ones around them, as arguments of `slice`. */
function filledLines(lines: readonly string[]): [number, number] {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first < 0 ? [0, 0] : [first, lines.findLastIndex((line) => line.trim() !== "") + 1];
}

/** The lines of an answer, each as the section has it where it is unchanged or only stands elsewhere. */
function keepLines(own: readonly OwnLine[], written: readonly string[]): OwnLine[] {
  const keys = written.map((line) => line.trimEnd());
  const splices = compareTexts(textOf(own.map(({ key }) => key)), textOf(keys));
  const hidden = new Map(
    own.filter(({ text, key }) => key !== text.trimEnd()).map((line) => [line.key, line.text]),
  );
  const lines: OwnLine[] = [];
  let [taken, used] = [0, 0];
  const lineAt = lineOffsets(own);
  for (const { region, text } of splices) {
    const [start, end] = [lineAt.get(region.start)!, lineAt.get(region.end)!];
    lines.push(...own.slice(taken, start));
    used += start - taken;
    const added = text === "" ? 0 : text.split("\n").length - 1;
    const near = own[start < end ? start : start - 1] ?? own[start];
    for (const line of written.slice(used, used + added))
      lines.push({ text: hidden.get(line.trimEnd()) ?? line, key: "", end: near?.end ?? "" });
    used += added;
    taken = end;
  }
  return [...lines, ...own.slice(taken)];
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The number of the line that begins at a place of the text of keys. */
function lineOffsets(own: readonly OwnLine[]): Map<number, number> {
  const lines = new Map([[0, 0]]);
  let at = 0;
  for (const [i, { key }] of own.entries()) lines.set((at += key.length + 1), i + 1);
  return lines;
}

/** Only the last line may lack an ending, and it has the one that the last line had. */
function joinLines(lines: readonly OwnLine[], ending: string, last: string): string {
  return lines.map(({ text, end }, i) => text + (i === lines.length - 1 ? last : end || ending)).join("");
}
