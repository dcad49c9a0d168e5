import { findUnsupported } from "../../finders/denials.ts";
import type { Rule } from "../../rule.ts";

export const unsupported: Rule<"unsupported"> = {
  name: "unsupported",
  docs: "A page says that something is not supported, and the change declares it.",
  mayEdit: false,
  find: findUnsupported,
};
