import { findSampleLines } from "../../finders/sample-lines.ts";
import type { Rule } from "../../rule.ts";

export const sample: Rule<"sample"> = {
  name: "sample",
  docs: "A stale sample has further names that the change replaced.",
  mayEdit: true,
  formerly: ["samples"],
  find: async (change, found) => findSampleLines(change, found),
};
