import { findEnumerations } from "../../finders/enumerations.ts";
import type { Rule } from "../../rule.ts";

export const enumeration: Rule<"enumeration"> = {
  name: "enumeration",
  docs: "A page lists the values of something that gained or lost one.",
  mayEdit: true,
  formerly: ["enumerations"],
  find: findEnumerations,
};
