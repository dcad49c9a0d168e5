import { defined } from "../model/defined.ts";
import { type Refused, refuse } from "../model/outcome.ts";

/** The refusal of a patch that cannot be read. `line`: the line of the patch, counted from 1. */
export function malformed(what: string, line?: number): Refused {
  return refuse({ code: "malformed", what, ...defined({ line }) });
}
