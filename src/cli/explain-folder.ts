import { folderWords } from "../wording/results.ts";
import { folderProblem } from "../workspace/paths/folder.ts";

/** Why `--root` cannot be worked in, in one sentence; null where it can. */
export function explainFolder(root: string): string | null {
  const problem = folderProblem(root);
  return problem === null ? null : folderWords[problem](root);
}
