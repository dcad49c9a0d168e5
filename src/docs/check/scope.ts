import type { DocumentText } from "../../drift/change/change.ts";
import { findLeftOut } from "../../drift/change/change-model.ts";
import type { Asked } from "../../drift/claims/tally.ts";
import { defined } from "../../text/model/defined.ts";
import { leftOutWords } from "../../wording/findings.ts";
import type { Question } from "./check.ts";
import type { OtherPages } from "./other-pages.ts";
import type { Scope, Unknown } from "./report.ts";

/** The pages that a check read, and those that it could not read. */
export type ReadPages = { readonly pages: readonly string[]; readonly unread: readonly Unknown[] };

type Looked = ReadPages & {
  readonly leftOut: readonly Unknown[];
  readonly asked: Asked;
  /** The paths of the change. */
  readonly touched: readonly string[];
};

/** The pages that claim nothing because of what they are, with the reason. */
export function leftOutPages(documents: readonly DocumentText[], others: OtherPages | null): Unknown[] {
  return findLeftOut(documents).map(({ path, class: kind }) => ({
    path: others?.ownPath(path) ?? path,
    why: leftOutWords[kind] ?? kind,
  }));
}

/** What a check looked at: the change, and the pages that the caller asked about. */
export async function scopeOf(
  { git, ends: { base, head, against, isOneCommit }, isAsked = () => true }: Question,
  { pages, unread, leftOut, asked, touched }: Looked,
): Promise<Scope> {
  const tip = head === "worktree" || head === "index" ? "HEAD" : head;
  const isLeftOut = new Set(leftOut.map(({ path }) => path));
  const hasCommits = against !== undefined && against.is !== "last commit";
  return {
    ...defined({ against }),
    commits: !hasCommits ? 0 : isOneCommit ? 1 : (await git.mainline(tip, { past: base })).length,
    files: touched.length,
    pages: pages.filter((path) => isAsked(path) && !isLeftOut.has(path)).length,
    ...asked,
    leftOut: leftOut.filter(({ path }) => isAsked(path)),
    unread: unread.filter(({ path }) => isAsked(path)),
  };
}
