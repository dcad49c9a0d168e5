import type { Objection } from "../gates/objection.ts";
import type { Answer } from "./model.ts";

export const unfinished = {
  steps: "its steps ran out before it was done",
  cost: "the cost ceiling was reached before it was done",
} as const;

/** Why a conversation that ended this way left work undone; nothing where the model was done, or only ran out of words. */
export function whyUnfinished(end: Answer["end"]): string | null {
  return end === "steps" || end === "cost" ? unfinished[end] : null;
}

/** What gates refused twice is no longer the model's to settle. */
export function leftForPerson(objections: readonly Objection[]): string | null {
  return objections.length === 0
    ? null
    : `left for a person: ${objections.map(({ detail }) => detail).join("; ")}`;
}
