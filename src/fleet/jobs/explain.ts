import type { Refusal } from "../../text/model/outcome.ts";
import { refused, textOf } from "../../wording/report.ts";

/** A refusal in one sentence, for logs and records. */
export function explain(refusal: Refusal): string {
  return textOf(refused(refusal, { tool: "fleet", wording: "files" }))
    .replace(/\s+/g, " ")
    .slice(0, 500);
}
