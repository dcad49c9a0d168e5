import type { Rule } from "../rule.ts";

/** Found from the findings of the pages that were translated, after all other rules. */
export const translation: Rule<"translation"> = {
  name: "translation",
  docs: "A translation of a page that the change made false says the same.",
  mayEdit: false,
  wholePage: true,
};
