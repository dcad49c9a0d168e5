import { type Article, local, type Select } from "../../drift/pages/attention.ts";
import type { AuditArticle } from "../run/audit.ts";
import type { ChangedPath } from "../run/repository.ts";
import type { Impacted } from "./search.ts";

export type Level = { readonly impacted: readonly Impacted[]; readonly changed: readonly ChangedPath[] };

export type Walk = ((updated: readonly Updated[], depth: number) => Level) & {
  /** Whether there would have been more to look at, had there been no limit. */
  wasCut(updated: readonly Updated[], depth: number): boolean;
};

type Updated = Pick<AuditArticle, "path" | "patch">;

/**
 * The articles that watch updated articles, level by level. No article is looked at twice in a run, so a circle
 * ends where it began, and none further than `maxDepth` from the change.
 */
export function planPropagation(given: {
  readonly articles: readonly Article[];
  readonly select: Select;
  readonly maxDepth: number;
  readonly visited: readonly string[];
}): Walk {
  const visited = new Set(given.visited);

  const find = (updated: readonly Updated[]): Level => {
    const changed = updated.map(({ path, patch = "" }): ChangedPath => ({ path, patch, status: "changed" }));
    const impacted = given
      .select(changed, local)
      .filter(({ article }) => !visited.has(article.path))
      .map(({ article, evidence }) => {
        const names = new Set(evidence.map(({ changedFile }) => changedFile));
        return { article, evidence, patches: changed.filter(({ path }) => names.has(path)) };
      });
    return { impacted, changed };
  };
  const walk = (updated: readonly Updated[], depth: number): Level => {
    if (depth >= given.maxDepth) return { impacted: [], changed: [] };
    const level = find(updated);
    for (const { article } of level.impacted) visited.add(article.path);
    return level;
  };
  return Object.assign(walk, {
    wasCut: (updated: readonly Updated[], depth: number) =>
      depth >= given.maxDepth && find(updated).impacted.length > 0,
  });
}
