import { defined } from "../text/model/defined.ts";
import { textOf } from "../wording/report.ts";
import type { ToolHost } from "./session-tools.ts";
import type { ToolName } from "./tool-types.ts";

/** A call as a message of Claude has it. */
export type ToolUseBlock = {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
};

export type ToolResultBlock = {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: boolean;
};

/** A tool of Anthropic's API, with the two functions that the SDK's tool runner calls. */
export type AnthropicTool = (
  | { name: string; description: string; input_schema: { type: "object"; [keyword: string]: unknown } }
  | { type: "text_editor_20250728"; name: "str_replace_based_edit_tool" }
) & {
  run(input: unknown, context?: { signal?: AbortSignal | null | undefined }): Promise<string>;
  parse(input: unknown): unknown;
};

export type AnthropicKit = {
  /** The `tools` of a request. */
  readonly definitions: AnthropicTool[];
  /** Runs one call. A call of a tool that is not ours is answered as an error. */
  run(block: ToolUseBlock, options?: { readonly signal?: AbortSignal | undefined }): Promise<ToolResultBlock>;
  /** Runs every call of a message in order: the content of the next message of the user. */
  runAll(
    content: readonly { readonly type: string }[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ToolResultBlock[]>;
};

const editorName = "str_replace_based_edit_tool";

export function anthropicKit(host: ToolHost<ToolName>, tools: "suture" | "text-editor"): AnthropicKit {
  const run: AnthropicKit["run"] = async ({ id, name, input }, { signal } = {}) => {
    const result = await (name === editorName
      ? host.editText(input, signal)
      : host.call(name, input, signal));
    const content = result.success ? result.output : `Error: ${textOf(result)}`;
    return {
      type: "tool_result",
      tool_use_id: id,
      content,
      ...defined({ is_error: result.success ? undefined : true }),
    };
  };
  return {
    definitions: tools === "text-editor" ? [editorOf(run)] : definitionsOf(host, run),
    run,
    runAll: async (content, options) => {
      const answers: ToolResultBlock[] = [];
      for (const block of content)
        if (block.type === "tool_use") answers.push(await run(block as ToolUseBlock, options));
      return answers;
    },
  };
}

function definitionsOf(host: ToolHost<ToolName>, run: AnthropicKit["run"]): AnthropicTool[] {
  return host.list().map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: "object" as const },
    ...runnable(name, run),
  }));
}

function editorOf(run: AnthropicKit["run"]): AnthropicTool {
  return { type: "text_editor_20250728", name: editorName, ...runnable(editorName, run) };
}

/** The tool runner reports a thrown error to the model, so a refusal is thrown here. */
function runnable(name: string, run: AnthropicKit["run"]): Pick<AnthropicTool, "run" | "parse"> {
  return {
    parse: (input) => input,
    run: async (input, context) => {
      const signal = context?.signal ?? undefined;
      const { content, is_error } = await run({ type: "tool_use", id: "", name, input }, { signal });
      if (is_error) throw new Error(content.replace(/^Error: /, ""));
      return content;
    },
  };
}
