import { isCommon, isDistinct } from "../../drift/change/names.ts";
import { defined } from "../../text/model/defined.ts";
import { cutHunks, excerptDiff } from "../context/diff-excerpt.ts";
import { findQueries } from "../prompts/find-queries.ts";
import type { RepositoryChange } from "../run/repository.ts";

/** A change in sections: the hunks of each file, and the names on their changed lines. */
export type ChangeSummary = {
  readonly base: string | null;
  readonly head: string | null;
  readonly commits: readonly string[];
  readonly files: readonly {
    readonly path: string;
    readonly from?: string;
    readonly status: string;
    readonly hunks: readonly {
      readonly header: string;
      readonly removed: number;
      readonly added: number;
      readonly names: readonly string[];
    }[];
  }[];
  /** Search words by rule: the names on changed lines, the most frequent first. */
  readonly queries: readonly string[];
};

const maxQueries = 12;

export function extractChange({ base, head, commits, files }: RepositoryChange): ChangeSummary {
  const counts = new Map<string, number>();
  const sections = files.map(({ path, from, status, patch }) => ({
    path,
    ...defined({ from }),
    status,
    hunks: cutHunks(patch).hunks.map((hunk) => {
      const lines = hunk.split("\n");
      const changed = lines.slice(1).filter((line) => /^[-+]/.test(line));
      const names = [...new Set(changed.flatMap(namesIn))];
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      return {
        header: lines[0] ?? "",
        removed: changed.filter((line) => line.startsWith("-")).length,
        added: changed.filter((line) => line.startsWith("+")).length,
        names,
      };
    }),
  }));
  const queries = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
  return { base, head, commits, files: sections, queries: queries.slice(0, maxQueries) };
}

function namesIn(line: string): string[] {
  const words = line.slice(1).match(/--?[A-Za-z][\w-]*|[A-Za-z_$][\w$]*/g) ?? [];
  return words.filter((word) => word.startsWith("--") || (isDistinct(word) && !isCommon(word)));
}

/** A prompt that lets any model find search words for a change. */
export function queryPrompt(change: RepositoryChange): string {
  const { instructions, prompt } = findQueries({ diff: excerptDiff(change.files, 15_000).text });
  return `${instructions}\n\n${prompt}\n`;
}
