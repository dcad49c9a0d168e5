import { findModules } from "../../finders/names/moved-modules.ts";
import type { Rule } from "../../rule.ts";

export const module: Rule<"module"> = {
  name: "module",
  docs: "A page has the old name of a module or a qualified name that moved.",
  mayEdit: true,
  find: findModules,
};
