import type { Hunk, HunkLine } from "../../src/text/model/hunk.ts";
import { envelopeBody, printBlocks, printBody, printEnvelope, printUnified } from "./formats.ts";

/** A call of a tool as a model makes it: slightly wrong, with the text that a careful reader would make of it. */
export type ImperfectCall = {
  readonly format: "quotation" | "unified" | "envelope" | "blocks";
  readonly kind: string;
  /** Whether the mistake leaves one reading that adds nothing to what the caller wrote. */
  readonly isSafe: boolean;
  readonly tool: "edit_file" | "apply_patch";
  readonly input: Readonly<Record<string, unknown>>;
  /** The quotation, the diff or the body of the envelope, for the engines that take one. */
  readonly pair?: readonly [string, string];
  readonly patch?: string;
  readonly text: string;
  readonly wanted: string;
  /** The line, from 1, that the caller means. */
  readonly line: number;
};

export const path = "file.txt";

/** A change of one word in one line of a text, and the lines around it that the caller shows. */
type Place = {
  readonly text: string;
  readonly lines: readonly string[];
  readonly first: number;
  readonly count: number;
  readonly at: number;
  readonly changed: string;
};

/** The calls of every kind that can be made of a change of one line of a text; none where its lines are not unique. */
export function imperfectCalls(text: string, first: number): ImperfectCall[] {
  const place = findPlace(text, first);
  if (!place) return [];
  return [...quoteCalls(place), ...patchCalls(place)];
}

const shown = 7;

function findPlace(text: string, first: number): Place | null {
  const lines = text.split("\n");
  const at = first + 3;
  const old = lines.slice(first, first + shown);
  const [word] = /[A-Za-z]{4,}/.exec(lines[at] ?? "") ?? [];
  if (text.includes("\r") || old.length < shown || first + shown >= lines.length || !word) return null;
  const isUnique = text.split(old.slice(2, 5).join("\n")).length === 2;
  if (!isUnique || old.filter((line) => /[A-Za-z]{4}/.test(line)).length < 4) return null;
  return { text, lines, first, count: shown, at, changed: lines[at]!.replace(word, "changedWord") };
}

function wantedOf({ lines, at, changed }: Place): string {
  return lines.with(at, changed).join("\n");
}

/* Quotations. */

type Change = (line: string, i: number) => string;
type QuoteKind = {
  readonly pair: readonly [string, string];
  readonly isSafe: boolean;
  /** The changed line as it should be written, where that is not the line of the original change. */
  readonly changed?: string;
};

function quoteCalls(place: Place): ImperfectCall[] {
  const { text } = place;
  return Object.entries(quoteKinds(place)).map(([kind, { pair, isSafe, changed = place.changed }]) => ({
    format: "quotation",
    kind,
    isSafe,
    tool: "edit_file",
    input: { path, old_content: pair[0], new_content: pair[1] },
    pair,
    text,
    wanted: wantedOf({ ...place, changed }),
    line: place.at + 1,
  }));
}

function quoteKinds(place: Place): Record<string, QuoteKind> {
  const old = place.lines.slice(place.first, place.first + place.count);
  const now = old.with(place.at - place.first, place.changed);
  const both = (change: Change, isSafe = true): QuoteKind => ({
    pair: [old.map(change).join("\n"), now.map(change).join("\n")],
    isSafe,
  });
  const around = (wrap: (body: string) => string, isSafe = true): QuoteKind => ({
    pair: [wrap(old.join("\n")), wrap(now.join("\n"))],
    isSafe,
  });
  const dots = (lines: readonly string[]): string =>
    [...lines.slice(0, 2), "...", ...lines.slice(3)].join("\n");
  const escaped = (body: string): string => body.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return {
    exact: both((line) => line),
    "four spaces too many": both((line) => (line.trim() === "" ? line : `    ${line}`)),
    dedented: both(dedent(old)),
    "tabs as spaces, spaces as tabs": both(swapUnits),
    "blanks at line ends": both((line) => `${line}  `),
    // A changed line is written as the caller gives it; the others keep their bytes.
    "no blanks at line ends": { ...both((line) => line.trimEnd()), changed: place.changed.trimEnd() },
    "line numbers": both((line, i) => `${String(place.first + i + 1).padStart(6)}\t${line}`),
    "wrong line numbers": both((line, i) => `${String(place.first + i + 40).padStart(6)}\t${line}`, false),
    "a fence around both": around((body) => `\`\`\`\n${body}\n\`\`\``),
    "blank lines around both": around((body) => `\n${body}\n\n`),
    "three dots for a line": { pair: [dots(old), dots(now)], isSafe: true },
    "escaped newlines": around(escaped, false),
    "typographic quotes": both((line) => line.replace(/"([^"]*)"/g, "“$1”").replaceAll("'", "’"), false),
    "one word wrong in a line that stays": both(misquoteAt(0), false),
    "a line left out": { pair: [without(old, 1), without(now, 1)], isSafe: false },
  };
}

function without(lines: readonly string[], left: number): string {
  return lines.filter((_, i) => i !== left).join("\n");
}

function misquoteAt(at: number): Change {
  return (line, i) => (i === at ? line.replace(/[A-Za-z]{3,}|^$/, "otherWord") : line);
}

