import { glanceAt } from "../docs/glance.ts";
import { DOCUMENT_TITLES } from "../syntax/formats/registry.ts";
import { wayIn, wayInWords } from "../wording/way-in.ts";
import { openGit } from "../workspace/git/git.ts";
import { paint } from "./terminal/paint.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Looks at the repository of a folder and prints the commands to begin with; false where there is no repository. */
export async function showWayIn(folder: string, terminal: Terminal): Promise<boolean> {
  const git = await openGit(folder);
  if (git === null || (await git.resolve("HEAD")) === null) return false;
  const { about, next } = wayIn(await glanceAt(git));
  const width = Math.max(0, ...next.map(({ command }) => command.length));
  const lines = [
    ...about,
    "",
    ...(next.length === 0 ? [wayInWords.noPages(DOCUMENT_TITLES)] : [wayInWords.begin]),
    ...next.map(({ command, text }) => `  ${paint(command.padEnd(width), "bold", terminal)}  ${text}`),
    "",
    wayInWords.more,
  ];
  for (const line of lines) terminal.printPainted(line);
  return true;
}
