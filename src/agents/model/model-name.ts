import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";

/** Who runs a model: hosted services, servers on one's own machine, and anything that speaks OpenAI's format. */
export type Provider =
  | "openai"
  | "anthropic"
  | "google"
  | "ollama"
  | "lmstudio"
  | "vllm"
  | "openai-compatible";

export const providers: readonly Provider[] = [
  "openai",
  "anthropic",
  "google",
  "ollama",
  "lmstudio",
  "vllm",
  "openai-compatible",
];

export type ModelName = { readonly provider: Provider; readonly model: string };

/**
 * `provider:name`, split at the first colon, since names may hold more of them. A bare name is refused: nobody
 * could tell where the repository's text would be sent.
 */
export function parseModelName(text: string): Outcome<ModelName> {
  const colon = text.indexOf(":");
  const provider = providers.find((known) => known === text.slice(0, Math.max(colon, 0)));
  const model = text.slice(colon + 1).trim();
  if (provider === undefined || model === "" || /[\s\p{C}]/u.test(model))
    return refuse({ code: "malformed", what: `not a model: ${JSON.stringify(text)}`, hint: howToName });
  return accept({ provider, model });
}

export function printModelName({ provider, model }: ModelName): string {
  return `${provider}:${model}`;
}

export const howToName = `Write provider:name, with one of ${providers.join(", ")} as the provider.`;
