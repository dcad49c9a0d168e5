import { isMarkdownPath } from "../../../syntax/formats/registry.ts";
import { gateText } from "../../../wording/agents.ts";
import type { Objection } from "../objection.ts";
import { fenceMark } from "./pieces.ts";
import { shorten } from "./words.ts";

type OpenedSample = { readonly opening: string; readonly content: string };

/** The line that opens a sample names its language and the lines to highlight. It stays where the sample stays. */
export function checkFences({
  path,
  before,
  after,
}: {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}): Objection[] {
  if (!isMarkdownPath(path)) return [];
  const openings = Map.groupBy(fencesIn(before), ({ content }) => content);
  const changed = fencesIn(after).filter(({ opening, content }) => {
    const old = openings.get(content);
    return old !== undefined && !old.some((one) => one.opening === opening);
  });
  return changed
    .slice(0, 3)
    .map(({ opening }) => ({ gate: "place", path, detail: gateText.unrelated(shorten(opening)) }));
}

/** The fences of a text that hold something. */
function fencesIn(text: string): OpenedSample[] {
  const fences: OpenedSample[] = [];
  let opening: string | null = null;
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const mark = fenceMark(line);
    if (opening === null) {
      if (mark !== "") opening = line.trim();
    } else if (mark.startsWith(fenceMark(opening))) {
      fences.push({ opening, content: lines.join("\n").trim() });
      opening = null;
      lines = [];
    } else lines.push(line);
  }
  return fences.filter(({ content }) => content !== "");
}
