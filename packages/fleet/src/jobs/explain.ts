import { refused } from "suture/service";
import type { Refusal } from "suture/text";
import { textOf } from "suture/tools";

/** A refusal in one sentence, for logs and records. */
export function explain(refusal: Refusal): string {
  return textOf(refused(refusal, { tool: "fleet", wording: "files" }))
    .replace(/\s+/g, " ")
    .slice(0, 500);
}
