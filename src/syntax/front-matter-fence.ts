import type { Region } from "../text/region.ts";
import { afterLineEnd, lineEnd } from "./line-cursor.ts";

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
  const opening = /^(---|\+\+\+|;;;)(\w*)[ \t]*$/.exec(
    text.slice(start, Math.min(lineEnd(text, start), start + 100)),
  );
  if (!opening || lineEnd(text, start) > start + 100) return undefined;
  const body = afterLineEnd(text, lineEnd(text, start));
  for (let at = body; at < text.length; ) {
    const end = lineEnd(text, at);
    if (closes(text.slice(at, Math.min(end, at + 100)).trimEnd(), opening[1]!) && end - at < 100)
      return {
        language: languageOf(opening[1]!, opening[2]!),
        region: { start, end },
        content: { start: body, end: at },
      };
    at = afterLineEnd(text, end);
  }
  return undefined;
}

function closes(line: string, fence: string): boolean {
  return line === fence || (fence === "---" && line === "...");
}

function languageOf(fence: string, name: string): FrontMatterFence["language"] {
  if (fence === "+++") return "toml";
  if (fence === ";;;" || name === "json") return "json";
  if (name === "" || name === "yaml" || name === "yml") return "yaml";
  return name === "toml" ? "toml" : "other";
}
