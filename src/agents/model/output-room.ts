import type { ModelName } from "./model-name.ts";

/** Tokens that a reasoning model may think before it answers. Providers count them as output. */
const thinkingTokens = 8000;

/** The output tokens to ask for: the answer's own, and room to think for models that do. */
export function outputRoom(name: ModelName, answer: number, most: number | null): number {
  const wanted = reasons(name) ? answer + thinkingTokens : answer;
  return most ?? wanted;
}

const reasoning =
  /(?:^|[-/:._])(?:r1|qwq|qwen-?3(?!.*(?:coder|instruct))|gpt-oss|deepseek-reasoner|magistral|thinking|think|reason(?:er|ing)?|glm-4\.[5-9]|glm-[5-9]|exaone-deep|nemotron|kimi-k2)/i;

/** Whether a model is known to think before it answers, by its name. */
function reasons({ provider, model }: ModelName): boolean {
  if (provider === "google") return /^gemini-(?:2\.5|[3-9])/.test(model);
  return /^(?:o[1-9](?:$|-)|gpt-[5-9](?!.*chat)|codex)/.test(model) || reasoning.test(model);
}
