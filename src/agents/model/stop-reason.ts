import { agentText } from "../../wording/agents.ts";
import type { Objection } from "../gates/objection.ts";

/**
 * Why a conversation ended: the model was done; its steps or the budget ran out while it still called tools; its last
 * answer was cut at the token limit; or the provider stopped it.
 */
export type StopReason = "done" | "steps" | "cost" | "length" | "stopped";

/** Why work is unfinished; `null` where the model was done or only its last answer was cut. */
export function whyUnfinished(reason: StopReason): string | null {
  return reason === "steps" || reason === "cost" ? agentText.unfinished[reason] : null;
}

/** After two refusals by gates, a person decides. */
export function leftForPerson(objections: readonly Objection[]): string | null {
  if (objections.length === 0) return null;
  return agentText.leftForPerson(objections.map(({ detail }) => detail));
}
