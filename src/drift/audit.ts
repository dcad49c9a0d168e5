import type { WholeInput } from "./change/change.ts";
import { openPages } from "./change/change-model.ts";
import { type Finding, joinNotices, type Notice } from "./findings.ts";
import { findIgnoredLines } from "./pages/policies.ts";
import { rules } from "./rules/index.ts";

/** What is false in the documents as they stand, without a change. */
export async function auditDocuments(input: WholeInput): Promise<Finding[]> {
  const pages = openPages(input.documents);
  const notices: Notice[] = [];
  for (const { audit } of rules) if (audit) notices.push(...(await audit({ pages, input })));
  const byPage = Map.groupBy(notices, ({ page }) => page);
  return joinNotices(
    [...byPage].flatMap(([page, own]) => {
      const isIgnored = findIgnoredLines(page.text);
      return own.filter(({ line }) => !isIgnored(line));
    }),
  );
}
