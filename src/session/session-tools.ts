import { callTool, catalog } from "../docs/catalog.ts";
import { RefusalError } from "../text/model/outcome.ts";
import { inputSchema } from "../tools/catalog.ts";
import type { Context, Result } from "../tools/tool.ts";
import { refused } from "../wording/report.ts";
import { Lifetime } from "../workspace/lifetime.ts";
import { type AiTools, aiTools } from "./ai.ts";
import { type AnthropicKit, anthropicKit } from "./anthropic.ts";
import { withSignal } from "./call-signal.ts";
import { type McpHandler, type McpHandlerOptions, mcpHandler } from "./mcp.ts";
import { type OpenAiKit, type OpenAiOptions, openAiKit } from "./openai.ts";
import { applyOperation, type PatchOperation } from "./patch-operation.ts";
import { type JsonSchema, strictSchema } from "./strict-schema.ts";
import { runTextEditor } from "./text-editor.ts";
import type { ToolName, ToolResult } from "./tool-types.ts";

/** A tool in a form that any agent framework can take: a name, a text, a schema and a function. */
export type SessionTool<N extends ToolName = ToolName> = {
  readonly name: N;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The schema for OpenAI's `strict: true`. */
  readonly strictSchema: JsonSchema;
  readonly readOnly: boolean;
  /** Checks the input itself, so a model's input can be passed as it came. */
  run(input: unknown, options?: { readonly signal?: AbortSignal | undefined }): Promise<ToolResult<N>>;
};

/** The state that the adapters share: the offered tools, and one queue for their calls. */
export type ToolHost<Names extends ToolName = ToolName> = {
  readonly context: Context;
  list(): readonly SessionTool<Names>[];
  call(name: string, input: unknown, signal?: AbortSignal): Promise<Result>;
  editText(input: unknown, signal?: AbortSignal): Promise<Result>;
  patch(operation: PatchOperation, signal?: AbortSignal): Promise<Result>;
};

/**
 * The tools of a session for the SDKs of the vendors. The calls of these adapters run one after the other, so the calls
 * of one step of a model run in the model's order. MCP calls and `session.call` do not wait for them.
 */
export class SessionTools<Names extends ToolName = ToolName> implements ToolHost<Names> {
  readonly context: Context;
  readonly #names: readonly Names[];
  readonly #lifetime = new Lifetime(() => new RefusalError({ code: "closed" }));
  #last: Promise<unknown> = Promise.resolve();
  readonly #handlers: McpHandler[] = [];

  constructor(context: Context, names: readonly Names[]) {
    this.context = context;
    this.#names = names;
  }

  /** Every tool as plain data and a function, for frameworks without an adapter here. */
  list(): readonly SessionTool<Names>[] {
    return this.#names.map((name) => {
      const tool = catalog.find((each) => each.name === name)!;
      const { title, description, access } = tool;
      const schema: JsonSchema = inputSchema(tool, this.context);
      return {
        name,
        title,
        description,
        inputSchema: schema,
        strictSchema: strictSchema(schema),
        readOnly: access === "read",
        run: async (input, { signal } = {}) =>
          (await this.call(name, input, signal)) as unknown as ToolResult<typeof name>,
      };
    });
  }

  /** Tools of the Vercel AI SDK: pass them to `generateText`, `streamText` or an agent. */
  ai(): AiTools<Names> {
    return aiTools(this);
  }

  /** Tools for Anthropic's SDK: `definitions` for a request or its tool runner, `run` for a `tool_use` block. */
  anthropic(): AnthropicKit {
    return anthropicKit(this, "suture");
  }

  /** Anthropic's own text editor tool, executed by this session. */
  textEditor(): AnthropicKit {
    return anthropicKit(this, "text-editor");
  }

  /** Tools for OpenAI's SDK: functions, for the Responses API or for Chat Completions. */
  openai(options: OpenAiOptions = {}): OpenAiKit {
    return openAiKit(this, options);
  }

  /** OpenAI's own `apply_patch` tool of the Responses API, executed by this session. */
  applyPatch(): OpenAiKit {
    return openAiKit(this, { tools: "apply_patch" });
  }

  /** An MCP server as a function from a request to a response. Check who is asking before you call it. */
  mcp(options: McpHandlerOptions = {}): McpHandler {
    const handler = mcpHandler(this.context, options);
    this.#handlers.push(handler);
    return handler;
  }

  /** Calls a tool with input that has not been checked. */
  call(name: string, input: unknown, signal?: AbortSignal): Promise<Result> {
    return this.#inOrder(name, () => callTool(withSignal(this.context, signal), name, input));
  }

  editText(input: unknown, signal?: AbortSignal): Promise<Result> {
    const context = withSignal(this.context, signal);
    return this.#inOrder("str_replace_based_edit_tool", () => runTextEditor(context, input));
  }

  patch(operation: PatchOperation, signal?: AbortSignal): Promise<Result> {
    const context = withSignal(this.context, signal);
    return this.#inOrder("apply_patch", () => applyOperation(context, operation));
  }

  /** The session closes its tools: earlier calls are answered first, later ones are refused. */
  async close(): Promise<void> {
    for (const handler of this.#handlers) await handler.close();
    await this.#lifetime.close(async () => {});
  }

  #inOrder(tool: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#lifetime.isClosed)
      return Promise.resolve(refused({ code: "closed" }, { tool, wording: "files" }));
    return this.#lifetime.during(() => {
      const next = this.#last.then(work, work);
      this.#last = next.catch(() => {});
      return next;
    });
  }
}
