import { globSync, readFileSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };
import { pluginFiles } from "../src/agent-hooks/plugin/plugin-files.ts";
import { loadAll, printPage } from "../src/cli/help.ts";
import { catalog, toolsFor } from "../src/docs/catalog.ts";
import { auditJsonSchema } from "../src/docs/record/audit-schema.ts";
import { publishedSchemas } from "../src/docs/schemas.ts";
import { rules } from "../src/drift/rules.ts";
import { releasedSource, runFrom } from "../src/hosts/package-source.ts";
import { type JsonSchema, strictSchema } from "../src/session/strict-schema.ts";
import { inputSchema } from "../src/tools/catalog.ts";
import { printApi } from "./api-report.ts";

/** Files that are printed from the code, by path: `npm run generate` writes them, a test compares. */
export async function generateAll(): Promise<Readonly<Record<string, string>>> {
  const schemas = Object.entries({ ...publishedSchemas, audit: auditJsonSchema }).map(
    ([name, make]) => [`schemas/${name}.schema.json`, `${JSON.stringify(make(), null, 2)}\n`] as const,
  );
  const commands = await loadAll();
  return {
    ...Object.fromEntries(schemas),
    ...pluginFiles(manifest),
    "schemas/tools.json": printToolSchemas((schema) => schema),
    "schemas/tools.openai-strict.json": printToolSchemas(strictSchema),
    ...printApi(),
    ...recipes(),
    "src/cli/descriptions.json": `${JSON.stringify(commands, null, 2)}\n`,
    "docs/cli.md": `${printPage(commands)}\n`,
    "docs/tools.md": printTools(),
    "docs/rules.md": printRules(),
    "docs/configuration.md": printConfiguration(publishedSchemas["suture.config"]() as Described),
  };
}

/** The files of CI, with the place that they get this version from. The rest of them is written by hand. */
function recipes(): Readonly<Record<string, string>> {
  const read = (path: string): string => readFileSync(path, "utf8");
  const command = (path: string): string =>
    runFrom(releasedSource, path.includes("gitlab") ? "$CI_PROJECT_DIR" : "$GITHUB_WORKSPACE");
  const files = globSync("docs/ci/*.yml").map((path) => [
    path,
    read(path).replace(/npx --yes .*?(?= ci )/, () => command(path)),
  ]);
  const component = "templates/suture.yml";
  const text = read(component).replace(/(?<= package:\n {6}default: ").*(?=")/, () => releasedSource.spec);
  return Object.fromEntries([...files, [component, text]]);
}

