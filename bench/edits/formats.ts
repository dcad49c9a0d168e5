import type { Hunk, HunkLine } from "../../src/text/model/hunk.ts";

const marks = { context: " ", removed: "-", added: "+" } as const;

/** The marked lines of a hunk. */
export function printBody({ lines }: Hunk): string {
  return lines
    .map(
      ({ kind, text, noNewline }) =>
        `${marks[kind]}${text}\n${noNewline ? "\\ No newline at end of file\n" : ""}`,
    )
    .join("");
}

/** A unified diff as a model writes it, without git's headers. */
export function printUnified(path: string, hunks: readonly Hunk[]): string {
  const body = hunks.map((hunk) => `${headerOf(hunk)}\n${printBody(hunk)}`).join("");
  return `--- a/${path}\n+++ b/${path}\n${body}`;
}

function headerOf(hunk: Hunk): string {
  const count = (without: string): number => hunk.lines.filter(({ kind }) => kind !== without).length;
  const line = hunk.line ?? 1;
  return `@@ -${line},${count("added")} +${hunk.newLine ?? line},${count("removed")} @@`;
}

/** The `*** Begin Patch` envelope. */
export function printEnvelope(path: string, hunks: readonly Hunk[]): string {
  return `*** Begin Patch\n*** Update File: ${path}\n${envelopeBody(hunks)}*** End Patch\n`;
}

export function envelopeBody(hunks: readonly Hunk[]): string {
  return hunks.map((hunk) => `@@\n${printBody({ ...hunk, lines: hunk.lines.map(withNewline) })}`).join("");
}

function withNewline({ kind, text }: HunkLine): HunkLine {
  return { kind, text };
}

/** SEARCH/REPLACE blocks. */
export function printBlocks(path: string, hunks: readonly Hunk[]): string {
  const side = ({ lines }: Hunk, without: string): string =>
    lines
      .filter(({ kind }) => kind !== without)
      .map(({ text }) => `${text}\n`)
      .join("");
  return hunks
    .map(
      (hunk) =>
        `${path}\n<<<<<<< SEARCH\n${side(hunk, "added")}=======\n${side(hunk, "removed")}>>>>>>> REPLACE\n`,
    )
    .join("");
}
