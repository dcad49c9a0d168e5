import { auditJsonSchema } from "../src/agents/audit.ts";
import { printPage } from "../src/cli/help.ts";
import { publishedSchemas } from "../src/tools/schemas.ts";

/** Files that are printed from the code, by path: `npm run generate` writes them, a test compares. */
export async function generateAll(): Promise<Readonly<Record<string, string>>> {
  const schemas = Object.entries({ ...publishedSchemas, audit: auditJsonSchema }).map(
    ([name, make]) => [`schemas/${name}.schema.json`, `${JSON.stringify(make(), null, 2)}\n`] as const,
  );
  return {
    ...Object.fromEntries(schemas),
    "docs/cli.md": `${await printPage()}\n`,
    "docs/configuration.md": printConfiguration(publishedSchemas["suture.config"]() as Described),
  };
}

/** As much of a JSON schema as the configuration needs. */
type Described = {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
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
