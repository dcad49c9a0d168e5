import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Call, openServer, type Request, type Turn } from "../agents/scripted-server.ts";

type Schema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
};

type FunctionTool = { readonly name: string; readonly parameters: Schema; readonly strict?: boolean };

/** A function as either API of OpenAI has it. */
type AnyTool = { readonly type?: string; readonly function?: FunctionTool } & Partial<FunctionTool>;

export type ScriptedModels = {
  /** For chat completions and for Anthropic's messages. */
  readonly url: string;
  /** For OpenAI's responses. */
  readonly responsesUrl: string;
  close(): Promise<void>;
};

/**
 * Models whose answers are in the prompt, as JSON. As OpenAI does, they refuse a strict function whose schema breaks the
 * rules of strict mode, and give every field of a strict function.
 */
export async function openModels(): Promise<ScriptedModels> {
  const threads = new Map<string, Thread>();
  const models = await openServer((request, index) => {
    const { previous_message_id: previous } = (request.body.thread ?? {}) as { previous_message_id?: string };
    const before = previous === undefined ? undefined : threads.get(previous);
    const thread = before ? { ...before, said: before.said + 1 } : threadOf(request);
    threads.set(`msg_${index}`, thread);
    return answerOf(thread);
  });
  const responses = await openResponses();
  return {
    url: models.url,
    responsesUrl: responses.url,
    close: async () => {
      await models.close();
      await responses.close();
    },
  };
}

/** A conversation so far. A client of Anthropic may send only what is new, and the id of the message before. */
type Thread = { readonly prompt: string; readonly said: number; readonly tools: readonly AnyTool[] };

function threadOf({ messages, body }: Request): Thread {
  const said = messages.filter(({ role }) => role === "assistant").length;
  return { prompt: messages[0]!.text, said, tools: (body.tools ?? []) as AnyTool[] };
}

function answerOf({ prompt, said, tools }: Thread): Turn {
  const strict = tools.map((tool) => tool.function ?? tool).filter((tool) => tool.strict) as FunctionTool[];
  const loose = strict.filter(({ parameters }) => !isStrict(parameters));
  if (loose.length > 0)
    return { status: 400, text: `not strict: ${loose.map(({ name }) => name).join(", ")}` };
  const turns = JSON.parse(prompt) as { readonly calls: readonly Call[] }[];
  const turn = turns[said];
  return turn ? { calls: turn.calls.map((call) => withEveryField(call, strict)) } : { text: "Done." };
}

/** The rules of OpenAI's strict mode: every field is required, and no other field is allowed. */
function isStrict(schema: Schema): boolean {
  const { properties = {}, required = [], additionalProperties, items } = schema;
  const isObject = schema.type === "object" || "properties" in schema;
  const names = Object.keys(properties);
  if (isObject && (additionalProperties !== false || names.some((name) => !required.includes(name))))
    return false;
  return [...Object.values(properties), ...(items ? [items] : [])].every(isStrict);
}

function withEveryField(call: Call, strict: readonly FunctionTool[]): Call {
  const tool = strict.find(({ name }) => name === call.name);
  const nulls = Object.keys(tool?.parameters.properties ?? {}).map((name) => [name, null]);
  return { name: call.name, input: { ...Object.fromEntries(nulls), ...(call.input as object) } };
}

type ResponsesRequest = {
  readonly model: string;
  readonly input: readonly { readonly type?: string; readonly role?: string; readonly content?: string }[];
  readonly tools: readonly AnyTool[];
};

async function openResponses(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ResponsesRequest;
    const { status, body } = respond(request);
    outgoing.writeHead(status, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function respond({ model, input, tools }: ResponsesRequest): { status: number; body: unknown } {
  const said = input.filter(({ type }) => type === "function_call" || type === "apply_patch_call").length;
  const { status = 200, text, calls = [] } = answerOf({ prompt: input[0]!.content!, said, tools });
  if (status >= 400) return { status, body: { error: { message: text, type: "invalid_request_error" } } };
  const hasPatch = tools.some(({ type }) => type === "apply_patch");
  const output = calls.map((call, i) => itemOf(call as Call, `${said}_${i}`, hasPatch));
  const message = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [] };
  return {
    status,
    body: {
      id: `resp_${said}`,
      object: "response",
      created_at: 1_700_000_000,
      status: "completed",
      model,
      output: output.length > 0 ? output : [message],
      parallel_tool_calls: true,
      tools: [],
    },
  };
}

function itemOf({ name, input }: Call, id: string, hasPatch: boolean): unknown {
  const known = { id: `item_${id}`, call_id: `call_${id}`, status: "completed" };
  return hasPatch && name === "apply_patch"
    ? { type: "apply_patch_call", ...known, operation: input }
    : { type: "function_call", ...known, name, arguments: JSON.stringify(input) };
}
