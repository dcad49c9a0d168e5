import { outlineSource } from "../../syntax/source/source.ts";
import { indexLines } from "../../text/model/lines.ts";
import type { ChangeSource } from "./change-context.ts";
import { cutHunks } from "./diff-excerpt.ts";

/** A declaration that a change touches, with its comment. */
type ChangedDeclaration = { readonly name: string; readonly comment: string };

const mostFiles = 24;
const longestComment = 1000;

/** The declarations around the changed lines of a change: a hunk inside a long function does not name it. */
export async function findChangedDeclarations({
  files,
  read,
}: Pick<ChangeSource, "files" | "read">): Promise<ChangedDeclaration[]> {
  const found = new Map<string, string>();
  for (const { path, patch } of files.slice(0, mostFiles)) {
    const text = await read(path);
    if (text === null) continue;
    const { starts } = indexLines(text);
    const places = changedLines(patch).map((line) => starts[line - 1] ?? text.length);
    for (const { name, region, doc } of (await outlineSource(path, text)).declarations) {
      const start = doc?.start ?? region.start;
      if (!places.some((at) => at >= start && at < region.end)) continue;
      const comment = doc ? text.slice(doc.start, doc.end).slice(0, longestComment) : "";
      if (comment !== "" || !found.has(name)) found.set(name, comment);
    }
  }
  return Array.from(found, ([name, comment]) => ({ name, comment }));
}

/** The lines of the new file, from 1, that a patch adds, or behind which it removes some. */
function changedLines(patch: string): number[] {
  return cutHunks(patch).hunks.flatMap((hunk) => {
    let line = Number(/^@@ -\d+(?:,\d+)? \+(\d+)/.exec(hunk)?.[1] ?? 1);
    const lines: number[] = [];
    for (const text of hunk.split("\n").slice(1)) {
      if (text.startsWith("+") || text.startsWith("-")) lines.push(line);
      if (text.startsWith("+") || text.startsWith(" ")) line++;
    }
    return lines;
  });
}
