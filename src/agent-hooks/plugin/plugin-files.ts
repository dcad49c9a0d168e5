import { npxWords, type Releases, sourceOf } from "../../hosts/package-source.ts";
import { claude } from "../clients/claude.ts";
import type { HookClient } from "../clients/client.ts";
import { gemini } from "../clients/gemini.ts";
import { addHooks } from "../install/hook-file.ts";
import { editToolSources } from "./edit-tools.ts";
import { launcherSource } from "./launcher.ts";
import { skills } from "./skills.ts";

/** The fields of the package that the manifests repeat. */
export type PluginFacts = Releases & {
  readonly name: string;
  readonly description: string;
  readonly license: string;
  /** The name in the registry of MCP servers. */
  readonly mcpName: string;
};

const author = { name: "Suture" } as const;
const keywords = ["documentation", "drift", "edit", "undo", "mcp"];

/**
 * One plugin for every client, by path: Agent Plugins, Claude Code, Codex, Gemini CLI, opencode, Pi, and the manifests
 * of an MCP server. All of it is printed from here.
 */
export function pluginFiles(facts: PluginFacts): Readonly<Record<string, string>> {
  const { name, version, description, license } = facts;
  const about = { name, version, description, license, keywords };
  const words = npxWords(sourceOf(facts));
  const server = { command: "npx", args: [...words, "mcp"] };
  const listed = { name, source: "./plugin/with-hooks", description, version };
  return {
    "plugin/plugin.json": json({ $schema: `${agentPlugins}/plugin.schema.json`, ...about }),
    "plugin/mcp.json": json({
      $schema: `${agentPlugins}/mcp.schema.json`,
      mcpServers: { suture: { type: "stdio", ...server } },
    }),
    ...hookedPlugin("plugin", about, words),
    // Codex and Copilot leave out the hooks of a folder that is also an Agent Plugin.
    ...hookedPlugin("plugin/with-hooks", about, words),
    "plugin/with-hooks/mcp.json": json({ mcpServers: { suture: server } }),
    ...geminiExtension(about, words),
    ...editToolSources(["npx", ...words].join(" ")),
    "plugin/mcpb/manifest.json": json(bundleManifest(facts)),
    ".claude-plugin/marketplace.json": json({ name, description, owner: author, plugins: [listed] }),
    ".agents/plugins/marketplace.json": json({
      name,
      plugins: [
        {
          name,
          source: { source: "local", path: "./plugin/with-hooks" },
          policy: { installation: "AVAILABLE" },
        },
      ],
    }),
    "server.json": json(registryEntry(facts)),
  };
}

type About = Pick<PluginFacts, "name" | "version" | "description" | "license"> & {
  readonly keywords: readonly string[];
};

/** The plugin as Claude Code, Codex and Copilot read it. They share the hooks; Suture recognises who calls. */
function hookedPlugin(
  folder: string,
  about: About,
  words: readonly string[],
): Readonly<Record<string, string>> {
  const everyClient = { ...claude, isShared: true as const, editTools: `${claude.editTools}|apply_patch` };
  const parts = { skills: "./skills/", mcpServers: "./mcp.json" };
  return {
    [`${folder}/.claude-plugin/plugin.json`]: json({ ...about, author }),
    // Codex does not fill in variables in the arguments of a server.
    [`${folder}/.codex-plugin/plugin.json`]: json({ ...about, author, ...parts }),
    [`${folder}/.mcp.json`]: json({ mcpServers: { suture: launchedServer("CLAUDE_PLUGIN_ROOT") } }),
    [`${folder}/hooks/hooks.json`]: hooksOf(everyClient, "CLAUDE_PLUGIN_ROOT"),
    [`${folder}/bin/suture.cjs`]: launcherSource(words),
    ...skillsIn(folder, words),
  };
}

function geminiExtension(
  { name, version }: About,
  words: readonly string[],
): Readonly<Record<string, string>> {
  const folder = "plugin/gemini";
  const mcpServers = { suture: launchedServer("extensionPath") };
  return {
    [`${folder}/gemini-extension.json`]: json({ name, version, mcpServers }),
    [`${folder}/hooks/hooks.json`]: hooksOf(gemini, "extensionPath"),
    [`${folder}/bin/suture.cjs`]: launcherSource(words),
    ...skillsIn(folder, words),
  };
}

/** The MCP server, started by the launcher in the folder that a variable names. Some clients send every tool with every
 * request, so it offers the few that the client lacks: its own edit tools have witnesses. */
function launchedServer(variable: string): unknown {
  return { command: "node", args: [`\${${variable}}/bin/suture.cjs`, "mcp", "--profile", "slim"] };
}

const agentPlugins = "https://agent-plugins.org/schemas/1.0.0";

function skillsIn(folder: string, words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    skills(["npx", ...words].join(" ")).map(({ name, text }) => [`${folder}/skills/${name}/SKILL.md`, text]),
  );
}

/** The hooks of a plugin. `folder`: the variable with which the client names the folder of the plugin. */
function hooksOf(client: HookClient, folder: string): string {
  const command = `node "\${${folder}}/bin/suture.cjs"`;
  const printed = addHooks(null, client, { command, witness: true });
  if (!printed.ok) throw new TypeError("a new hook file can always be printed");
  return printed.value;
}

/** The entry in the registry of MCP servers. */
function registryEntry({ mcpName, version, config }: PluginFacts): unknown {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    description: "Finds documentation that a change made false, fixes it, and undoes any edit.",
    version,
    packages: [
      {
        registryType: "npm",
        identifier: config.package,
        version,
        runtimeHint: "npx",
        runtimeArguments: [{ type: "named", name: "--prefix", value: "~/" }],
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "mcp" }],
      },
    ],
  };
}

/** The manifest of an MCP bundle, which holds the package itself. */
function bundleManifest({ name, version, description, license }: PluginFacts): unknown {
  return {
    manifest_version: "0.3",
    name,
    version,
    description,
    author,
    license,
    keywords,
    server: {
      type: "node",
      entry_point: "bin/suture.cjs",
      mcp_config: {
        command: "node",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills these in
        args: ["${__dirname}/bin/suture.cjs", "mcp", "--root", "${user_config.root}"],
      },
    },
    user_config: {
      root: {
        type: "directory",
        title: "Folder",
        description: "The folder whose files may be edited.",
        required: true,
      },
    },
    compatibility: { runtimes: { node: ">=22.18" } },
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
