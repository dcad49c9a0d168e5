import { isSourcePath } from "../syntax/file-kinds.ts";
import { dropComments } from "../syntax/source/doc-comments.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Plan } from "../text/model/plan.ts";
import { codeMayNotChange } from "../wording/refusals/article.ts";

/** In a source file only comments and docstrings may change: an article is prose. */
export function keepCode(plan: Plan): Outcome<Plan> {
  for (const { path, before, after } of plan.changes) {
    if (before.text === null || after === null || !isSourcePath(path)) continue;
    if (codeOf(path, before.text) !== codeOf(path, after))
      return refuse({
        code: "not-allowed",
        path,
        detail: codeMayNotChange(path),
      });
  }
  return accept(plan);
}

/** The code of a file without comments. White space beside a comment is not code. */
function codeOf(path: string, text: string): string {
  return dropComments(path, text)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}
