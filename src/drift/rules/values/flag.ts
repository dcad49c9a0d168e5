import { auditFlags } from "../../finders/audit/audit-flags.ts";
import type { Rule } from "../../rule.ts";

export const flag: Rule<"flag"> = {
  name: "flag",
  docs: "A page gives a program of this repository a flag that its code does not have.",
  mayEdit: false,
  anyEvidence: true,
  readsBuildScripts: true,
  formerly: ["flags"],
  audit: auditFlags,
};
