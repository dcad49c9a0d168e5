/** What a model is told once and for all, and what it is given to work on. The version rises when the words change. */
export type Prompt = {
  readonly name: string;
  readonly version: number;
  readonly instructions: string;
  readonly prompt: string;
};

/** Named parts of a prompt, in order; empty ones are left out. */
export function sections(parts: readonly (readonly [title: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text !== "")
    .map(([title, text]) => `## ${title}\n\n${text}`)
    .join("\n\n");
}
