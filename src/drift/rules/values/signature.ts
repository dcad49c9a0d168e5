import { findParameters } from "../../finders/changed-parameters.ts";
import { findParallelLines } from "../../finders/parallel-lines.ts";
import { findRewrites } from "../../finders/rewritten-lines.ts";
import type { Rule } from "../../rule.ts";

export const signature: Rule<"signature"> = {
  name: "signature",
  docs: "A page shows a signature, a result or a line of code that changed, or calls an option optional that is required now.",
  mayEdit: true,
  formerly: ["parameter", "rewrite"],
  find: async (change) => [
    ...(await findRewrites(change)),
    ...(await findParameters(change)),
    ...(await findParallelLines(change)),
  ],
};
