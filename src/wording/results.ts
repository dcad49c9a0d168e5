import { type Fit, fits } from "../text/model/edit.ts";
import { indexLines, lineAt, lineContent } from "../text/model/lines.ts";
import type { Landing, Note } from "../text/model/plan.ts";
import type { Region } from "../text/model/region.ts";
import { anchorOf } from "../text/patch/anchored-lines.ts";
import type { LineRegion } from "../tools/tool.ts";
import type { CommitNotice } from "../workspace/workspace.ts";

/** The edited regions as whole lines of the text as it now is. */
export function lineRegions(after: string, regions: readonly Region[]): LineRegion[] {
  const lines = indexLines(after);
  return regions.map(({ start, end }) => ({
    startLine: lineAt(lines, start) + 1,
    endLine: lineAt(lines, Math.max(start, end - 1)) + 1,
  }));
}

const regionsShown = 5;
const linesShown = 12;

/** The changed lines with their numbers, and one line around them. */
export function excerpt(
  after: string,
  regions: readonly Region[],
  { anchored = false }: { readonly anchored?: boolean } = {},
): string {
  const lines = indexLines(after);
  const count = lines.starts.length;
  const width = String(count).length;
  const numbered = (i: number): string => {
    const text = lineContent(lines, i);
    return anchored ? `${anchorOf(i + 1, text)}|${text}` : `${String(i + 1).padStart(width)}\t${text}`;
  };
  const ranges: { first: number; last: number }[] = [];
  for (const { startLine, endLine } of lineRegions(after, regions.slice(0, regionsShown))) {
    const first = Math.max(0, startLine - 2);
    const last = Math.min(count - 1, endLine);
    const above = ranges.at(-1);
    if (above && first >= above.first && first <= above.last + 1) above.last = Math.max(above.last, last);
    else ranges.push({ first, last });
  }
  const shown = ranges.map(({ first, last }) => {
    const all = Array.from({ length: last - first + 1 }, (_, i) => numbered(first + i));
    if (all.length <= linesShown) return all.join("\n");
    const left = all.length - linesShown + 1;
    return [...all.slice(0, linesShown - 4), `… ${left} more lines …`, ...all.slice(-3)].join("\n");
  });
  const more = regions.length > regionsShown ? [`… ${regions.length - regionsShown} more places …`] : [];
  return [...shown, ...more].join("\n⋯\n");
}

export function countLines(text: string): number {
  return indexLines(text).starts.length;
}

export function fitText(landings: readonly Landing[]): string[] {
  const used = new Set(landings.map(({ fit }) => fit));
  return fits.flatMap((fit) => (used.has(fit) && fit !== "exact" ? [fitSentences[fit]] : []));
}

const fitSentences: Readonly<Record<Exclude<Fit, "exact">, string>> = {
  "line-endings": "Matched with CRLF and LF taken as equal; the file's own line endings were kept.",
  "white-space":
    "Matched with other white space (indentation, blanks at line ends or blank lines at the edges); every word was the same.",
  layout: "Matched by layout: white space or look-alike characters differed, every word was the same.",
  context:
    "Matched without up to two outer lines of context, which have changed; the rest matches at one place only.",
  merge: "The file has changed since the text this edit was made for; the two changes were merged.",
};

export function noteText(note: Note): string {
  switch (note.note) {
    case "offset":
      return `Hunk ${note.hunk + 1} was stated for line ${note.stated} and applied at line ${note.actual}.`;
    case "miscounted":
      return `Hunk ${note.hunk + 1} says ${note.statedOld} and ${note.statedNew} lines; its body was counted instead.`;
    case "already-applied":
      return `Hunk ${note.hunk + 1} was already applied.`;
    case "re-indented":
      return `The new text was re-indented (${note.by}).`;
    case "read-as":
      return readAs[note.as];
  }
}

const readAs = {
  "blank-edges": "Blank lines around the quoted text were left out of the comparison.",
  fence: "The code fences around both texts were left out.",
  "line-numbers": "The line numbers before the quoted lines agree with the file and were left out.",
  segments: "`...` was read as the lines left out between the quoted parts.",
} as const;

export function noticeText(notice: CommitNotice): string {
  switch (notice.notice) {
    case "replayed":
      return "This call was made before; its first result is still valid, and nothing was written again.";
    case "rebased":
      return `${notice.path} had changed meanwhile (${notice.over.join(", ")}); the lines of this edit were intact, so it was carried over.`;
    case "quota":
      return `Suture's state takes ${notice.used} of ${notice.limit} bytes; \`suture gc\` makes room.`;
    case "outside-change":
      return `Another program wrote ${notice.path} at the same moment; its version is kept at ${notice.kept}.`;
    case "durability":
      return durabilityText[notice.limit];
  }
}

const durabilityText = {
  "directory-flush": "This system cannot flush directories: a power cut may take the newest names back.",
  "hard-links": "This file system has no hard links: the previous version is kept in Suture's state only.",
  network: "This is a network file system: the server decides when a write is safe.",
} as const;

/** Why `--root` names no folder. */
export const folderWords = {
  nothing: (root: string): string => `there is no folder ${root}`,
  file: (root: string): string => `--root takes a folder, and ${root} is a file`,
};
