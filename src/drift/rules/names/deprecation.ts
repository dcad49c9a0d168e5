import { findDeprecations } from "../../finders/deprecations.ts";
import type { Rule } from "../../rule.ts";

export const deprecation: Rule<"deprecation"> = {
  name: "deprecation",
  docs: "A page tells people to use something that the code now marks as deprecated.",
  mayEdit: false,
  offeredOnly: true,
  formerly: ["deprecations"],
  find: findDeprecations,
};
