import { findPhrases } from "../../finders/phrases.ts";
import type { Rule } from "../../rule.ts";

export const phrase: Rule<"phrase"> = {
  name: "phrase",
  docs: "A page repeats a part of a line that the change rewrote.",
  mayEdit: true,
  formerly: ["phrases"],
  find: findPhrases,
};
