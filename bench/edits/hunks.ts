import type { Hunk } from "../../src/text/model/hunk.ts";
import { parseUnified } from "../../src/text/patch/unified.ts";

/** The hunks of a patch of one file; none where it cannot be read. */
export function hunksOf(patch: string): readonly Hunk[] {
  const edits = parseUnified(patch);
  return edits.ok ? edits.value.flatMap(({ target }) => ("hunks" in target ? target.hunks : [])) : [];
}
