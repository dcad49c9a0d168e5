import { findNames } from "../../finders/names/names.ts";
import type { Rule } from "../../rule.ts";

export const removal: Rule<"removal"> = {
  name: "removal",
  docs: "A page names something that the project no longer offers.",
  mayEdit: true,
  formerly: ["removals"],
  find: async (change) => (await findNames(change)).filter(({ kind }) => kind === "removal"),
};
