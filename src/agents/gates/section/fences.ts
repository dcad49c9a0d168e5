import { isMarkdownPath } from "../../../syntax/formats/registry.ts";
import { gateText } from "../../../wording/agents.ts";
import type { Objection } from "../objection.ts";
import { fenceMark } from "./pieces.ts";
import { relation, type SectionPlace } from "./relation.ts";
import { shorten } from "./words.ts";

type OpenedSample = { readonly opening: string; readonly line: number; readonly content: string };

/**
 * The line that opens a sample names its language and the lines to highlight. It stays where the sample stays, unless a
 * notice points at it and is about a name on it.
 */
export function checkFences({
  path,
  before,
  after,
  notices,
}: {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly notices: readonly SectionPlace[];
}): Objection[] {
  if (!isMarkdownPath(path)) return [];
  const openings = Map.groupBy(fencesIn(before), ({ content }) => content);
  const isNoticed = ({ opening, line }: OpenedSample): boolean =>
    relation(
      notices.filter(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine),
      "exact",
    )(opening);
  const changed = fencesIn(after).filter(({ opening, content }) => {
    const old = openings.get(content);
    return old !== undefined && !old.some((one) => one.opening === opening || isNoticed(one));
  });
  return changed
    .slice(0, 3)
    .map(({ opening }) => ({ gate: "place", path, detail: gateText.unrelated(shorten(opening)) }));
}

/** The fences of a text that hold something. */
function fencesIn(text: string): OpenedSample[] {
  const fences: OpenedSample[] = [];
  let open: { readonly opening: string; readonly line: number } | null = null;
  let lines: string[] = [];
  for (const [line, content] of text.split(/\r?\n/).entries()) {
    const mark = fenceMark(content);
    if (open === null) {
      if (mark !== "") open = { opening: content.trim(), line };
    } else if (mark.startsWith(fenceMark(open.opening))) {
      fences.push({ ...open, content: lines.join("\n").trim() });
      open = null;
      lines = [];
    } else lines.push(content);
  }
  return fences.filter(({ content }) => content !== "");
}
