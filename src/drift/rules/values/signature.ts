import { findParameters } from "../../finders/changed-parameters.ts";
import { findParallelLines } from "../../finders/parallel-lines.ts";
import { findRewrites } from "../../finders/rewritten-lines.ts";
import type { Rule } from "../../rule.ts";

export const signature: Rule<"signature"> = {
  name: "signature",
  docs: "A page shows a signature, or a line of code, whose parameters or types changed.",
  mayEdit: true,
  formerly: ["parameter", "rewrite"],
  find: async (change) => [
    ...(await findRewrites(change)),
    ...(await findParameters(change)),
    ...(await findParallelLines(change)),
  ],
};
