import { compareTexts } from "../../text/diff/compare.ts";
import { gateText } from "../../wording/agents.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";

/** The part of a page that surgical edits may change. A few lines may always change. */
export type SizeLimits = { readonly share: number; readonly lines: number; readonly newPage: number };

export const defaultSizeLimits: SizeLimits = { share: 0.4, lines: 30, newPage: 60_000 };

/** For an edit whose every sentence is judged by its section: a large one is listed and no rewrite yet. */
export const sectionSizeLimits: SizeLimits = { ...defaultSizeLimits, lines: 80 };

/**
 * Surgical edits touch a part of a page. An edit that touches most of it is a rewrite, whatever it is called. One that is
 * larger than usual and allowed is listed.
 */
export function checkSize(draft: DraftedPage, limits: SizeLimits = defaultSizeLimits): Partial<GateVerdict> {
  const { path, before, after } = draft;
  const object = (detail: string) => ({ objections: [{ gate: "size", path, detail }] }) as const;
  if (before === null)
    return after.length <= limits.newPage ? {} : object(gateText.largePage(after.length, limits.newPage));
  const { removed, added, characters } = countChanged(before, after);
  const limitBy = ({ lines, share }: SizeLimits): number =>
    Math.max(lines, Math.ceil(countLines(before) * share));
  const limit = limitBy(limits);
  if (removed > limit || added > limit) return object(gateText.largeEdit({ removed, added, limit }));
  const most = Math.max(limits.lines * longLine, Math.ceil(before.length * limits.share));
  if (characters > most) return object(gateText.longEdit(characters, most));
  const usual = limitBy(defaultSizeLimits);
  if (removed <= usual && added <= usual) return {};
  return { risks: [{ path, what: "large edit", detail: gateText.growth({ removed, added }) }] };
}

/** A paragraph on one line. Longer lines count by their characters. */
const longLine = 400;

function countChanged(
  before: string,
  after: string,
): { readonly removed: number; readonly added: number; readonly characters: number } {
  let removed = 0;
  let added = 0;
  let characters = 0;
  for (const { region, text } of compareTexts(before, after)) {
    removed += countLines(before.slice(region.start, region.end));
    added += countLines(text);
    characters += text.length;
  }
  return { removed, added, characters };
}

function countLines(text: string): number {
  return text === "" ? 0 : (text.match(/\n/g)?.length ?? 0) + 1;
}

const fewLines = 20;

/** A page that loses most of its lines needs a person's review: a rewrite may be short on purpose. */
export function checkLoss({ path, before, replaces, after }: DraftedPage): Partial<GateVerdict> {
  const [had, has] = [countText(before ?? replaces ?? ""), countText(after)];
  const lost = had - has;
  if (lost <= fewLines || lost * 2 <= had) return {};
  return { risks: [{ path, what: "lost lines", detail: gateText.lostLines(had, has) }] };
}

/** The lines that hold more than white space. */
function countText(text: string): number {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "").length;
}
