import type { Request } from "./scripted-server.ts";

/** A question about a section, as a model reads it. */
export type AskedSection = { readonly path: string; readonly section: string; readonly notices: number };

export const isSectionQuestion = ({ system }: Pick<Request, "system">): boolean =>
  system.includes("You keep documentation true to its code");

/** A question about what a page does not say yet, where the rules are silent. */
export const isSearch = ({ system }: Pick<Request, "system">): boolean =>
  system.includes("What does a reader of this page need to know");

export function readSection(text: string): AskedSection {
  const found = /## Section\n\n[^\n]*\n\n(=+) DATA: (\S+) =+\n([\s\S]*?)\n\1 END OF DATA \1/.exec(text);
  const notices = Array.from(text.matchAll(/^Notice \d+, /gm)).length;
  return { path: found?.[2] ?? "", section: found?.[3] ?? "", notices };
}

/** An answer: one verdict for every notice, and the section as `rewrite` leaves it. */
export function answerSection(
  text: string,
  rewrite: (section: string) => string,
  word: "FIX" | "ADD" | "KEEP" = "FIX",
  reason = "src/cli.ts dropped it.",
): string {
  const { section, notices } = readSection(text);
  const verdicts = Array.from({ length: notices }, (_, i) => `${i + 1} ${word}: ${reason}`).join("\n");
  if (word === "KEEP") return verdicts;
  return `${verdicts}\nBEGIN SECTION\n${rewrite(section)}\nEND SECTION`;
}

export const askedText = ({ messages }: Pick<Request, "messages">): string => messages[0]!.text;
