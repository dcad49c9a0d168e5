import { posix, win32 } from "node:path";
import { z } from "zod";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { settingsText } from "../../wording/agents.ts";
import { liesInside } from "../../workspace/paths/real-path.ts";
import { openReader } from "../../workspace/workspace.ts";
import { type ModelName, type Provider, parseModelName, providers } from "../model/model-name.ts";
import type { Price } from "../model/prices.ts";

/** The work that a model is chosen for. */
export type ModelRole = "planner" | "writer" | "researcher" | "reviewer";

const roles: readonly ModelRole[] = ["planner", "writer", "researcher", "reviewer"];

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * The user's choices. They never come from the repository being edited: a repository that could name a model, an
 * address or a command would decide where its own text is sent.
 */
export type Settings = {
  readonly models: Readonly<Partial<Record<ModelRole, ModelName>>>;
  /** For retrieval by meaning. Without it, keywords alone decide. */
  readonly embedding: ModelName | null;
  readonly baseUrls: Readonly<Partial<Record<Provider, string>>>;
  readonly apiKeys: Readonly<Partial<Record<Provider, string>>>;
  readonly prices: Readonly<Record<string, Price>>;
  /** The exact commands that tasks may run: program and arguments. */
  readonly commands: readonly (readonly string[])[];
  readonly telemetry: boolean;
  /** Stream answers. The time limit then starts again with every chunk, for slow but steady servers. */
  readonly stream: boolean;
  /** The longest time for one answer; `null`: the usual one. */
  readonly timeoutMs: number | null;
  /** The output tokens of every request, thinking included; `null`: by model and task. */
  readonly maxOutputTokens: number | null;
  /** Characters of sources and changes that one prompt may hold; `null`: by model. */
  readonly contextLength: number | null;
};

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

const configSchema = z.strictObject({
  model: z.string().optional(),
  models: z.partialRecord(z.enum(roles), z.string()).optional(),
  embedding: z.string().optional(),
  baseUrls: z.partialRecord(z.enum(providers), z.string()).optional(),
  apiKeys: z.partialRecord(z.enum(providers), z.string().min(1)).optional(),
  prices: z.record(z.string(), price).optional(),
  commands: z.array(z.array(z.string().min(1)).min(1)).optional(),
  telemetry: z.boolean().optional(),
  stream: z.boolean().optional(),
  timeout: z.number().min(1).max(86_400).optional(),
  maxOutputTokens: z.int().min(16).optional(),
  contextLength: z.int().min(1000).optional(),
});

export type UserConfig = z.infer<typeof configSchema>;

/** The settings of a run: the command line wins over the environment, and that over the user's file. */
export function resolveSettings(given: {
  readonly environment: EnvironmentVariables;
  readonly config?: UserConfig;
  /** `--model`: for every role. */
  readonly model?: string | undefined;
  /** `--timeout`: seconds for one answer. */
  readonly timeout?: number | undefined;
}): Outcome<Settings> {
  const { environment, config = {} } = given;
  const models = chooseModels(given.model, environment, config);
  if (!models.ok) return models;
  const embeddingName = environment.SUTURE_EMBEDDING_MODEL || config.embedding;
  const embedding = embeddingName ? parseModelName(embeddingName) : accept(null);
  if (!embedding.ok) return embedding;
  const baseUrls = findBaseUrls(environment, config);
  if (!baseUrls.ok) return baseUrls;
  return accept({
    models: models.value,
    embedding: embedding.value,
    baseUrls: baseUrls.value,
    apiKeys: { ...config.apiKeys, ...findKeys(environment) },
    prices: config.prices ?? {},
    commands: config.commands ?? [],
    telemetry: /^(1|true|on|otel)$/i.test(environment.SUTURE_TELEMETRY ?? "") || config.telemetry === true,
    stream: /^(1|true|on)$/i.test(environment.SUTURE_STREAM ?? "") || config.stream === true,
    ...limitsIn(given.timeout, environment, config),
  });
}

function limitsIn(
  timeout: number | undefined,
  environment: EnvironmentVariables,
  config: UserConfig,
): Pick<Settings, "timeoutMs" | "maxOutputTokens" | "contextLength"> {
  const seconds = timeout ?? positive(environment.SUTURE_TIMEOUT) ?? config.timeout;
  return {
    timeoutMs: seconds === undefined ? null : seconds * 1000,
    maxOutputTokens: positive(environment.SUTURE_MAX_OUTPUT) ?? config.maxOutputTokens ?? null,
    contextLength: positive(environment.SUTURE_CONTEXT) ?? config.contextLength ?? null,
  };
}

/** A number greater than zero; anything else counts as not set. */
function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && text !== "" && value > 0 && Number.isFinite(value) ? value : undefined;
}

