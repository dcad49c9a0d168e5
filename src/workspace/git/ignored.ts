import { splitNul } from "./parse-output.ts";
import type { RunGit } from "./run-git.ts";

/**
 * Of these paths, those that git ignores; null where git cannot tell. `check-ignore` does not support literal path
 * specifications, but it takes a path that begins with `./` literally.
 */
export async function findIgnored(
  git: RunGit,
  paths: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const input = paths.map((path) => `./${path}\0`).join("");
  const output = await git(["--no-literal-pathspecs", "check-ignore", "-z", "--stdin"], {
    input,
    answers: [0, 1],
  });
  return output && new Set(splitNul(output).map((path) => path.slice(2)));
}
