import { findDefaults } from "../../finders/changed-values.ts";
import type { Rule } from "../../rule.ts";

export const defaultValue: Rule<"default"> = {
  name: "default",
  docs: "A page states a default or another value that the code no longer has.",
  mayEdit: true,
  formerly: ["defaults"],
  find: findDefaults,
};
