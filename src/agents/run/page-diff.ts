import { compareTexts } from "../../text/diff/compare.ts";
import { printDiff } from "../../text/diff/diff.ts";

/** A unified diff of one page; `null` before means that the page is new. */
export function printPageDiff(path: string, before: string | null, after: string): string {
  return printDiff({ path, before, splices: compareTexts(before ?? "", after) });
}
