import type { RecordedSources as Sources } from "../../drift/pages/attention.ts";
import type { Git } from "../../workspace/git/git.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { lineageFile, parseLineage } from "../record/lineage.ts";

// Beyond this many commits, starting git for each would cost more than showing a page that is still true.
const mostCommits = 50;

/**
 * For each page, its sources that the change touched and that changed after the page was last true.
 */
export async function freshLineage(
  git: Git,
  reader: Reader | null,
  head: string | "worktree" | "index",
  touched: readonly string[],
): Promise<Sources> {
  const read = await reader?.readState(lineageFile);
  const text = read?.ok && read.value ? new TextDecoder().decode(read.value) : null;
  const { pages = {} } = (text === null ? null : parseLineage(text)) ?? {};
  const changed = new Set(touched);
  const concerned = Object.entries(pages).filter(([, { sources }]) =>
    sources.some((path) => changed.has(path)),
  );
  const since = new Map<string, ReadonlySet<string>>();
  for (const commit of new Set(concerned.map(([, page]) => page.commit))) {
    if (commit === null || since.size === mostCommits || (await git.resolve(commit)) === null) continue;
    since.set(commit, new Set((await git.changes(commit, head)).map(({ path }) => path)));
  }
  return Object.fromEntries(
    concerned.map(([path, { sources, commit }]) => {
      const later = since.get(commit ?? "");
      return [path, sources.filter((source) => changed.has(source) && (later?.has(source) ?? true))];
    }),
  );
}
