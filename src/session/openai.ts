import { textOf } from "../wording/report.ts";
import type { PatchOperation } from "./patch-operation.ts";
import type { SessionTool, ToolHost } from "./session-tools.ts";
import { withoutNulls } from "./strict-schema.ts";
import type { ToolName } from "./tool-types.ts";

export type OpenAiOptions = {
  /** Send schemas for `strict: true`: every field is required, and null means "not given". */
  readonly strict?: boolean | undefined;
  /** `responses` by default. */
  readonly api?: "responses" | "chat" | undefined;
  /** The tools of the session, or OpenAI's own `apply_patch`. */
  readonly tools?: "suture" | "apply_patch" | undefined;
};

type Parameters = { [keyword: string]: unknown };

/** A tool of the Responses API. */
export type OpenAiTool =
  | { type: "function"; name: string; description: string; parameters: Parameters; strict: boolean }
  | { type: "apply_patch" };

/** A tool of Chat Completions. */
export type OpenAiChatTool = {
  type: "function";
  function: { name: string; description: string; parameters: Parameters; strict: boolean };
};

/** A call as either API sends it. */
export type OpenAiCall =
  | {
      readonly type: "function_call";
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | { readonly type: "apply_patch_call"; readonly call_id: string; readonly operation: PatchOperation }
  | {
      readonly type: "function";
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    };

export type OpenAiFunctionOutput = { type: "function_call_output"; call_id: string; output: string };
export type OpenAiPatchOutput = {
  type: "apply_patch_call_output";
  call_id: string;
  status: "completed" | "failed";
  output: string;
};
export type OpenAiChatOutput = { role: "tool"; tool_call_id: string; content: string };

/** The answer to a call, ready for the next request. */
export type OpenAiOutput<C extends OpenAiCall = OpenAiCall> = C extends { readonly type: "function_call" }
  ? OpenAiFunctionOutput
  : C extends { readonly type: "apply_patch_call" }
    ? OpenAiPatchOutput
    : OpenAiChatOutput;

type KitCallOptions = { readonly signal?: AbortSignal | undefined };

export type OpenAiKit = {
  /** The `tools` of a request to the Responses API. */
  readonly definitions: OpenAiTool[];
  /** The `tools` of a request to Chat Completions. */
  readonly chatDefinitions: OpenAiChatTool[];
  run<C extends OpenAiCall>(call: C, options?: KitCallOptions): Promise<OpenAiOutput<C>>;
  /** Runs every call among the items of a response, in order: the input of the next request. */
  runAll(
    items: readonly { readonly type: string }[],
    options?: KitCallOptions,
  ): Promise<(OpenAiFunctionOutput | OpenAiPatchOutput)[]>;
};

export function openAiKit(host: ToolHost<ToolName>, { strict = false, tools }: OpenAiOptions): OpenAiKit {
  const run = <C extends OpenAiCall>(call: C, { signal }: KitCallOptions = {}): Promise<OpenAiOutput<C>> =>
    runCall(host, call, signal) as Promise<OpenAiOutput<C>>;
  const functions = tools === "apply_patch" ? [] : host.list().map((tool) => functionOf(tool, strict));
  return {
    definitions:
      tools === "apply_patch"
        ? [{ type: "apply_patch" }]
        : functions.map((each) => ({ type: "function", ...each })),
    chatDefinitions: functions.map((each) => ({ type: "function", function: each })),
    run,
    runAll: async (items, options) => {
      const answers: (OpenAiFunctionOutput | OpenAiPatchOutput)[] = [];
      for (const item of items)
        if (item.type === "function_call" || item.type === "apply_patch_call")
          answers.push(await run(item as Exclude<OpenAiCall, { type: "function" }>, options));
      return answers;
    },
  };
}

function functionOf(tool: SessionTool, strict: boolean): OpenAiChatTool["function"] {
  const { name, description } = tool;
  const parameters = { ...(strict ? tool.strictSchema : tool.inputSchema) };
  return { name, description, parameters, strict };
}

async function runCall(
  host: ToolHost<ToolName>,
  call: OpenAiCall,
  signal: AbortSignal | undefined,
): Promise<OpenAiOutput> {
  if (call.type === "apply_patch_call") {
    const result = await host.patch(call.operation, signal);
    const status = result.success ? "completed" : "failed";
    return { type: "apply_patch_call_output", call_id: call.call_id, status, output: textOf(result) };
  }
  const { name, arguments: text } = call.type === "function" ? call.function : call;
  const result = await host.call(name, withoutNulls(parseArguments(text)), signal);
  const output = result.success ? result.output : `Error: ${textOf(result)}`;
  if (call.type === "function") return { role: "tool", tool_call_id: call.id, content: output };
  return { type: "function_call_output", call_id: call.call_id, output };
}

/** Text that is not JSON is passed on: the tool says what it takes. */
function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return text;
  }
}
