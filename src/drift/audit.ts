import type { WholeInput } from "./change/change.ts";
import { openPages } from "./change/change-model.ts";
import { auditClaims } from "./claims/audit-claims.ts";
import { dropIgnored, type Finding, joinNotices, type Notice } from "./findings.ts";
import { rules } from "./rules.ts";

/** The false passages of the present documents, found without a change. */
export async function auditDocuments(input: WholeInput): Promise<Finding[]> {
  const pages = openPages(input.documents);
  const notices: Notice[] = [];
  for (const { audit } of rules) if (audit) notices.push(...(await audit({ pages, input })));
  return joinNotices(dropIgnored([...notices, ...(await auditClaims(pages, input))]));
}
