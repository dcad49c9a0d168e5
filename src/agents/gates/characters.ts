import { codeName, findAddedInvisible } from "../../text/characters/invisible-characters.ts";
import { gateText } from "../../wording/agents.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";

/** New text must not hold characters that no reader sees: they can carry data and instructions. */
export function checkCharacters({ path, before, after }: DraftedPage): Partial<GateVerdict> {
  const [first] = findAddedInvisible(before, after);
  return first
    ? { objections: [{ gate: "safety", path, detail: gateText.invisible(codeName(first.code)) }] }
    : {};
}
