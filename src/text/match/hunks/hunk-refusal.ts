import { blobId } from "../../diff/blob-id.ts";
import { defined } from "../../model/defined.ts";
import type { Hunk } from "../../model/hunk.ts";
import { type Passage, type Place, type Refusal, refuse } from "../../model/outcome.ts";
import { nearestName } from "../enclosing-heading.ts";
import { explainMiss } from "../explain.ts";
import type { LineTable } from "../line-table.ts";
import { keysOf, statedLine } from "./locate-hunks.ts";
import type { LocatedHunks, Wanted } from "./located-hunk.ts";
import { locateReversed } from "./reversed-hunks.ts";

/** Why a hunk has no place, and what would help. */
export function explainHunk(
  table: LineTable,
  wanted: readonly Wanted[],
  miss: LocatedHunks & { ok: false },
): { ok: false; refusal: Refusal } {
  const want = wanted[miss.hunk]!;
  const detail = `hunk ${miss.hunk + 1}`;
  if (miss.why === "several")
    return refuse({
      code: "ambiguous",
      count: miss.count,
      places: miss.places.slice(0, placesShown).map(placeOn(table)),
    });
  if (miss.why === "order") {
    const region = { start: table.start(miss.line), end: table.start(miss.line + want.keys.length) };
    return refuse({ code: "overlap", other: miss.other, region });
  }
  if (miss.why === "anchor") return refuse({ code: "not-found", what: "anchor", detail: miss.anchor });
  if (miss.why === "stale")
    return refuse({
      code: "stale",
      expected: want.hunk.base ?? "",
      actual: blobId(table.text).slice(0, want.hunk.base?.length),
      detail: `${detail} has no context`,
    });
  if (miss.why === "no-place")
    return refuse({
      code: "malformed",
      what: `${detail} adds lines without saying where`,
      line: want.hunk.source,
    });
  if (miss.why === "applied" || locateReversed(table, [want.hunk]).ok)
    return refuse({ code: "not-found", what: "hunk", cause: "already-applied", detail });
  const { nearest, cause } = explainMiss(table.text, want.keys.join("\n"), newText(want.hunk));
  const shown = nearest.length > 0 ? nearest : passagesAt(table, want);
  return refuse({
    code: "not-found",
    what: "hunk",
    ...defined({ cause: cause || undefined }),
    nearest: shown,
    detail,
  });
}

function newText({ lines }: Hunk): string {
  return keysOf(lines.filter(({ kind }) => kind !== "removed")).join("\n");
}

/** The lines where the header points, when nothing in the text resembles the hunk. */
function passagesAt(table: LineTable, want: Wanted): Passage[] {
  if (want.hunk.line === undefined || want.keys.length === 0 || table.count === 0) return [];
  const first = Math.min(statedLine(want), table.count - 1);
  const differing = want.keys.findIndex((key, i) => !table.hasLines([key], first + i));
  const line = Math.min(first + Math.max(0, differing), table.count - 1);
  const found = table.text.slice(table.start(line), table.end(line)).slice(0, longestShown);
  const expected = want.keys[Math.max(0, differing)]!.slice(0, longestShown);
  const at = { startLine: line + 1, endLine: line + 1, differsAt: line + 1 };
  return [{ ...at, text: found, expected, found, difference: "several-lines" }];
}

const longestShown = 500;

const placesShown = 12;

function placeOn(table: LineTable): (line: number) => Place {
  return (line) => {
    const near = nearestName(table.text, table.start(line));
    return near === undefined ? { line: line + 1 } : { line: line + 1, near };
  };
}
