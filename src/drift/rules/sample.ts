import { findSampleLines } from "../finders/sample-lines.ts";
import type { Rule } from "../rule.ts";

export const sample: Rule<"sample"> = {
  name: "sample",
  docs: "A sample that is stale already has other names that the change replaced.",
  mayEdit: true,
  find: async (change, found) => findSampleLines(change, found),
};
