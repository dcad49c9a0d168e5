import { type Outcome, refuse } from "../text/model/outcome.ts";

/** Whether a CI variable is on. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "false";
}

export function malformed(what: string): Outcome<never> {
  return refuse({ code: "malformed", what });
}
