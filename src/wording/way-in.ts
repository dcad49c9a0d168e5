import type { RepositoryGlance } from "../docs/glance.ts";
import { counted, list } from "./sentences.ts";

type NextCommand = { readonly command: string; readonly text: string };

/** What `suture` alone says in a repository: what is here, and the commands to begin with. */
export function wayIn(glance: RepositoryGlance): { readonly about: string[]; readonly next: NextCommand[] } {
  const { pages, files, commits, uncommitted, main } = glance;
  const changes = [
    ...(commits > 0 ? [`${counted(commits, "commit")} since ${main}`] : []),
    ...(uncommitted > 0 ? [`${counted(uncommitted, "file")} not committed`] : []),
  ];
  const here = [counted(pages, "page"), counted(files, "other file"), ...changes];
  const about = ["Suture finds the passages of your documents that the code has made false, and fixes them."];
  if (pages === 0) return { about: [...about, `Here: ${list(here)}.`], next: [] };
  const change = { command: "suture check", text: changesText(glance) };
  const all = { command: "suture check --all", text: "what is false in the documents today" };
  const fix = { command: "suture fix --all", text: "make the edits; each can be undone" };
  return {
    about: [...about, `Here: ${list(here)}.`],
    next: changes.length > 0 ? [change, all, fix] : [all, fix, change],
  };
}

function changesText({ commits, uncommitted, main }: RepositoryGlance): string {
  if (commits > 0) return `what this branch made false since ${main}`;
  return uncommitted > 0
    ? "what the files that are not committed made false"
    : "what the last commit made false";
}

export const wayInWords = {
  noPages: (formats: readonly string[]): string =>
    `There is no page to check here: Suture reads ${list(formats)}.`,
  begin: "Begin with:",
  more: "`suture init` sets up a check of every pull request; `suture help` lists all commands.",
};
