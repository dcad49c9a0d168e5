import { outlineSource } from "../../syntax/source/source.ts";
import type { Region } from "../../text/model/region.ts";
import { applySplices } from "../../text/model/splice.ts";

/** A source file without the bodies of its functions; the whole text where the language is unknown. */
export async function skeletonOf(path: string, text: string): Promise<string> {
  const { declarations } = await outlineSource(path, text);
  const bodies = declarations
    .filter(({ kind, body }) => body && (kind === "function" || kind === "method"))
    .map(({ body }) => body!)
    .sort((a, b) => a.start - b.start);
  return applySplices(
    text,
    outermost(bodies).map((region) => ({ region, text: emptied(text, region) })),
  );
}

function outermost(regions: readonly Region[]): Region[] {
  const kept: Region[] = [];
  for (const region of regions) if (region.start >= (kept.at(-1)?.end ?? 0)) kept.push(region);
  return kept;
}

function emptied(text: string, { start, end }: Region): string {
  const braces = text[start] === "{" && text[end - 1] === "}";
  return braces ? "{ … }" : "…";
}
