import { isCommon } from "../../drift/change/names.ts";
import type { OpenFinding } from "./excerpts.ts";

/** The names that a notice is about: those that its evidence gains or loses, and those that its message quotes. */
export function termsOf({ message, evidence }: Pick<OpenFinding, "message" | "evidence">): string[] {
  const quoted = Array.from(message.matchAll(/`([^`]+)`|"([^"]+)"/g), ([, code, text]) => code ?? text ?? "");
  const terms = new Set(quoted.flatMap(namesIn));
  for (const { before = "", after = "" } of evidence) {
    const [old, fresh] = [new Set(namesIn(before)), new Set(namesIn(after))];
    for (const name of old) if (!fresh.has(name)) terms.add(name);
    for (const name of fresh) if (!old.has(name)) terms.add(name);
  }
  return [...terms].filter((term) => !isCommon(term));
}

/** What a notice is about, as its message quotes it first. */
export function subjectOf({ message }: Pick<OpenFinding, "message">): string | undefined {
  const [first] = message.matchAll(/`([^`]+)`/g);
  return first?.[1];
}

/** The names in a text: words of code of at least three characters, with their dashes. */
export function namesIn(text: string): string[] {
  return [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu) ?? [])].filter(
    (name) => name.length > 2,
  );
}
