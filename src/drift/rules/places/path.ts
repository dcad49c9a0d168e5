import { auditPaths } from "../../finders/audit/audit-paths.ts";
import { findPaths } from "../../finders/lost-paths.ts";
import type { Rule } from "../../rule.ts";

export const path: Rule<"path"> = {
  name: "path",
  docs: "A page links to a file or folder that was removed or moved, shows it on a code host, or names its path.",
  mayEdit: true,
  anyEvidence: true,
  readsBuildScripts: true,
  formerly: ["paths", "link", "links"],
  find: findPaths,
  audit: auditPaths,
};
