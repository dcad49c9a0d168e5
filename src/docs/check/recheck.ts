import type { Reader } from "../../workspace/workspace.ts";
import type { Project } from "../project.ts";
import { compare } from "./check.ts";
import { locateRange } from "./range.ts";
import { readConfig } from "./read-config.ts";
import { rememberGit } from "./remembered-git.ts";
import type { CheckReport, ReportedFinding } from "./report.ts";

/** A page as it would read after an edit that is not written yet. */
export type PageText = { readonly path: string; readonly text: string };

/** The findings of one page as the same check would report them, had the page this text. */
export async function recheckPage(
  { git: opened, reader, settings }: Pick<Project, "git" | "reader" | "settings">,
  { base, head }: Pick<CheckReport, "base" | "head">,
  page: PageText,
): Promise<readonly ReportedFinding[]> {
  if (opened === null) return [];
  const git = rememberGit(opened);
  const isCommit = head !== "worktree" && head !== "index";
  const ends = await locateRange(git, { base, ...(isCommit ? { head } : {}) });
  if (!ends.ok) return [];
  const config = await readConfig({ reader, settings }, git, ends.value);
  if (!config.ok) return [];
  const changes = await git.changes(base, head);
  const old = changes.find(({ path }) => path === page.path);
  const before = old
    ? old.before
    : ((await git.tree(base)).find(({ path }) => path === page.path)?.id ?? null);
  const edited = { path: page.path, before, after: null, status: "modified", kind: "file" } as const;
  const question = {
    git: {
      ...git,
      changes: async () => [...changes.filter((change) => change !== old), edited],
      untracked: async () => (head === "worktree" ? git.untracked() : []),
    },
    reader: withPage(reader, page),
    ends: { ...ends.value, base, head: "worktree" },
    config: config.value.config,
  };
  return (await compare(question)).findings.filter(({ path }) => path === page.path);
}

/** A reader that knows one page only by its new text. */
function withPage(reader: Reader | null, { path: page, text }: PageText): Reader {
  const bytes = new TextEncoder().encode(text);
  const snapshot = { path: page, text, version: "edited", bytes, mode: null, encoding: null };
  return {
    ...(reader as Reader),
    read: async (path, options) =>
      path === page ? { ok: true, value: snapshot } : await (reader as Reader).read(path, options),
  };
}
