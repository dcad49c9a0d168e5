import { type PassingSchema, passingSchema } from "../tools/passing-schema.ts";
import type { Result } from "../tools/tool.ts";
import { textOf } from "../wording/report.ts";
import type { ToolHost } from "./session-tools.ts";
import type { ToolInputs, ToolName, ToolResult } from "./tool-types.ts";

/** A tool for the Vercel AI SDK. The type names nothing of the SDK, so it goes with any version 7. */
export type AiTool<N extends ToolName> = {
  description: string;
  inputSchema: PassingSchema<ToolInputs[N]>;
  execute(input: ToolInputs[N], options?: { abortSignal?: AbortSignal | undefined }): Promise<ToolResult<N>>;
  toModelOutput(options: { output: ToolResult<N> }): { type: "text" | "error-text"; value: string };
};

export type AiTools<Names extends ToolName> = { [N in Names]: AiTool<N> };

export function aiTools<Names extends ToolName>(host: ToolHost<Names>): AiTools<Names> {
  const tools = host.list().map(({ name, description, inputSchema }) => [
    name,
    {
      description,
      inputSchema: passingSchema(inputSchema),
      execute: (input: unknown, options: { abortSignal?: AbortSignal } = {}) =>
        host.call(name, input, options.abortSignal),
      toModelOutput: ({ output }: { output: Result }) => ({
        type: output.success ? "text" : "error-text",
        value: textOf(output),
      }),
    },
  ]);
  return Object.fromEntries(tools) as AiTools<Names>;
}
