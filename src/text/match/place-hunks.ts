import type { Hunk, HunkLine } from "../model/hunk.ts";
import { accept, type Outcome, refuse } from "../model/outcome.ts";
import type { Note } from "../model/plan.ts";
import type { Splice } from "../model/splice.ts";
import { tooMany } from "../patch/limits.ts";
import { explainHunk } from "./hunk-refusal.ts";
import { type LineTable, lineKey, openLineTable } from "./line-table.ts";
import { type LocatedHunks, locateAll, statedLine, type Wanted, wantedOf } from "./locate-hunks.ts";
import { locateReversed } from "./reversed-hunks.ts";
import { spliceHunk } from "./splice-hunk.ts";

/**
 * Finds where the hunks of one text belong, and the splices they make there. A hunk goes to its stated line,
 * moved by as much as the one before it, if its old side stands there; else to the only place where it stands;
 * else all are refused. Hunks keep their order and never overlap; a patch that is already applied is refused.
 */
export function placeHunks(
  text: string,
  hunks: readonly Hunk[],
): Outcome<{ splices: readonly Splice[]; notes: readonly Note[] }> {
  const many = tooMany(hunks.length, "hunks");
  if (many) return many;
  const table = openLineTable(text, lineFeed(text, hunks));
  const wanted = hunks.map(wantedOf);
  const located = locateAll(table, wanted);
  if (!located.ok)
    return appliedBefore(table, hunks, located) ? already : explainHunk(table, wanted, located);
  const splices: Splice[] = [];
  const spelled = spellsEndings(hunks);
  for (const [i, line] of located.lines.entries())
    for (const splice of spliceHunk(table, hunks[i]!, line, spelled)) splices.push(splice);
  const real = splices.filter(({ region, text: now }) => text.slice(region.start, region.end) !== now);
  if (real.length === 0 && !hunks.some(({ whole }) => whole))
    return refuse({ code: "no-change", why: splices.length === 0 ? "nothing-asked" : "same-text" });
  return accept({ splices: real, notes: notesOf(wanted, located.lines) });
}

/** Whether the hunks are applied already: every new side stands where it should. */
function appliedBefore(
  table: LineTable,
  hunks: readonly Hunk[],
  miss: LocatedHunks & { ok: false },
): boolean {
  return (miss.why === "nowhere" || miss.why === "applied") && locateReversed(table, hunks).ok;
}

/** Whether any line of the patch ends with CR, so that those that do not mean LF; asked only where in doubt. */
function spellsEndings(hunks: readonly Hunk[]): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= hunks.some(({ lines }) => lines.some((line) => line.text.endsWith("\r")));
    return known;
  };
}

const already = refuse({ code: "no-change", why: "already-applied" });

/** What ends a line: LF; in a text without any, CR, unless the hunks themselves take CR for data. */
function lineFeed(text: string, hunks: readonly Hunk[]): "\n" | "\r" {
  if (text.includes("\n") || !text.includes("\r")) return "\n";
  const isData = ({ text: line, noNewline }: HunkLine): boolean =>
    (noNewline ? line : lineKey(line)).includes("\r");
  return hunks.some(({ lines }) => lines.some(isData)) ? "\n" : "\r";
}

function notesOf(wanted: readonly Wanted[], lines: readonly number[]): Note[] {
  return wanted.flatMap((want, hunk): Note[] => {
    const { line, miscounted } = want.hunk;
    const notes: Note[] = [];
    const moved = line === undefined ? 0 : lines[hunk]! - statedLine(want);
    if (moved !== 0) notes.push({ note: "offset", hunk, stated: line!, actual: line! + moved });
    if (miscounted)
      notes.push({ note: "miscounted", hunk, statedOld: miscounted.old, statedNew: miscounted.new });
    return notes;
  });
}
