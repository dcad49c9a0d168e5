import { findSiblings } from "../../finders/missing-entries.ts";
import type { Rule } from "../../rule.ts";

export const sibling: Rule<"sibling"> = {
  name: "sibling",
  docs: "A table or list has entries for the siblings of a new declaration, and none for the new one.",
  mayEdit: true,
  formerly: ["siblings"],
  find: findSiblings,
};
