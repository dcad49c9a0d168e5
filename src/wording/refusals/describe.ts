import { defined } from "../../text/model/defined.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import { wordPlainly } from "./plain.ts";

/** The words of one refusal: the problem, and the next step where there is one. */
export function describeRefusal(refusal: Refusal): { readonly message: string; readonly hint?: string } {
  const { path } = refusal;
  const asked = { tool: "", wording: "files", ...defined({ path }) } as const;
  const { error, hint } = wordPlainly(refusal, asked);
  const others = refusal.others?.map((other) => describeRefusal(other).message) ?? [];
  const message = [error, ...others].join("\n");
  return hint === undefined ? { message } : { message, hint };
}
