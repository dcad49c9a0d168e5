import { findDescriptions } from "../../finders/descriptions.ts";
import type { Rule } from "../../rule.ts";

export const description: Rule<"description"> = {
  name: "description",
  docs: "A page repeats a help text or a doc comment that the change rewrote.",
  mayEdit: true,
  find: findDescriptions,
};
