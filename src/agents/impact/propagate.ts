import { local, type Select } from "../../drift/pages/attention.ts";
import type { ArticleRecord } from "../run/audit.ts";
import type { ChangedPath } from "../run/repository.ts";
import type { Impacted } from "./search.ts";

export type PropagationLevel = {
  readonly impacted: readonly Impacted[];
  readonly changed: readonly ChangedPath[];
};

export type UpdatedArticle = Pick<ArticleRecord, "path" | "patch">;

/**
 * Finds the articles that watch updated articles, level by level. A run visits no article twice, so a cycle ends, and
 * it goes no further than `maxDepth` from the change.
 */
export class Propagation {
  readonly #select: Select;
  readonly #maxDepth: number;
  readonly #visited: Set<string>;

  constructor(given: {
    readonly select: Select;
    readonly maxDepth: number;
    readonly visited: readonly string[];
  }) {
    this.#select = given.select;
    this.#maxDepth = given.maxDepth;
    this.#visited = new Set(given.visited);
  }

  /** The articles after `depth` levels that watch the updated ones. Each counts as visited from now on. */
  next(updated: readonly UpdatedArticle[], depth: number): PropagationLevel {
    if (depth >= this.#maxDepth) return { impacted: [], changed: [] };
    const level = this.#find(updated);
    for (const { article } of level.impacted) this.#visited.add(article.path);
    return level;
  }

  /** Whether the depth limit cut articles off. */
  wasCut(updated: readonly UpdatedArticle[], depth: number): boolean {
    return depth >= this.#maxDepth && this.#find(updated).impacted.length > 0;
  }

  #find(updated: readonly UpdatedArticle[]): PropagationLevel {
    const changed = updated.map(({ path, patch = "" }): ChangedPath => ({ path, patch, status: "changed" }));
    const impacted = this.#select(changed, local)
      .filter(({ article }) => !this.#visited.has(article.path))
      .map(({ article, evidence }) => {
        const names = new Set(evidence.map(({ changedFile }) => changedFile));
        return { article, evidence, patches: changed.filter(({ path }) => names.has(path)) };
      });
    return { impacted, changed };
  }
}
