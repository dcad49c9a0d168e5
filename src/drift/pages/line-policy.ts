import type { DocumentPage } from "../change/change-model.ts";
import { findOwnedLines, type OwnedLines, ownerOf } from "./owned-regions.ts";
import { findPastRegions } from "./past-sections.ts";
import { findIgnoredLines, isDocumentPath } from "./policies.ts";

/** What may be said of the lines of a page, counted from 0. */
export type LinePolicy = {
  /** The line claims nothing about today: the page asks to ignore it, or its section describes the past. */
  readonly isSilent: (line: number) => boolean;
  /** The program that writes the line: it may be reported, and is never edited. */
  readonly ownerOf: (line: number) => OwnedLines | null;
};

export function linePolicyOf(page: DocumentPage): LinePolicy {
  const known = policies.get(page) ?? readPolicy(page);
  policies.set(page, known);
  return known;
}

const policies = new WeakMap<DocumentPage, LinePolicy>();

function readPolicy(page: DocumentPage): LinePolicy {
  const isIgnored = findIgnoredLines(page.text);
  if (!isDocumentPath(page.path)) return { isSilent: isIgnored, ownerOf: () => null };
  const owned = findOwnedLines(page.text);
  const past = page.isCurrent ? [] : findPastRegions(page.text, page.outline());
  const isPast = (line: number): boolean => {
    const at = page.read().lines[line]?.start ?? 0;
    return past.some(({ start, end }) => start <= at && at < end);
  };
  return {
    isSilent: (line) => isIgnored(line) || (past.length > 0 && isPast(line)),
    ownerOf: (line) => ownerOf(owned, line),
  };
}
