import { keepLast } from "../keep-last.ts";
import type { Outline } from "./document.ts";
import { formatAt } from "./registry.ts";

const MOST_KEPT = 100;
const outlines = keepLast<Outline>(MOST_KEPT);

/**
 * A document as named regions, in the format of its file name. Never throws; `trouble` lists what was not understood.
 * The last ones are kept by their text: each kind of claim reads the same pages.
 */
export function outlineDocument(path: string, text: string): Outline {
  const format = formatAt(path);
  return outlines(`${format.name}\0${text}`, () => format.outline(text));
}

/** The name of a document's format, by the name of its file alone. */
export function formatOf(path: string): string {
  return formatAt(path).name;
}
