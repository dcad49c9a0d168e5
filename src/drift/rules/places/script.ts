import { auditTasks } from "../../finders/audit/audit-tasks.ts";
import { findScripts } from "../../finders/lost-scripts.ts";
import type { Rule } from "../../rule.ts";

export const script: Rule<"script"> = {
  name: "script",
  docs: "A page tells people to run a script or task that was removed or renamed.",
  mayEdit: true,
  anyEvidence: true,
  readsBuildScripts: true,
  formerly: ["setting", "settings", "scripts"],
  find: findScripts,
  audit: auditTasks,
};
