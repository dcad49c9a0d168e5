import type { Kind } from "../claim.ts";
import { type FenceClaim, isCopyIn, judgeFence, readFences, touchedFences } from "./fence.ts";
import { evaluateExcerpt, judgeExcerpt, type LinesClaim, readExcerpts, touchedExcerpts } from "./lines.ts";

type CopyClaim = FenceClaim | LinesClaim;

/** A sample shows lines of a file, or a page includes or links to lines by their numbers or their name. */
export const copy: Kind<"copy", CopyClaim> = {
  name: "copy",
  docs: "A sample was a copy of code that the change rewrote, or includes lines that the change moved.",
  mayEdit: true,
  rules: ["snippet"],
  formerly: { snippets: "snippet" },
  read: (page) => [...readFences(page), ...readExcerpts(page)],
  touched: async (change) => [...touchedFences(change), ...touchedExcerpts(change)],
  isSuspect: async (claim) => claim.file !== undefined,
  // A sample that names no file is a copy only if it is equal to one.
  isImplied: ({ file }) => file === undefined,
  judge: (claim, states) => ("fence" in claim ? judgeFence(claim, states) : judgeExcerpt(claim, states)),
  evaluate: (claim, state) => ("fence" in claim ? isCopyIn(claim, state) : evaluateExcerpt(claim, state)),
};
