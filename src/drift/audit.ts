import type { WholeInput } from "./change/change.ts";
import { openPages } from "./change/change-model.ts";
import { auditClaims } from "./claims/audit-claims.ts";
import { followHeadings } from "./claims/link/renamed-headings.ts";
import { type Asked, Tally } from "./claims/tally.ts";
import { dropIgnored, type Finding, joinNotices } from "./findings.ts";
import { openPresent } from "./state/states.ts";

/** The false passages of the present documents, found without a change. */
export async function auditDocuments(input: WholeInput): Promise<{ findings: Finding[]; asked: Asked }> {
  const tally = new Tally();
  const pages = openPages(input.documents);
  const notices = await auditClaims(pages, input, tally);
  const followed = await followHeadings(notices, () => ({ head: openPresent(input), pages }));
  return { findings: joinNotices(dropIgnored(followed)), asked: tally.total() };
}
