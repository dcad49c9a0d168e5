import { compareTexts } from "../../text/diff/compare.ts";
import { printDiff } from "../../text/diff/diff.ts";

/** A unified diff of one page; `null` before means that the page is new. A page that moves has `before` at `from`. */
export function printPageDiff(path: string, before: string | null, after: string, from?: string): string {
  const moved = from === undefined ? {} : { from };
  return printDiff({ path, before, splices: compareTexts(before ?? "", after), ...moved });
}
