import { compareTexts } from "../../text/diff/compare.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";

/** How much of a page surgical edits may change; a page may always change a little. */
export type SizeLimits = { readonly share: number; readonly lines: number; readonly newPage: number };

export const defaultSizeLimits: SizeLimits = { share: 0.4, lines: 30, newPage: 60_000 };

/** Surgical edits touch a part of a page. What touches most of it is a rewrite, whoever calls it what. */
export function checkSize(draft: DraftedPage, limits: SizeLimits = defaultSizeLimits): Partial<GateVerdict> {
  const { path, before, after } = draft;
  if (before === null)
    return after.length <= limits.newPage
      ? {}
      : {
          objections: [
            {
              gate: "size",
              path,
              detail: `the page has ${after.length} characters, more than ${limits.newPage}`,
            },
          ],
        };
  const { removed, added } = countChanged(before, after);
  const most = Math.max(limits.lines, Math.ceil(countLines(before) * limits.share));
  if (removed <= most && added <= most) return {};
  return {
    objections: [
      {
        gate: "size",
        path,
        detail: `the edits remove ${removed} and add ${added} lines, more than the ${most} that a surgical update of this page may touch; keep to what is wrong`,
      },
    ],
  };
}

function countChanged(before: string, after: string): { removed: number; added: number } {
  let removed = 0;
  let added = 0;
  for (const { region, text } of compareTexts(before, after)) {
    removed += countLines(before.slice(region.start, region.end));
    added += countLines(text);
  }
  return { removed, added };
}

function countLines(text: string): number {
  return text === "" ? 0 : (text.match(/\n/g)?.length ?? 0) + 1;
}
