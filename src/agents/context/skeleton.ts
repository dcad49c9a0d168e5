import { outlineSource } from "../../syntax/source/source.ts";
import type { Region } from "../../text/model/region.ts";
import { applySplices, type Splice } from "../../text/model/splice.ts";

/** A source file without the bodies of its functions; the whole text where the language is unknown. */
export async function skeletonOf(path: string, text: string): Promise<string> {
  const { declarations } = await outlineSource(path, text);
  const bodies = declarations
    .filter(({ kind, body }) => body && (kind === "function" || kind === "method"))
    .map(({ body, doc }) => ({ region: body!, text: emptied(text, body!, doc) }))
    .sort((a, b) => a.region.start - b.region.start);
  return applySplices(text, outermost(bodies));
}

function outermost(splices: readonly Splice[]): Splice[] {
  const kept: Splice[] = [];
  for (const one of splices) if (one.region.start >= (kept.at(-1)?.region.end ?? 0)) kept.push(one);
  return kept;
}

/** A body without its statements. A docstring stands inside the body and stays. */
function emptied(text: string, { start, end }: Region, doc: Region | undefined): string {
  const isInside = doc !== undefined && doc.start >= start && doc.end <= end;
  const kept = isInside ? text.slice(start, doc.end) : "";
  const braces = text[start] === "{" && text[end - 1] === "}";
  if (braces) return isInside ? `${kept} … }` : "{ … }";
  return isInside ? `${kept} …` : "…";
}
