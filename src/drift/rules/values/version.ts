import { auditVersions } from "../../finders/audit/audit-versions.ts";
import { findVersions } from "../../finders/changed-versions.ts";
import type { Rule } from "../../rule.ts";

export const version: Rule<"version"> = {
  name: "version",
  docs: "A page states a version that the manifest no longer has.",
  mayEdit: true,
  anyEvidence: true,
  readsBuildScripts: true,
  formerly: ["versions"],
  find: findVersions,
  audit: auditVersions,
};
