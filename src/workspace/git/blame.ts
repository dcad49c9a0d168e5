import { decode, splitNul } from "./parse-output.ts";
import type { RunGit } from "./run-git.ts";

/** White space and moves within the file do not count as new words. */
export function blameArguments(revision: string, path: string): string[] {
  return ["blame", "-w", "-M", "--porcelain", "--no-progress", revision, "--", path];
}

/** The commit of each line, from git's porcelain format: a line of 40 hexadecimal digits and numbers opens each. */
export function parseBlame(output: Uint8Array | null): readonly string[] | null {
  if (output === null) return null;
  const commits: string[] = [];
  for (const line of decode(output).split("\n")) {
    const [, commit, number] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
    if (commit !== undefined) commits[Number(number) - 1] = commit;
  }
  return commits.length === 0 ? null : commits;
}

/** For each word, the text files of a revision that hold it as a whole word. */
export async function grepWords(
  git: RunGit,
  revision: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const held = new Map<string, readonly string[]>();
  for (const word of new Set(words)) {
    const args = ["grep", "-l", "-z", "-I", "-F", "-w", "--full-name", "-e", word, revision, "--"];
    const output = await git(args, { answers: [0, 1] });
    const paths = splitNul(output ?? new Uint8Array()).map((path) => path.slice(revision.length + 1));
    held.set(word, paths);
  }
  return held;
}
