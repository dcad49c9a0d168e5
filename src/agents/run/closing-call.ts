import type { Tool } from "ai";
import { type PassingSchema, passingSchema } from "../../tools/passing-schema.ts";
import { closingField } from "../prompts/house-rules.ts";

export type Execute<Result = unknown> = (input: unknown, options: unknown) => Promise<Result> | Result;

/**
 * Lets the last edit of a model carry its closing words, so that they cost no round trip of their own: a call with a
 * `summary` that succeeds ends the conversation.
 */
export class ClosingCall {
  #summary = "";

  /** The tool with a field for the summary. `hasSucceeded` tells whether its last call did. */
  wrap(tool: Tool, hasSucceeded: () => boolean): Tool {
    const schema = (tool.inputSchema as unknown as PassingSchema<unknown>)["~standard"].jsonSchema.input();
    const properties = {
      ...(schema.properties as object),
      summary: { type: "string", description: closingField },
    };
    const execute: Execute = async (input, options) => {
      const { summary, ...rest } = isFields(input) ? input : {};
      const result = await (tool.execute as Execute)(isFields(input) ? rest : input, options);
      this.#summary = typeof summary === "string" && hasSucceeded() ? summary.trim() : "";
      return result;
    };
    return { ...tool, inputSchema: passingSchema({ ...schema, properties }), execute } as unknown as Tool;
  }

  /** Whether the last edit succeeded and said that it is the last one. */
  isDone(): boolean {
    return this.#summary !== "";
  }

  summary(): string {
    return this.#summary;
  }
}

function isFields(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}
