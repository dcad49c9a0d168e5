import type { EmbeddingModel, LanguageModel } from "ai";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { modelText } from "../../wording/agents.ts";
import { keyNames, type Settings } from "../run/settings.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ModelName, Provider } from "./model-name.ts";

const localAddress: Readonly<Partial<Record<Provider, string>>> = {
  ollama: "http://127.0.0.1:11434/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
  vllm: "http://127.0.0.1:8000/v1",
};

/** The address of a provider; `undefined` means the SDK's default. */
export function addressOf(provider: Provider, settings: Settings): string | undefined {
  return settings.baseUrls[provider] ?? localAddress[provider];
}

/** Whether a model runs on this machine. For hosted providers, a local address may be a proxy to a paid service. */
export function isLocal(provider: Provider, settings: Settings): boolean {
  const address = localAddress[provider] && addressOf(provider, settings);
  return address !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/** Whether every model of a provider calls tools. On servers of one's own it depends on the model. */
export function hasToolCalls(provider: Provider): boolean {
  return provider === "openai" || provider === "anthropic" || provider === "google";
}

type Keyed = { readonly apiKey: string; readonly fetch: typeof fetch };

/** The connection to a provider: a service with a key, or a server with OpenAI's format. */
type ProviderConnection =
  | { readonly kind: "openai"; readonly options: Keyed }
  | { readonly kind: "anthropic"; readonly options: Keyed }
  | { readonly kind: "google"; readonly options: Keyed }
  | { readonly kind: "compatible"; readonly options: { readonly name: string; readonly baseURL: string } };

function connect({ provider }: ModelName, settings: Settings): Outcome<ProviderConnection> {
  const baseURL = addressOf(provider, settings);
  const apiKey = settings.apiKeys[provider];
  const shared = { fetch: boundedFetch, ...defined({ baseURL }) };
  if (provider === "openai" || provider === "anthropic" || provider === "google") {
    if (apiKey === undefined && baseURL === undefined)
      return refuse({ code: "unavailable", detail: modelText.needsKey(provider, keyNames[provider]) });
    // A self-hosted server may need no key, but the SDK does.
    return accept({ kind: provider, options: { ...shared, apiKey: apiKey ?? "none" } });
  }
  if (baseURL === undefined) return refuse({ code: "unavailable", detail: modelText.needsAddress(provider) });
  const keyed = { ...shared, baseURL, name: provider, ...defined({ apiKey }) };
  return accept({ kind: "compatible", options: keyed });
}

const packages: Readonly<Record<ProviderConnection["kind"], string>> = {
  openai: "@ai-sdk/openai",
  anthropic: "@ai-sdk/anthropic",
  google: "@ai-sdk/google",
  compatible: "@ai-sdk/openai-compatible",
};

/** The AI SDK and its providers are optional: a refusal names the packages to install. */
async function withPackages<T>(
  connection: Outcome<ProviderConnection>,
  load: (connection: ProviderConnection) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (!connection.ok) return connection;
  try {
    await import("ai");
    return await load(connection.value);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return refuse({
      code: "unavailable",
      detail: modelText.needsPackages(["ai", packages[connection.value.kind]]),
    });
  }
}

/** The SDK's model for a name. Each provider's package is loaded only when it is used. */
export function openProvider(name: ModelName, settings: Settings): Promise<Outcome<LanguageModel>> {
  return withPackages(connect(name, settings), (connection) => loadModel(name, connection));
}

async function loadModel(
  name: ModelName,
  { kind, options }: ProviderConnection,
): Promise<Outcome<LanguageModel>> {
  // Chat completions store nothing on the server, and every gateway supports them.
  if (kind === "openai")
    return accept((await import("@ai-sdk/openai")).createOpenAI(options).chat(name.model));
  if (kind === "anthropic")
    return accept((await import("@ai-sdk/anthropic")).createAnthropic(options)(name.model));
  if (kind === "google")
    return accept((await import("@ai-sdk/google")).createGoogleGenerativeAI(options)(name.model));
  return accept((await import("@ai-sdk/openai-compatible")).createOpenAICompatible(options)(name.model));
}

/** The same for embedding models. */
export function openEmbeddingProvider(name: ModelName, settings: Settings): Promise<Outcome<EmbeddingModel>> {
  return withPackages(connect(name, settings), (connection) => loadEmbedding(name, connection));
}

async function loadEmbedding(
  name: ModelName,
  { kind, options }: ProviderConnection,
): Promise<Outcome<EmbeddingModel>> {
  if (kind === "openai")
    return accept((await import("@ai-sdk/openai")).createOpenAI(options).embeddingModel(name.model));
  if (kind === "google") {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return accept(createGoogleGenerativeAI(options).embeddingModel(name.model));
  }
  if (kind === "anthropic")
    return refuse({ code: "unavailable", detail: modelText.noEmbedding("anthropic") });
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return accept(createOpenAICompatible(options).embeddingModel(name.model));
}
