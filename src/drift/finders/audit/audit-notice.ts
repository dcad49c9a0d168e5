import type { DocumentPage } from "../../change/change-model.ts";
import type { Notice, Tier } from "../../findings.ts";
import type { RuleName } from "../../rules.ts";

/** A notice about a page without a change that could be shown as evidence. */
export function auditNotice(
  { page, line }: { readonly page: DocumentPage; readonly line: number },
  kind: RuleName,
  tier: Tier,
  message: Notice["message"],
): Notice {
  return { page, line, endLine: line, tier, kind, message, evidence: [] };
}
