import { existsSync, globSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** How a published client is run with a model of ours. */
export type RealClient = {
  readonly name: string;
  readonly package: string;
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

export const realClients: Readonly<Record<"codex" | "claude" | "gemini" | "copilot", RealClient>> = {
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
      ".gemini/trustedFolders.json": JSON.stringify({ [tree]: "TRUST_FOLDER" }),
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
};

/** The program of a client; `null` where its package was not fetched. */
export function findProgram({ name, program }: RealClient): string | null {
  const [found] = globSync(join(clientCache, name, "package", program));
  return found && existsSync(found) ? found : null;
}
