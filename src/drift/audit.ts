import type { WholeInput } from "./change/change.ts";
import { openPages } from "./change/change-model.ts";
import { auditClaims } from "./claims/audit-claims.ts";
import { followHeadings } from "./claims/link/renamed-headings.ts";
import { type Asked, Tally } from "./claims/tally.ts";
import { dropIgnored, type Finding, joinNotices, type Notice } from "./findings.ts";
import { rules } from "./rules.ts";
import { openPresent } from "./state/states.ts";

/** The false passages of the present documents, found without a change. */
export async function auditDocuments(input: WholeInput): Promise<{ findings: Finding[]; asked: Asked }> {
  const tally = new Tally();
  const pages = openPages(input.documents);
  const notices: Notice[] = [];
  for (const { audit } of rules) if (audit) notices.push(...(await audit({ pages, input })));
  const joined = [...notices, ...(await auditClaims(pages, input, tally))];
  const followed = await followHeadings(joined, () => ({ head: openPresent(input), pages }));
  return { findings: joinNotices(dropIgnored(followed)), asked: tally.total() };
}