function swapUnits(line: string): string {
  const indent = /^[ \t]*/.exec(line)![0];
  const swapped = indent.includes("\t") ? indent.replaceAll("\t", "    ") : indent.replaceAll("    ", "\t");
  return swapped + line.slice(indent.length);
}

function dedent(lines: readonly string[]): Change {
  const filled = lines.filter((line) => line.trim() !== "");
  const depth = Math.min(...filled.map((line) => /^[ \t]*/.exec(line)![0].length));
  return (line) => (line.trim() === "" ? line : line.slice(depth));
}

/* Patches. */

type PatchKind = { readonly patch: string; readonly isSafe: boolean };

function patchCalls(place: Place): ImperfectCall[] {
  const formats = { unified: unifiedKinds(place), envelope: envelopeKinds(place), blocks: blockKinds(place) };
  return Object.entries(formats).flatMap(([format, kinds]) =>
    Object.entries(kinds).map(
      ([kind, { patch, isSafe }]): ImperfectCall => ({
        format: format as ImperfectCall["format"],
        kind,
        isSafe,
        tool: "apply_patch",
        input: { patch },
        patch,
        text: place.text,
        wanted: wantedOf(place),
        line: place.at + 1,
      }),
    ),
  );
}

function hunkOf({ lines, first, count, at, changed }: Place, change: Change = (line) => line): Hunk {
  const marked = lines.slice(first, first + count).flatMap((line, i): HunkLine[] => {
    const text = change(line, i);
    if (first + i !== at) return [{ kind: "context", text }];
    return [
      { kind: "removed", text },
      { kind: "added", text: change(changed, i) },
    ];
  });
  return { lines: marked, line: first + 1, newLine: first + 1, source: 1 };
}

function unifiedKinds(place: Place): Record<string, PatchKind> {
  const hunk = hunkOf(place);
  const print = (change: Change): string => printUnified(path, [hunkOf(place, change)]);
  const exact = printUnified(path, [hunk]);
  const header = /^@@.*$/m;
  const safe = (patch: string): PatchKind => ({ patch, isSafe: true });
  return {
    exact: safe(exact),
    "wrong line numbers": safe(
      printUnified(path, [{ ...hunk, line: hunk.line! + 37, newLine: hunk.line! + 37 }]),
    ),
    "wrong counts": safe(exact.replace(header, `@@ -${hunk.line},3 +${hunk.line},5 @@`)),
    "no numbers": safe(exact.replace(header, "@@ ... @@")),
    "no @@ line": safe(exact.replace(/^@@.*\n/m, "")),
    "lost context spaces": safe(
      `--- a/${path}\n+++ b/${path}\n@@ -${hunk.line},7 +${hunk.line},7 @@\n${bare(hunk)}`,
    ),
    "a fence around": safe(`\`\`\`diff\n${exact}\`\`\`\n`),
    "only one of two names exists": safe(exact.replace(`+++ b/${path}`, "+++ b/file.new.txt")),
    "four spaces too many": safe(print((line) => (line.trim() === "" ? line : `    ${line}`))),
    "blanks at line ends": safe(print((line) => `${line}  `)),
    "one outer line stale": safe(print(misquoteAt(0))),
    "one inner line stale": { patch: print(misquoteAt(2)), isSafe: false },
  };
}

function bare(hunk: Hunk): string {
  return printBody(hunk).replace(/^ /gm, "");
}

function envelopeKinds(place: Place): Record<string, PatchKind> {
  const hunk = hunkOf(place);
  const print = (change: Change): string => printEnvelope(path, [hunkOf(place, change)]);
  const safe = (patch: string): PatchKind => ({ patch, isSafe: true });
  return {
    exact: safe(printEnvelope(path, [hunk])),
    "no Begin and End": safe(`*** Update File: ${path}\n${envelopeBody([hunk])}`),
    "a fence around": safe(`\`\`\`\n${printEnvelope(path, [hunk])}\`\`\`\n`),
    dedented: safe(print(dedent(place.lines.slice(place.first, place.first + place.count)))),
    "blanks at line ends": safe(print((line) => `${line}  `)),
    "one outer line stale": safe(print(misquoteAt(0))),
    "one inner line stale": { patch: print(misquoteAt(2)), isSafe: false },
  };
}

function blockKinds(place: Place): Record<string, PatchKind> {
  const old = place.lines.slice(place.first, place.first + place.count);
  const print = (change: Change): string => printBlocks(path, [hunkOf(place, change)]);
  const safe = (patch: string): PatchKind => ({ patch, isSafe: true });
  return {
    exact: safe(print((line) => line)),
    "a fence around": safe(`\`\`\`\n${print((line) => line)}\`\`\`\n`),
    dedented: safe(print(dedent(old))),
    "tabs as spaces, spaces as tabs": safe(print(swapUnits)),
    "blanks at line ends": safe(print((line) => `${line}  `)),
    "line numbers": safe(print((line, i) => `${String(place.first + i + 1).padStart(6)}\t${line}`)),
    "one word wrong in a line that stays": { patch: print(misquoteAt(0)), isSafe: false },
  };
}
