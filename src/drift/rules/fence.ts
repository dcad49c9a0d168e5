import { auditFences } from "../finders/audit/audit-fences.ts";
import type { Rule } from "../rule.ts";

export const fence: Rule<"fence"> = {
  name: "fence",
  docs: "A sample is not closed, so that the headings and the text after it are shown as code.",
  mayEdit: true,
  audit: auditFences,
};
