import { findSiblings } from "../finders/missing-entries.ts";
import type { Rule } from "../rule.ts";

export const sibling: Rule<"sibling"> = {
  name: "sibling",
  docs: "A table or list has an entry for everything declared beside a new thing, and none for it.",
  mayEdit: true,
  find: findSiblings,
};
