import type { Region } from "../../text/model/region.ts";
import { LineCursor } from "./line-cursor.ts";

/** Metadata between fences at the very start of a page, still unread. */
export type FrontMatterFence = {
  readonly language: "yaml" | "toml" | "json" | "other";
  readonly region: Region;
  /** Between the fences, line endings included. */
  readonly content: Region;
};

/** Front matter at the start of `text` (behind a byte order mark): `---`, `+++` or `;;;` up to the same fence. */
export function findFrontMatter(text: string): FrontMatterFence | undefined {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (!OPENINGS.has(text.slice(start, start + 3))) return undefined;
  const line = new LineCursor(text);
  line.toLine(start);
  const opening = /^(---|\+\+\+|;;;)(\w*)[ \t]*$/.exec(
    text.slice(start, Math.min(line.end, start + LONGEST_FENCE)),
  );
  if (!opening) return undefined;
  const body = line.next;
  while (line.next < text.length) {
    line.toLine(line.next);
    if (line.end - line.start > LONGEST_FENCE || !closes(text.slice(line.start, line.end), opening[1]!))
      continue;
    return {
      language: languageOf(opening[1]!, opening[2]!),
      region: { start, end: line.end },
      content: { start: body, end: line.start },
    };
  }
  return undefined;
}

const OPENINGS: ReadonlySet<string> = new Set(["---", "+++", ";;;"]);
const LONGEST_FENCE = 100;

function closes(line: string, fence: string): boolean {
  const marks = line.trimEnd();
  return marks === fence || (fence === "---" && marks === "...");
}

function languageOf(fence: string, name: string): FrontMatterFence["language"] {
  if (fence === "+++") return "toml";
  if (fence === ";;;" || name === "json") return "json";
  if (name === "" || name === "yaml" || name === "yml") return "yaml";
  return name === "toml" ? "toml" : "other";
}
