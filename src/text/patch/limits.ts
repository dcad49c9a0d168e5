import { type Refused, refuse } from "../model/outcome.ts";

/** The limits of one call. A larger one is refused before it is read. */
export const maxPatchLength: number = 64 * 1024 * 1024;
const maxHunks = 50_000;
const maxFiles = 10_000;

/** The refusal of a text that is too long to be parsed. */
export function tooLong(text: string): Refused | null {
  if (text.length <= maxPatchLength) return null;
  return refuse({ code: "too-large", size: text.length, limit: maxPatchLength, what: "patch" });
}

export function tooMany(size: number, what: "hunks" | "files" | "edits"): Refused | null {
  const limit = what === "files" ? maxFiles : maxHunks;
  return size > limit ? refuse({ code: "too-large", size, limit, what }) : null;
}
