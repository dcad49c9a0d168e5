import type { LanguageModel } from "ai";
import { accept, type Outcome, refuse } from "../text/outcome.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ModelName, Provider } from "./model-name.ts";
import { keyNames, type Settings } from "./settings.ts";

const ownAddress: Readonly<Partial<Record<Provider, string>>> = {
  ollama: "http://127.0.0.1:11434/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
  vllm: "http://127.0.0.1:8000/v1",
};

/** Where a provider's requests go; `undefined` means the service's own address. */
export function addressOf(provider: Provider, settings: Settings): string | undefined {
  return settings.baseUrls[provider] ?? ownAddress[provider];
}

/** Whether a model runs on this machine. Behind any other name a local address may lead to a service that is paid. */
export function isLocal(provider: Provider, settings: Settings): boolean {
  const address = ownAddress[provider] && addressOf(provider, settings);
  return address !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/** The SDK's model for a name. Each provider's package is loaded only when it is used. */
export async function openProvider(name: ModelName, settings: Settings): Promise<Outcome<LanguageModel>> {
  const { provider, model } = name;
  const baseURL = addressOf(provider, settings);
  const apiKey = settings.apiKeys[provider];
  const shared = { fetch: boundedFetch, ...(baseURL === undefined ? {} : { baseURL }) };
  if (provider === "openai" || provider === "anthropic" || provider === "google") {
    if (apiKey === undefined && baseURL === undefined)
      return refuse({ code: "unavailable", detail: `${provider} needs a key: set ${keyNames[provider][0]}` });
    // A server of one's own may want no key; the SDK does.
    const keyed = { ...shared, apiKey: apiKey ?? "none" };
    if (provider === "openai") {
      const { createOpenAI } = await import("@ai-sdk/openai");
      // Chat completions keep nothing on the server, and every gateway speaks them.
      return accept(createOpenAI(keyed).chat(model));
    }
    if (provider === "anthropic") {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return accept(createAnthropic(keyed)(model));
    }
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return accept(createGoogleGenerativeAI(keyed)(model));
  }
  if (baseURL === undefined)
    return refuse({ code: "unavailable", detail: `${provider} needs an address: set SUTURE_BASE_URL` });
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const keyed = { ...shared, baseURL, name: provider, ...(apiKey === undefined ? {} : { apiKey }) };
  return accept(createOpenAICompatible(keyed)(model));
}
