import type { Refusal } from "../text/outcome.ts";
import { refused, textOf } from "../tools/report.ts";

/** A refusal in one sentence, for logs and records. */
export function explain(refusal: Refusal): string {
  return textOf(refused(refusal, { tool: "fleet", wording: "files" }))
    .replace(/\s+/g, " ")
    .slice(0, 500);
}
