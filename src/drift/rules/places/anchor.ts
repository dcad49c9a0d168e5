import { findAnchors } from "../../finders/lost-anchors.ts";
import type { Rule } from "../../rule.ts";

export const anchor: Rule<"anchor"> = {
  name: "anchor",
  docs: "A link points to a heading that the change renamed or removed.",
  mayEdit: true,
  anyEvidence: true,
  readsBuildScripts: true,
  find: findAnchors,
};
