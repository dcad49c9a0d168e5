import { fixText } from "../../../wording/agents.ts";
import type { ModelAnswer } from "../model.ts";

const longestRefusal = 600;
const opening =
  /^(?:i(?:['’]m| am) (?:very |really |so )?sorry|sorry|i apologi[sz]e|unfortunately|i (?:can ?not|can['’]t|won['’]t|will not|do not|don['’]t)|i(?:['’]m| am) (?:not able|unable)|as an ai)\b/i;
const declining =
  /\b(?:can ?not|can['’]t|won['’]t|will not|unable|not able)\b[^.]{0,60}\b(?:help|assist|comply|do that|fulfil|provide|answer|process|continue|complete|support|engage)/i;

/** The first sentence with which a model declines to answer; `null` where it does not. */
export function refusalIn(text: string): string | null {
  const said = text.trim();
  if (said.length > longestRefusal || !opening.test(said) || !declining.test(said)) return null;
  return /^[^\n]*?[.!](?=\s|$)|^[^\n]*/.exec(said)?.[0] ?? said;
}

/** Why an answer cannot be used, for a person: the model refused, the answer was cut, or `why`. */
export function whyUnusable(
  model: string,
  { text, stopReason }: Pick<ModelAnswer, "text" | "stopReason">,
  why: string,
): string {
  const refusal = refusalIn(text);
  if (refusal !== null) return fixText.refusedBy(model, refusal);
  return fixText.noUsableAnswer(model, stopReason === "length" ? fixText.cutForPerson : why);
}
