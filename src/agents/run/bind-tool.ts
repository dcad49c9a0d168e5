import type { Tool } from "ai";
import { callTool } from "../../docs/catalog.ts";
import { defined } from "../../text/model/defined.ts";
import { type Tool as CatalogTool, inputSchema } from "../../tools/catalog.ts";
import { passingSchema } from "../../tools/passing-schema.ts";
import type { Context, Result } from "../../tools/tool.ts";
import { textOf } from "../../wording/report.ts";

/** What a bound tool returns: the whole result for programs, or only the text that the model reads. */
type Output = Result | string;

/** How a caller runs the calls of a bound tool. */
export type Binding = {
  readonly context: Context;
  /** Fields of the input that the model neither sees nor sets. */
  readonly withheld?: readonly string[];
  /** Runs a call and turns its result into the output of the tool. */
  readonly answer: (call: () => Promise<Result>) => Promise<Output>;
};

/**
 * A tool of the catalog as an AI SDK tool. Only this function binds them. The tool checks its own input, so its
 * refusals read the same in every entry point.
 */
export function bindTool(
  each: CatalogTool<never>,
  { context, withheld = [], answer }: Binding,
): Tool<unknown, Output> {
  const schema = inputSchema(each, context);
  return {
    description: each.description,
    inputSchema: passingSchema<unknown>({
      ...schema,
      properties: without(withheld, schema.properties ?? {}),
    }),
    execute: (input: unknown, { abortSignal: signal }: { abortSignal?: AbortSignal }) =>
      answer(() => {
        const here = {
          ...context,
          ...defined({ withheld: withheld.length > 0 ? withheld : undefined, signal }),
        };
        return callTool(here, each.name, without(withheld, input));
      }),
    toModelOutput: ({ output }: { output: Output }) =>
      typeof output === "string"
        ? { type: "text", value: output }
        : { type: output.success ? "text" : "error-text", value: textOf(output) },
  } as unknown as Tool<unknown, Output>;
}

function without(names: readonly string[], input: unknown): unknown {
  if (names.length === 0 || typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
