import type { Region } from "../../../text/model/region.ts";
import type { CodeText } from "../read/code-text.ts";

/** A stretch of code whose flags belong to a command. */
export type OwnedRange = Region & { readonly owner: readonly string[] };

const DEEPEST = 60;

/** Looks up the owner of the innermost range around an offset; none outside of all ranges. */
export function createOwners(ranges: readonly OwnedRange[]): (at: number) => readonly string[] {
  const sorted = ranges.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return (at) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.start <= at) low = middle + 1;
      else high = middle;
    }
    const near = sorted.slice(Math.max(0, low - DEEPEST), low);
    return near.findLast(({ end }) => at < end)?.owner ?? [];
  };
}

const LINK = /^\s*\.\s*(\w+)\s*\(/;
const LONGEST_CHAIN = 200;

/** Where the calls end that are chained behind an offset, at the latest before a link of the name `until`. */
export function endOfChain(code: CodeText, from: number, until?: string): number {
  let end = from;
  for (let step = 0; step < LONGEST_CHAIN; step++) {
    const link = LINK.exec(code.code.slice(end, end + 200));
    if (!link || link[1] === until) return end;
    const group = code.readGroup(end + link[0].length - 1);
    if (!group) return end;
    end = group.end;
  }
  return end;
}

/** The name that the code before an offset assigns to: `sub` of `const sub = program.command("x")`. */
export function assignedName(code: CodeText, at: number): string | undefined {
  const before = code.code.slice(Math.max(0, at - 80), at);
  return /(?:^|[\s;(])([A-Za-z_$][\w$]*)\s*:?=\s*(?:[\w$.&]+(?:\(\))?\s*)?$/.exec(before)?.[1];
}

/** The name directly before an offset: `sub` of `sub.add_argument(…)`. */
export function receiverName(code: CodeText, at: number): string | undefined {
  return /([A-Za-z_$@][\w$]*)\s*(?:\.\s*)?$/.exec(code.code.slice(Math.max(0, at - 60), at))?.[1];
}
