import { type Outcome, RefusalError } from "../text/model/outcome.ts";
import { describeRefusal } from "../wording/refusals/describe.ts";

/** The value of an outcome. A refusal is thrown as a `RefusalError`, whose message says the problem and what helps. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { message, hint } = describeRefusal(outcome.refusal);
  throw new RefusalError(outcome.refusal, hint === undefined ? message : `${message}\n${hint}`);
}
