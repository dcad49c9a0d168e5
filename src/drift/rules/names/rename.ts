import { findNames } from "../../finders/names/names.ts";
import type { Rule } from "../../rule.ts";

export const rename: Rule<"rename"> = {
  name: "rename",
  docs: "A page has the old name of something that the project now offers under another name.",
  mayEdit: true,
  formerly: ["renames", "member"],
  find: async (change) => (await findNames(change)).filter(({ kind }) => kind === "rename"),
};
