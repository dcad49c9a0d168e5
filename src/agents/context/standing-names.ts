import { isTestPath } from "../../drift/change/code-path.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { isToolOutputPath } from "../../syntax/file-kinds.ts";
import type { ChangeSource } from "./change-context.ts";

/** A line of a changed file that has a name. */
export type StandingName = { readonly path: string; readonly line: number; readonly text: string };

const mostFiles = 40;
const longestFile = 400_000;

/** The lines on which the code of the changed files has a name after the change. A removed line proves little if others stand. */
export async function findStanding(change: ChangeSource, name: string): Promise<StandingName[]> {
  const paths = change.files
    .map(({ path }) => path)
    .filter((path) => !isDocumentPath(path) && !isTestPath(path) && !isToolOutputPath(path))
    .slice(0, mostFiles);
  const found: StandingName[] = [];
  for (const path of paths) {
    const text = await change.read(path);
    if (text === null || text.length > longestFile || !text.includes(name)) continue;
    for (const [i, line] of text.split("\n").entries())
      if (hasWord(line, name)) found.push({ path, line: i + 1, text: line.trim() });
  }
  return found;
}

function hasWord(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1))
    if (!isLetter(line[at - 1]) && !isLetter(line[at + name.length])) return true;
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}
