import { agentText } from "../../wording/agents.ts";
import type { ModelAnswer } from "../model/model.ts";
import { whyUnfinished } from "../model/stop-reason.ts";

/**
 * Why an answer without an edit does not mean that the page is right: it was cut, it holds a call that could not be
 * read, or it is the page itself. `null`: the model looked and left the page as it is.
 */
export function whyNoEdit(
  answer: Pick<ModelAnswer, "text" | "stopReason">,
  { tool, field, page }: { readonly tool: string; readonly field: string; readonly page: string },
): string | null {
  const { text, stopReason } = answer;
  const unfinished = whyCut(stopReason) ?? whyUnfinished(stopReason);
  if (unfinished !== null) return unfinished;
  if (holdsCall(text, tool, field)) return agentText.unreadCall(tool);
  return isMostOf(page, text) ? agentText.wholePage(tool) : null;
}

/** Why a last answer may lack something that the model was about to do; `null` where it is whole. */
export function whyCut(stopReason: ModelAnswer["stopReason"]): string | null {
  return stopReason === "length" || stopReason === "stopped" ? agentText.unfinished[stopReason] : null;
}

function holdsCall(text: string, tool: string, field: string): boolean {
  const named = new RegExp(`["'](?:name|tool|tool_name|function)["']\\s*:\\s*["']${tool}["']`);
  const tagged = new RegExp(`<tool_call>|<function=${tool}>|<invoke name="${tool}">`);
  return named.test(text) || tagged.test(text) || new RegExp(`["']${field}["']\\s*:`).test(text);
}

const fewestLines = 3;

/** Whether a text repeats at least half of the lines of a page, and not the page as it is. */
function isMostOf(page: string, text: string): boolean {
  if (text.includes(page.trim())) return false;
  const lines = linesOf(page);
  const said = new Set(linesOf(text));
  const repeated = lines.filter((line) => said.has(line)).length;
  return repeated >= fewestLines && repeated * 2 >= lines.length;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
