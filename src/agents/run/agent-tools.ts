import { jsonSchema, type Tool, tool } from "ai";
import { callTool } from "../../tools/call.ts";
import { type Tool as CatalogTool, inputSchema, toolsFor } from "../../tools/catalog.ts";
import type { Context, Result } from "../../tools/tool.ts";
import { textOf } from "../../wording/report.ts";
import { addCounts } from "./audit.ts";
import type { Redact } from "./redact.ts";

/** The tools one agent may use, and what became of its calls. */
export type Hands = {
  readonly tools: Readonly<Record<string, Tool>>;
  /** Every call, in order, whatever came of it. */
  results(): readonly Result[];
  /** How often each tool was called. */
  counts(): Readonly<Record<string, number>>;
};

/** Fields by which a caller could speak for another task, or ask for what a person has to allow. */
const withheld = ["task", "dry_run", "idempotency_key", "rewrite"];

/**
 * The tools of a context's profile and mode, for an agent: without those that take back other people's work and
 * without the fields that are not an agent's to fill in. What the model hears is free of secrets.
 */
export function giveHands(context: Context, redact: Redact): Hands {
  const results: Result[] = [];
  const offered = toolsFor(context.profile, context.mode).filter(({ access }) => access !== "restore");
  const bind = (each: CatalogTool<never>): Tool =>
    tool<unknown, string, never>({
      description: each.description,
      inputSchema: jsonSchema(without(inputSchema(each), withheld)),
      execute: async (input, { abortSignal }) => {
        const signal = abortSignal === undefined ? {} : { signal: abortSignal };
        const result = await callTool({ ...context, ...signal }, each.name, stripped(input));
        results.push(result);
        return redact(textOf(result));
      },
    }) as Tool;
  return {
    tools: Object.fromEntries(offered.map((each) => [each.name, bind(each)])),
    results: () => [...results],
    counts: () => addCounts(...results.map(({ tool }) => ({ [tool]: 1 }))),
  };
}

function stripped(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !withheld.includes(name)));
}

function without(schema: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, unknown>);
  return { ...schema, properties: Object.fromEntries(properties.filter(([name]) => !names.includes(name))) };
}
