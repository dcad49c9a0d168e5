import { defined } from "../text/model/defined.ts";
import { inputSchema, type Tool } from "../tools/catalog.ts";
import type { Context } from "../tools/tool.ts";

type ListedTool = { readonly description: string; readonly schema: Record<string, unknown> };

type ListedSchema = {
  readonly properties?: Readonly<Record<string, Record<string, unknown>>>;
  readonly required?: readonly string[];
  readonly type: string;
};

/** Fields that mean the same in every tool that writes. One tool explains them. */
const shared = new Set(["reason", "base_version", "task", "dry_run", "idempotency_key"]);
const explaining = new Set(["edit_file", "edit_article"]);

/** A tool with its descriptions, without those that another tool has for the same field. */
export function briefListing(tool: Tool<never>, context: Context): ListedTool {
  const { properties = {}, ...schema } = inputSchema(tool, context) as ListedSchema;
  const isExplained = (name: string): boolean => shared.has(name) && !explaining.has(tool.name);
  const fields = Object.entries(properties).map(([name, { description, ...field }]) => [
    name,
    description === undefined || isExplained(name) ? field : { ...field, description },
  ]);
  return {
    description: tool.description,
    schema: { ...schema, properties: Object.fromEntries(fields) as ListedSchema["properties"] },
  };
}

/** Fields that a client can do without. They are still accepted. */
const withheld = new Set([
  "task",
  "dry_run",
  "idempotency_key",
  "reason",
  "run",
  "glob",
  "ignore_case",
  "limit",
  "fit",
]);

/** A tool in few words: the first sentence, and the fields without their explanations. */
export function slimListing(tool: Tool<never>, context: Context): ListedTool {
  const { properties = {}, required, type } = inputSchema(tool, context) as ListedSchema;
  const kept = Object.entries(properties).filter(([name]) => !withheld.has(name));
  const fields = Object.fromEntries(kept.map(([name, field]) => [name, { type: field.type }]));
  const [first = tool.description] = /^.*?\.(?= |$)/.exec(tool.description) ?? [];
  const schema = { type, properties: fields, ...defined({ required }) };
  return { description: first, schema };
}
