import { existsSync, globSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** How a published client is run with a model of ours. */
export type RealClient = {
  readonly name: string;
  readonly package: string;
  /** Packages that it needs beside its own. */
  readonly also?: readonly string[];
  /** The program inside the unpacked package. */
  readonly program: string;
  /** Files that the client wants in its home folder before it starts. */
  home(place: ClientPlace): Readonly<Record<string, string>>;
  readonly env: (place: ClientPlace) => Readonly<Record<string, string>>;
  readonly words: (place: ClientPlace, prompt: string) => readonly string[];
};

export type ClientPlace = { readonly tree: string; readonly home: string; readonly model: string };

/** Where the packages are kept, outside the repository: they take hundreds of megabytes each. */
export const clientCache = process.env.SUTURE_CLIENTS ?? join(homedir(), ".cache/suture-clients");

export const realClients: Readonly<
  Record<"codex" | "claude" | "gemini" | "copilot" | "opencode" | "pi", RealClient>
> = {
  codex: {
    name: "codex",
    package: "@openai/codex@0.166.0-linux-x64",
    program: "vendor/*/bin/codex",
    home: ({ tree, model }) => ({
      "codex/config.toml": [
        'model = "gpt-5.5"',
        'model_provider = "local"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        "[model_providers.local]",
        'name = "local"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        `[projects."${tree}"]`,
        'trust_level = "trusted"',
        "",
      ].join("\n"),
    }),
    env: ({ home }) => ({ CODEX_HOME: join(home, "codex") }),
    words: (_place, prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt],
  },
  claude: {
    name: "claude",
    package: "@anthropic-ai/claude-code-linux-x64@2.1.325",
    program: "claude",
    home: () => ({}),
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      MCP_TIMEOUT: "300000",
    }),
    words: (_place, prompt) => [
      "-p",
      prompt,
      "--model",
      "claude-sonnet-4-5",
      "--allowedTools",
      "Bash",
      "Edit",
      "Read",
      "Write",
    ],
  },
  gemini: {
    name: "gemini",
    package: "@google/gemini-cli@0.61.0",
    program: "bundle/gemini.js",
    home: ({ tree }) => ({
      ".gemini/settings.json": '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
      ".gemini/trustedFolders.json": JSON.stringify({
        [tree]: "TRUST_FOLDER",
        [resolve("plugin/gemini")]: "TRUST_FOLDER",
      }),
    }),
    env: ({ model }) => ({
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_TELEMETRY_ENABLED: "false",
    }),
    words: (_place, prompt) => ["-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-flash"],
  },
  copilot: {
    name: "copilot",
    package: "@github/copilot-linux-x64@1.0.102",
    program: "copilot",
    home: ({ tree }) => ({ "copilot/config.json": JSON.stringify({ trustedFolders: [tree] }) }),
    env: ({ home, model }) => ({
      COPILOT_HOME: join(home, "copilot"),
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: model,
      COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "claude-sonnet-4.5",
    }),
    words: (_place, prompt) => [
      "-p",
      prompt,
      "--allow-all",
      "--no-auto-update",
      "--stream",
      "off",
      "--disable-builtin-mcps",
    ],
  },
  opencode: {
    name: "opencode",
    package: "opencode-linux-x64@1.18.33",
    // The client fetches it when a project has tools of its own.
    also: ["@opencode-ai/plugin@1.18.33"],
    program: "bin/opencode",
    home: ({ model }) => ({
      ...fetchedPlugin(".config/opencode"),
      ".config/opencode/node_modules/.keep": "",
      ".config/opencode/opencode.json": JSON.stringify({
        model: "local/scripted",
        small_model: "local/scripted",
        autoupdate: false,
        share: "disabled",
        provider: {
          local: {
            npm: "@ai-sdk/anthropic",
            options: { baseURL: `${model}/v1`, apiKey: "none" },
            models: { scripted: { tool_call: true } },
          },
        },
      }),
    }),
    env: ({ home }) => ({
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local/share"),
      XDG_STATE_HOME: join(home, ".local/state"),
    }),
    words: (_place, prompt) => ["run", prompt],
  },
  pi: {
    name: "pi",
    package: "@earendil-works/pi-coding-agent@1.5.0",
    also: ["jiti@2.7.0"],
    program: "dist/bundle/cli.js",
    home: ({ model }) => ({
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          local: {
            baseUrl: model,
            api: "anthropic-messages",
            apiKey: "none",
            models: [{ id: "scripted" }],
          },
        },
      }),
    }),
    env: () => ({ PI_OFFLINE: "1" }),
    words: (_place, prompt) => ["-p", "--approve", "--provider", "local", "--model", "scripted", prompt],
  },
};

/**
 * The files by which opencode knows that a folder of settings has its plugin package. Without them it asks the npm
 * registry, waits 70 seconds where there is no network, empties `node_modules` and ends the turn with an error.
 */
export function fetchedPlugin(folder: string): Readonly<Record<string, string>> {
  const dependencies = { "@opencode-ai/plugin": "1.18.33" };
  return {
    [`${folder}/package.json`]: JSON.stringify({ dependencies }),
    [`${folder}/package-lock.json`]: JSON.stringify({
      lockfileVersion: 3,
      packages: { "": { dependencies } },
    }),
  };
}

/** Where the packages that a client needs beside its own are. */
export function neighbours({ name }: RealClient): string {
  return join(clientCache, name, "node_modules");
}

/** The program of a client; `null` where its package was not fetched. */
export function findProgram(client: RealClient): string | null {
  const { name, program, also = [] } = client;
  if (also.length > 0 && !existsSync(neighbours(client))) return null;
  const [found] = globSync(join(clientCache, name, "package", program));
  return found && existsSync(found) ? found : null;
}

/** Manifests that name the address of their JSON schema. */
export const manifestsWithSchema = ["server.json", "plugin/plugin.json", "plugin/mcp.json"] as const;

/** Where a published JSON schema is kept. */
export function schemaFile(address: string): string {
  return join(clientCache, "schemas", encodeURIComponent(address));
}

/** Published programs that validate a manifest. */
export const validators: Readonly<Record<"mcpb", { readonly package: string; readonly program: string }>> = {
  mcpb: {
    package: "@anthropic-ai/mcpb@2.1.2",
    program: "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js",
  },
};

/** The program of a validator; `null` where its package was not fetched. */
export function findValidator(name: keyof typeof validators): string | null {
  const program = join(clientCache, name, validators[name].program);
  return existsSync(program) ? program : null;
}
