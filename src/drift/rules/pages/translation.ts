import type { Rule } from "../../rule.ts";

/** Found from the findings of the pages that were translated, after all other rules. */
export const translation: Rule<"translation"> = {
  name: "translation",
  docs: "The page that this one translates became false or was edited, and the translation did not change.",
  mayEdit: false,
  anyEvidence: true,
  formerly: { translations: "translation" },
  wholePage: true,
};
