import { fenceData } from "../prompts/data.ts";

/** The diff of one file as git prints it, headers included. */
export type FilePatch = { readonly path: string; readonly from?: string; readonly patch: string };

export type DiffExcerpt = {
  readonly text: string;
  /** The files with at least one shown hunk. */
  readonly shown: readonly string[];
  readonly hunksLeftOut: number;
};

const maxPerFile = 8000;

/**
 * A change in whole hunks, within a budget of characters. No file takes more than its share, so a very long one cannot
 * displace the others. A note counts the hunks that are left out.
 */
export function excerptDiff(patches: readonly FilePatch[], budget: number): DiffExcerpt {
  const parts: string[] = [];
  const shown: string[] = [];
  let left = budget;
  let hunksLeftOut = 0;
  for (const { path, from, patch } of patches) {
    const { header, hunks } = cutHunks(patch);
    const kept: string[] = [];
    let room = Math.min(left, maxPerFile) - header.length;
    for (const hunk of hunks) {
      if (hunk.length > room) continue;
      kept.push(hunk);
      room -= hunk.length;
    }
    const missing = hunks.length - kept.length;
    hunksLeftOut += missing;
    const note =
      missing === 0 ? "" : `(${missing} more ${missing === 1 ? "hunk" : "hunks"} of this file not shown)\n`;
    if (kept.length > 0 || hunks.length === 0) shown.push(path);
    const label = from === undefined || from === path ? path : `${from} → ${path}`;
    const text = fenceData(label, (header + kept.join("") + note).replace(/\n$/, ""));
    if (text.length > left && kept.length === 0) continue;
    parts.push(text);
    left -= text.length;
  }
  return { text: parts.join("\n\n"), shown, hunksLeftOut };
}

/** Splits a file's patch into its header and its hunks. */
export function cutHunks(patch: string): { header: string; hunks: string[] } {
  const starts = Array.from(patch.matchAll(/^@@ /gm), ({ index }) => index);
  if (starts.length === 0) return { header: patch, hunks: [] };
  const hunks = starts.map((start, i) => patch.slice(start, starts[i + 1] ?? patch.length));
  return { header: patch.slice(0, starts[0]), hunks };
}