/** Every tool with its schema, for programs in other languages that offer the tools to a model. */
function printToolSchemas(schemaOf: (schema: JsonSchema) => JsonSchema): string {
  const tools = catalog.map((tool) => ({
    name: tool.name,
    description: tool.description,
    profiles: tool.profiles,
    parameters: schemaOf(inputSchema(tool)),
  }));
  return `${JSON.stringify(tools, null, 2)}\n`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** One row a rule, from the rules themselves. */
function printRules(): string {
  const rows = rules.map(
    ({ name, docs, mayEdit, rules: narrower = [], formerly = {} }) =>
      `| \`${name}\` | ${docs} | ${mayEdit ? "where it can" : "no"} | ${quoted(narrower)} | ${quoted(Object.keys(formerly))} |`,
  );
  return `# Rules

The name of a kind or a rule is the \`kind\` of its findings, the key in [\`rules\`](configuration.md) and the id in SARIF. A
narrower key switches off a part of a kind: the findings that a rule of an earlier version reported. It wins over the kind.
[Accuracy](accuracy.md) tells how often they are right.

| Kind | What it reports | Proposes an edit | Narrower keys | Earlier names |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

This page is printed from the rules by \`npm run generate\`.
`;
}

/** As much of a JSON schema as these pages need. */
type Described = {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly required?: readonly string[];
  readonly additionalProperties?: Described | false;
};

function printConfiguration(schema: Described): string {
  const rows = findKeys(schema, "").map(
    ({ key, value }) => `| \`${key}\` | ${printType(value)} | ${value.description ?? ""} |`,
  );
  return `# Configuration

A project may keep \`suture.config.json\` in its root. It can leave documents out and tone findings down; it cannot make
a finding surer, name a model, hold a key or run a command: what a repository says about itself is not trusted with that.
Models and keys come from the environment or from your own configuration, see [agents](agents.md). In CI the file of the
base branch counts, not that of the change.

| Key | Value | Meaning |
| --- | --- | --- |
${rows.join("\n")}

\`\`\`json
{
  "$schema": "./node_modules/suture/schemas/suture.config.schema.json",
  "docs": { "exclude": ["docs/archive/**"] },
  "rules": { "version": "possible" }
}
\`\`\`

\`suture dismiss ID --reason TEXT\` writes the entries of \`dismissed\`; \`suture init\` proposes the rest. An unknown key is
refused, so that a misspelt one is not silently ignored.

This page is printed from the schema by \`npm run generate\`. The schemas of this file, of findings, audit records and
journal entries are in [schemas](../schemas/).
`;
}

const modes = ["research", "analyze", "generate", "modify", "execute"] as const;

function printTools(): string {
  return `# Tools and formats

The same verbs in every door: \`suture tool NAME JSON\`, MCP, the AI SDK, the library. Every answer has one text for the
model and one structured value for programs; a refusal says enough to get the next call right. Every writing tool also
takes \`reason\`, \`base_version\`, \`task\`, \`dry_run\` and \`idempotency_key\`.

Without \`occurrence\`, \`edit_file\` replaces the first match on the command line, in \`suture tool\` and in the library, as
the description of the argument says. Where a model calls (MCP, the AI SDK, the agents) it needs a single match, and the
schema names no default.

| Tool | Profiles | Modes that have it |
| --- | --- | --- |
${catalog.map(({ name, profiles }) => `| [\`${name}\`](#${name}) | ${profiles.join(", ")} | ${modesWith(name)} |`).join("\n")}

Without a mode, a profile has all of its tools. \`execute\` runs allow-listed commands in \`suture run\`, not through a tool.

${catalog.map((tool) => `## ${tool.name}\n\n${tool.description}\n\n${printArguments(inputSchema(tool) as Described)}`).join("\n\n")}

## Formats

\`apply_patch\` and \`suture apply\` detect the format, and commit all files as one transaction:

- **JSON**: a list of \`{ path, old_string, new_string, reason }\`, or one such object; also under the names other agents use
- **Unified diff**, as people and models write it: git's or plain, with or without file headers, with wrong or missing
  counts, in a code fence. A hunk goes where it says if its context is there, else to the one other place where it fits,
  else it is refused with the candidates
- **\`*** Begin Patch\`** envelopes, with added, deleted, moved and updated files
- **SEARCH/REPLACE blocks**, with the path above them
- **Anchored lines** in a diff or an envelope: after \`read_file\` with \`anchors\`, the row \`-12:a3f|\` stands for the line that was
  shown as \`12:a3f|text\`, and \`-12:a3f..14:b2c|\` for three lines. Rows with a gap between them are several places. An
  anchor whose line has changed since is refused

In all of them new text is literal, line endings are those of the place it goes to, and bytes outside the edit stay.

This page is printed from the catalog by \`npm run generate\`.
`;
}

function modesWith(name: string): string {
  const having = modes.filter((mode) =>
    (["files", "docs"] as const).some((profile) =>
      toolsFor(profile, mode).some((tool) => tool.name === name),
    ),
  );
  return having.join(", ") || "none";
}

const everyWriter = new Set(["reason", "base_version", "task", "dry_run", "idempotency_key"]);

function printArguments({ properties = {}, required = [] }: Described): string {
  const own = Object.entries(properties).filter(([name]) => !everyWriter.has(name));
  if (own.length === 0) return "It takes nothing of its own.";
  const rows = own.map(
    ([name, value]) =>
      `| \`${name}\`${required.includes(name) ? "" : " (optional)"} | ${printType(value)} | ${(value.description ?? "").replaceAll("|", "\\|")} |`,
  );
  return `| Argument | Value | Meaning |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function findKeys(schema: Described, above: string): { key: string; value: Described }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const key = above === "" ? name : `${above}.${name}`;
    const inner = value.type === "array" ? findKeys(value.items ?? {}, `${key}[]`) : findKeys(value, key);
    return inner.length > 0 && value.type !== "array" ? inner : [{ key, value }, ...inner];
  });
}

function printType({ type, items, enum: choices, additionalProperties }: Described): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(", ");
  if (type === "array") return `list of ${items?.type === "object" ? "objects" : printType(items ?? {})}`;
  if (type === "object" && additionalProperties) return `name → ${printType(additionalProperties)}`;
  return type ?? "any";
}
