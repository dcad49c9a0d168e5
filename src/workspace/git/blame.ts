import { decode } from "./parse-output.ts";

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
