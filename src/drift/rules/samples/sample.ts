import { findSampleLines } from "../../finders/sample-lines.ts";
import type { Rule } from "../../rule.ts";

export const sample: Rule<"sample"> = {
  name: "sample",
  docs: "A sample calls a function with arguments that its declaration no longer takes or does not await it, or a stale sample has further names that the change replaced.",
  mayEdit: true,
  formerly: ["samples"],
  find: async (change, found) => findSampleLines(change, found),
};