function chooseModels(
  model: string | undefined,
  environment: EnvironmentVariables,
  config: UserConfig,
): Outcome<Settings["models"]> {
  const chosen: Partial<Record<ModelRole, ModelName>> = {};
  for (const role of roles) {
    const text =
      model ||
      environment[`SUTURE_${role.toUpperCase()}_MODEL`] ||
      environment.SUTURE_MODEL ||
      config.models?.[role] ||
      config.model;
    if (!text) continue;
    const name = parseModelName(text);
    if (!name.ok) return name;
    chosen[role] = name.value;
  }
  return accept(chosen);
}

/**
 * The user's own file, `suture/config.json` in the configuration folder. It may be missing. A configuration folder
 * inside the repository is not the user's own and is ignored.
 */
export async function readUserConfig(
  environment: EnvironmentVariables,
  root: string,
): Promise<Outcome<UserConfig>> {
  const folder = configFolder(environment);
  if (folder === null || liesInside(folder, root)) return accept({});
  const reader = await openReader(folder);
  if (!reader.ok) return accept({});
  try {
    const read = await reader.value.read("config.json");
    if (!read.ok) return read;
    const { text, mode } = read.value;
    const config: Outcome<UserConfig> = text === null ? accept({}) : parseUserConfig(text);
    const readable = process.platform !== "win32" && mode !== null && (mode & 0o077) !== 0;
    return config.ok && config.value.apiKeys && readable ? refuse(notPrivate) : config;
  } finally {
    await reader.value.close();
  }
}

const notPrivate = {
  code: "malformed",
  what: settingsText.notPrivate,
  hint: settingsText.notPrivateHint,
} as const;

export function parseUserConfig(text: string): Outcome<UserConfig> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse({
      code: "malformed",
      what: settingsText.notJson((error as Error).message),
    });
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return accept(parsed.data);
  const [issue] = parsed.error.issues;
  return refuse({
    code: "malformed",
    what: settingsText.invalid(issue?.path.join(".") ?? "", issue?.message ?? ""),
  });
}

function configFolder(environment: EnvironmentVariables): string | null {
  if (process.platform === "win32")
    return environment.APPDATA ? win32.join(environment.APPDATA, "suture") : null;
  const home = environment.XDG_CONFIG_HOME || (environment.HOME && posix.join(environment.HOME, ".config"));
  return home && posix.isAbsolute(home) ? posix.join(home, "suture") : null;
}

const baseUrlNames: Readonly<Record<Provider, readonly string[]>> = {
  openai: ["OPENAI_BASE_URL"],
  anthropic: ["ANTHROPIC_BASE_URL"],
  google: ["GOOGLE_GENERATIVE_AI_BASE_URL"],
  ollama: ["OLLAMA_BASE_URL", "OLLAMA_HOST"],
  lmstudio: ["LMSTUDIO_BASE_URL"],
  vllm: ["VLLM_BASE_URL"],
  "openai-compatible": ["SUTURE_BASE_URL"],
};

/** The variables that may hold a provider's key. Messages name the first. */
export const keyNames: Readonly<Record<Provider, readonly string[]>> = {
  openai: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY"],
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
  ollama: ["OLLAMA_API_KEY"],
  lmstudio: ["LMSTUDIO_API_KEY"],
  vllm: ["VLLM_API_KEY"],
  "openai-compatible": ["SUTURE_API_KEY"],
};

function findBaseUrls(environment: EnvironmentVariables, config: UserConfig): Outcome<Settings["baseUrls"]> {
  const found: Partial<Record<Provider, string>> = {};
  for (const provider of providers) {
    const text = firstOf(environment, baseUrlNames[provider]) ?? config.baseUrls?.[provider];
    if (text === undefined) continue;
    // Ollama's own variable may omit the scheme.
    const url = parseUrl(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
    if (!url) return refuse({ code: "malformed", what: settingsText.badUrl(provider) });
    found[provider] = withVersionPath(provider, url);
  }
  return accept(found);
}

function parseUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url : null;
}

/** Local servers often omit `/v1`, the path of their OpenAI format. */
function withVersionPath(provider: Provider, url: URL): string {
  const bare = url.pathname === "/" || url.pathname === "";
  const local = provider === "ollama" || provider === "lmstudio" || provider === "vllm";
  return (bare && local ? new URL("/v1", url) : url).href.replace(/\/$/, "");
}

function findKeys(environment: EnvironmentVariables): Settings["apiKeys"] {
  const found = providers.flatMap((provider) => {
    const key = firstOf(environment, keyNames[provider]);
    return key === undefined ? [] : [[provider, key] as const];
  });
  return Object.fromEntries(found);
}

function firstOf(environment: EnvironmentVariables, names: readonly string[]): string | undefined {
  return names.map((name) => environment[name]).find((value) => value !== undefined && value !== "");
}
