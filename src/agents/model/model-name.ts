import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { modelText } from "../../wording/agents.ts";

/** Hosted services, local servers, and any server with OpenAI's format. */
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
 * Parses `provider:name` at the first colon, because names may contain more. A bare name is refused: it does not say
 * which provider would get the repository's text.
 */
export function parseModelName(text: string): Outcome<ModelName> {
  const colon = text.indexOf(":");
  const provider = providers.find((known) => known === text.slice(0, Math.max(colon, 0)));
  const model = text.slice(colon + 1).trim();
  if (provider === undefined || model === "" || /[\s\p{C}]/u.test(model))
    return refuse({ code: "malformed", what: modelText.notAModel(text), hint: howToName });
  return accept({ provider, model });
}

export function printModelName({ provider, model }: ModelName): string {
  return `${provider}:${model}`;
}

export const howToName = modelText.howToName(providers);
