import type { Outline } from "./document.ts";
import { formatAt } from "./registry.ts";

/** A document as named regions, in the format of its file name. Never throws; `trouble` lists what was not understood. */
export function outlineDocument(path: string, text: string): Outline {
  return formatAt(path).outline(text);
}

/** The name of a document's format, by the name of its file alone. */
export function formatOf(path: string): string {
  return formatAt(path).name;
}
