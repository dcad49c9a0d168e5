import type { Notice } from "../../findings.ts";
import { findPermalinks } from "../../pages/references.ts";
import type { Audit } from "../../rule.ts";
import { auditNotice } from "./audit-notice.ts";

/** Addresses that show this repository at a tag or a commit which never had the file. */
export async function auditPermalinks({
  pages,
  input: { history, repository = [] },
}: Audit): Promise<Notice[]> {
  if (!history) return [];
  const known = new Map<string, Promise<ReadonlySet<string> | null>>();
  const notices: Notice[] = [];
  for (const page of pages)
    for (const { revision, targets, written, line } of findPermalinks(page, repository)) {
      const paths = known.get(revision) ?? history.pathsAt(revision);
      known.set(revision, paths);
      const there = await paths;
      if (there === null || targets.some((path) => there.has(path))) continue;
      notices.push({
        ...auditNotice({ page, line }, "path", "certain", {
          what: "no file at",
          old: written,
          owner: revision,
        }),
        cause: `permalink:${revision}:${written}`,
      });
    }
  return notices;
}
