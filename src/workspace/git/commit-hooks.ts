import { type CloneBarrier, findOwnFiles, type OwnFile, writeOwnFile } from "./own-files.ts";
import { createRunner, createStarter } from "./run-git.ts";

const MARK = "# by `suture blame --install`";

/** Why the hooks of a clone were not changed; its hooks lie in a folder that a setting names, or one is no shell script. */
export type HookBarrier = CloneBarrier | "hooks-path" | "no-script";

/**
 * Puts one line into each of these hooks of a clone, or takes it out where the line is null. Hooks that are there stay. Hooks
 * in a folder that the project chose are not touched: they may be committed.
 */
export async function setCommitHooks(
  root: string,
  lines: Readonly<Record<string, string | null>>,
): Promise<HookBarrier | null> {
  const names = Object.keys(lines);
  const found = findOwnFiles(
    root,
    names.map((name) => `hooks/${name}`),
  );
  if (typeof found === "string") return found;
  const git = createRunner(createStarter(root));
  for (const scope of ["--local", "--global"])
    if ((await git(["config", scope, "--get", "core.hooksPath"])) !== null) return "hooks-path";
  if (found.some(({ text }) => !/^$|^#!.*sh\b/.test(text))) return "no-script";
  for (const [i, hook] of found.entries()) writeHook(hook, lines[names[i]!] ?? null);
  return null;
}

/** The line comes first, because a script may end before its last line. */
function writeHook({ path, text: old }: OwnFile, line: string | null): void {
  const [shell = "", ...others] = old.split("\n").filter((each) => !each.endsWith(MARK));
  const own = line === null ? [] : [`${line} || true ${MARK}`];
  const text = [shell || "#!/bin/sh", ...own, ...(others.length > 0 ? others : [""])].join("\n");
  if (text !== old) writeOwnFile(path, text === "#!/bin/sh\n" ? null : text, 0o755);
}

/** Attaches a note to a commit under a name of its own. False where git could not. */
export async function writeNote(root: string, name: string, { commit, text }: CommitNote): Promise<boolean> {
  const git = createRunner(createStarter(root));
  const add = ["notes", `--ref=${name}`, "add", "--force", "--file=-", commit];
  return (await git(add, { input: text })) !== null;
}

export type CommitNote = { readonly commit: string; readonly text: string };

/** Adds trailers to the file of a commit message, each once. */
export async function addTrailers(root: string, file: string, trailers: readonly string[]): Promise<boolean> {
  // Settings of a clone can name a program for each trailer, so git is told of none.
  const git = createRunner(createStarter(root, "/dev/null"));
  const words = trailers.flatMap((trailer) => ["--trailer", trailer]);
  const add = ["interpret-trailers", "--in-place", "--if-exists=addIfDifferent", ...words, file];
  return trailers.length === 0 || (await git(add)) !== null;
}
