import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseModelName } from "../model/model-name.ts";
import { costOf, priceOf } from "../model/prices.ts";
import { addressOf, isLocal, openProvider } from "../model/providers.ts";
import {
  type EnvironmentVariables,
  parseUserConfig,
  readUserConfig,
  resolveSettings,
  type Settings,
  type UserConfig,
} from "./settings.ts";

function settings(environment: EnvironmentVariables, config?: UserConfig, model?: string): Settings {
  const resolved = resolveSettings({ environment, ...(config ? { config } : {}), model });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.refusal));
  return resolved.value;
}

test.each([
  ["openai:gpt-5", { provider: "openai", model: "gpt-5" }],
  ["ollama:llama3.2:3b", { provider: "ollama", model: "llama3.2:3b" }],
  ["openai-compatible:org/model", { provider: "openai-compatible", model: "org/model" }],
])("%s names a model", (text, name) => {
  expect(parseModelName(text)).toEqual({ ok: true, value: name });
});

test.each([
  "gpt-5",
  "openai/gpt-5",
  "",
  ":",
  "openai:",
  "gateway:x",
  "openai:a b",
  "OPENAI:x",
  "openai:x\ny",
])("%j is refused: a name without a provider is rejected", (text) => {
  expect(parseModelName(text)).toMatchObject({ ok: false, refusal: { code: "malformed" } });
});

test("the command line comes before the environment, and that before the user's file; a role before all roles", () => {
  const environment = { SUTURE_MODEL: "openai:a", SUTURE_PLANNER_MODEL: "openai:b" };
  const config = { model: "google:c", models: { reviewer: "google:d" } } as const;
  const models = (given: Settings) => Object.values(given.models).map(({ model }) => model);
  expect(models(settings(environment, config, "anthropic:e"))).toEqual(["e", "e", "e", "e"]);
  expect(models(settings(environment, config))).toEqual(["b", "a", "a", "a"]);
  expect(models(settings({}, config))).toEqual(["c", "c", "c", "d"]);
  expect(models(settings({}))).toEqual([]);
});

test.each([
  ["ollama", {}, "http://127.0.0.1:11434/v1", true],
  ["ollama", { OLLAMA_HOST: "localhost:9" }, "http://localhost:9/v1", true],
  ["vllm", { VLLM_BASE_URL: "http://gpu.example:8000" }, "http://gpu.example:8000/v1", false],
  ["lmstudio", { LMSTUDIO_BASE_URL: "http://[::1]:1/api" }, "http://[::1]:1/api", true],
  ["openai", { OPENAI_BASE_URL: "http://127.0.0.1:4000" }, "http://127.0.0.1:4000", false],
  ["openai-compatible", { SUTURE_BASE_URL: "https://h.example/v1/" }, "https://h.example/v1", false],
  ["anthropic", {}, undefined, false],
] as const)("%s with %j is at %s", (provider, environment, address, local) => {
  const given = settings(environment as EnvironmentVariables);
  expect(addressOf(provider, given)).toBe(address);
  expect(isLocal(provider, given)).toBe(local);
});

test.each(["ftp://x", "file:///etc/passwd", "http://user:pass@h", "http://"])("%s is no base URL", (url) => {
  expect(resolveSettings({ environment: { OPENAI_BASE_URL: url } }).ok).toBe(false);
});

describe("keys in the user's own file", () => {
  const folder = mkdtempSync(join(tmpdir(), "suture-config-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (mode: number): void => {
    mkdirSync(join(folder, "suture"), { recursive: true });
    writeFileSync(join(folder, "suture/config.json"), '{"apiKeys":{"openai":"own-key-0123456789"}}');
    chmodSync(join(folder, "suture/config.json"), mode);
  };
  const read = () => readUserConfig({ XDG_CONFIG_HOME: folder }, "/elsewhere");

  test("are taken where it is private, and a key of the environment comes first", async () => {
    write(0o600);
    const config = await read();
    if (!config.ok) throw new Error(JSON.stringify(config.refusal));
    const keyOf = (environment: EnvironmentVariables) => {
      const settings = resolveSettings({ environment, config: config.value });
      return settings.ok ? settings.value.apiKeys.openai : undefined;
    };
    expect(keyOf({})).toBe("own-key-0123456789");
    expect(keyOf({ OPENAI_API_KEY: "other" })).toBe("other");
  });

  test("are refused where others could read them", async () => {
    write(0o644);
    expect(await read()).toMatchObject({ ok: false, refusal: { what: expect.stringContaining("others") } });
  });
});

test("a hosted model without its key is refused with the name of the variable", async () => {
  const opened = await openProvider({ provider: "anthropic", model: "x" }, settings({}));
  expect(opened).toMatchObject({
    ok: false,
    refusal: { detail: expect.stringContaining("ANTHROPIC_API_KEY") },
  });
  const own = await openProvider({ provider: "openai-compatible", model: "x" }, settings({}));
  expect(own).toMatchObject({ ok: false, refusal: { detail: expect.stringContaining("SUTURE_BASE_URL") } });
});

test.each([
  ["{", "not JSON"],
  ['{"modell": "openai:x"}', "Unrecognized key"],
  ['{"prices": {"openai:x": {"input": -1, "output": 0}}}', "prices.openai:x.input"],
  ['{"commands": ["npm test"]}', "commands.0"],
])("the user configuration %s is refused with what is wrong", (text, why) => {
  expect(parseUserConfig(text)).toMatchObject({ ok: false, refusal: { what: expect.stringContaining(why) } });
});

test("the user's price comes first, a dated name has the price of its model, an unknown one has none", () => {
  const own = { "openai:gpt-5": { input: 9, output: 9 } };
  expect(priceOf({ provider: "openai", model: "gpt-5" }, { own })).toEqual({ input: 9, output: 9 });
  expect(priceOf({ provider: "anthropic", model: "claude-haiku-4-5-20251001" })).toEqual({
    input: 1,
    output: 5,
  });
  expect(priceOf({ provider: "openai", model: "gpt-5-mini-2025-08-07" })).toEqual({ input: 0.25, output: 2 });
  expect(priceOf({ provider: "openai", model: "constructor" })).toBeNull();
  expect(priceOf({ provider: "vllm", model: "x" }, { local: true })).toEqual({ input: 0, output: 0 });
  expect(costOf({ input: 1e6, output: 1e6 }, { input: 1, output: 5 })).toBe(6);
  expect(costOf({ input: 1, output: 1 }, null)).toBeNull();
});
