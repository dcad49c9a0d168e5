import type { CheckReport } from "../docs/check/report.ts";
import type { FilePlace } from "../hosts/file-url.ts";
import type { CommentLinks } from "../wording/formats/comment-passages.ts";

/** The address of lines of a file in a repository on its host. */
export type FileAddress = (place: FilePlace) => string;

/** Links to pages and code at the commits of a report. Pages may be in another repository than the code. */
export function linksOf(
  { head, docs }: CheckReport,
  { code, pages }: { readonly code: FileAddress; readonly pages: FileAddress | null },
): CommentLinks {
  const pageCommit = docs?.head ?? head;
  return {
    page: ({ path, startLine, endLine }) =>
      pages && isCommit(pageCommit) ? pages({ commit: pageCommit, path, startLine, endLine }) : null,
    code: ({ path, revision, startLine, endLine }) => {
      const commit = isCommit(revision) ? revision : head;
      return isCommit(commit) ? code({ commit, path, startLine, endLine }) : null;
    },
  };
}

function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(revision);
}
