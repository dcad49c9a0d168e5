import { auditFences } from "../../finders/audit/audit-fences.ts";
import { auditSamples } from "../../finders/audit/audit-samples.ts";
import type { Rule } from "../../rule.ts";

export const fence: Rule<"fence"> = {
  name: "fence",
  docs: "A sample is not closed, so that the text after it is shown as code, or it no longer parses.",
  mayEdit: true,
  audit: async (audit) => [...(await auditFences(audit)), ...(await auditSamples(audit))],
};
