import { findGaps, type Gap } from "./align.ts";
import type { Comparison, Line } from "./comparison.ts";
import { type Token, tokenise } from "./tokens.ts";

/** One place where the change replaced a part of a line. */
export type Site = {
  readonly path: string;
  /** The path before the change. */
  readonly from: string;
  readonly old: Line;
  readonly new: Line;
  readonly oldTokens: readonly Token[];
  readonly newTokens: readonly Token[];
  readonly gap: Gap;
  /** How much of the line stayed, from 0 to 1, and in how many places it changed. */
  readonly likeness: number;
  readonly gaps: number;
};

export function findSites(comparisons: readonly Comparison[]): Site[] {
  const sites: Site[] = [];
  for (const { path, from, rewrites } of comparisons)
    for (const { pairs } of rewrites)
      for (const pair of pairs) {
        const oldTokens = tokenise(pair.old.text);
        const newTokens = tokenise(pair.new.text);
        if (oldTokens.length > 400 || newTokens.length > 400) continue;
        const gaps = findGaps(
          oldTokens.map((token) => token.text),
          newTokens.map((token) => token.text),
        );
        for (const gap of gaps)
          sites.push({
            path,
            from,
            old: pair.old,
            new: pair.new,
            oldTokens,
            newTokens,
            gap,
            likeness: pair.likeness,
            gaps: gaps.length,
          });
      }
  return sites;
}

/** Names that replaced names on rewritten lines. */
export function findSubstitutions(sites: readonly Site[]): Map<string, Map<string, Site[]>> {
  const found = new Map<string, Map<string, Site[]>>();
  for (const site of sites) {
    const old = site.oldTokens
      .slice(site.gap.oldStart, site.gap.oldEnd)
      .filter((token) => token.kind === "name");
    const fresh = site.newTokens
      .slice(site.gap.newStart, site.gap.newEnd)
      .filter((token) => token.kind === "name");
    if (old.length !== fresh.length) continue;
    if (isFilledIn(site)) continue;
    old.forEach((token, index) => {
      const successors = found.get(token.text) ?? new Map<string, Site[]>();
      const successor = fresh[index]!.text;
      if (successor === token.text || isHidden(successor, token.text)) return;
      successors.set(successor, [...(successors.get(successor) ?? []), site]);
      found.set(token.text, successors);
    });
  }
  return found;
}

/** Words that were replaced by a placeholder (`${hash}`): nothing was renamed. */
function isFilledIn({ oldTokens, newTokens, gap }: Site): boolean {
  const opens = (tokens: readonly Token[], start: number, end: number): boolean =>
    tokens
      .slice(start, end)
      .some((token, index) => token.text === "$" && tokens[start + index + 1]?.text === "{");
  return opens(newTokens, gap.newStart, gap.newEnd) && !opens(oldTokens, gap.oldStart, gap.oldEnd);
}

/** A public name is never renamed to a private one: the replacement is another thing. */
function isHidden(successor: string, name: string): boolean {
  return successor.startsWith("_") && !name.startsWith("_");
}
