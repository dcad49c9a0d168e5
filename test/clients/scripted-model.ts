import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** One answer of the model: a tool to call, or the last words of a turn. */
export type Step =
  | {
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>> | string;
      readonly namespace?: string;
    }
  | { readonly say: string };

/** A request of a client, as it was sent. */
export type ModelRequest = { readonly path: string; readonly body: string };

/**
 * A model that follows a script instead of thinking, for real clients on a machine without a network. It speaks the
 * interfaces of three providers. A request that offers tools takes the next step; any other gets a plain word.
 */
export class ScriptedModel {
  readonly requests: ModelRequest[] = [];
  readonly #steps: readonly Step[];
  readonly #server: Server;
  #taken = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** The address that clients are given. */
  async listen(): Promise<string> {
    await new Promise<void>((ready) => this.#server.listen(0, "127.0.0.1", ready));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const path = request.url ?? "";
    if (request.method !== "POST" || /count_?tokens/i.test(path)) sendJson(response, tokenCount);
    else this.#speak(response, { path, body });
  }

  #speak(response: ServerResponse, { path, body }: ModelRequest): void {
    const asked = readBody(body);
    const step = this.#next(asked, { path, body });
    if (path.includes("/responses")) sendEvents(response, responsesEvents(step, this.#taken));
    else if (path.includes("/messages")) sendMessage(response, step, { asked, number: this.#taken });
    else if (/generateContent/i.test(path)) sendGemini(response, step, path);
    else response.writeHead(404).end();
  }

  #next(asked: AskedBody, request: ModelRequest): Step {
    if (!asked.tools?.length) return { say: "ok" };
    this.requests.push(request);
    return this.#steps[this.#taken++] ?? { say: "Done." };
  }
}

const tokenCount = { input_tokens: 10, totalTokens: 10 };

type AskedBody = { readonly tools?: readonly unknown[]; readonly stream?: boolean; readonly model?: string };

function readBody(body: string): AskedBody {
  try {
    return JSON.parse(body) as AskedBody;
  } catch {
    return {};
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

type ServerEvent = { readonly type: string; readonly [field: string]: unknown };

function sendEvents(response: ServerResponse, events: readonly ServerEvent[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

/** OpenAI's Responses: a text as input means a tool that takes free text. */
function responsesEvents(step: Step, number: number): ServerEvent[] {
  const item = responsesItem(step, number);
  const usage = {
    input_tokens: 10,
    input_tokens_details: null,
    output_tokens: 5,
    output_tokens_details: null,
    total_tokens: 15,
  };
  const id = `resp_${number}`;
  return [
    { type: "response.created", response: { id } },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id, output: [item], usage } },
  ];
}

function responsesItem(step: Step, number: number): unknown {
  if ("say" in step) {
    const content = [{ type: "output_text", text: step.say, annotations: [] }];
    return { type: "message", role: "assistant", id: `msg_${number}`, content };
  }
  const call = { call_id: `call_${number}`, name: step.tool };
  if (typeof step.input === "string")
    return { type: "custom_tool_call", id: `ctc_${number}`, status: "completed", ...call, input: step.input };
  const { namespace } = step;
  return {
    type: "function_call",
    id: `fc_${number}`,
    ...call,
    namespace,
    arguments: JSON.stringify(step.input),
  };
}

/** Anthropic's Messages, streamed or whole. */
function sendMessage(
  response: ServerResponse,
  step: Step,
  { asked, number }: { readonly asked: AskedBody; readonly number: number },
): void {
  const block =
    "say" in step
      ? { type: "text", text: step.say }
      : { type: "tool_use", id: `toolu_${number}`, name: step.tool, input: step.input };
  const stop_reason = "say" in step ? "end_turn" : "tool_use";
  const head = { id: `msg_${number}`, type: "message", role: "assistant", model: asked.model };
  const usage = { input_tokens: 10, output_tokens: 5 };
  if (!asked.stream) {
    sendJson(response, { ...head, content: [block], stop_reason, stop_sequence: null, usage });
    return;
  }
  const opening = "say" in step ? { type: "text", text: "" } : { ...block, input: {} };
  const delta =
    "say" in step
      ? { type: "text_delta", text: step.say }
      : { type: "input_json_delta", partial_json: JSON.stringify(step.input) };
  const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage };
  sendEvents(response, [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: opening },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ]);
}

/** Gemini's generateContent, streamed or whole. */
function sendGemini(response: ServerResponse, step: Step, path: string): void {
  const part = "say" in step ? { text: step.say } : { functionCall: { name: step.tool, args: step.input } };
  const content = { role: "model", parts: [part] };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  const answer = { candidates: [{ content, finishReason: "STOP", index: 0 }], usageMetadata };
  if (!/stream/i.test(path)) {
    sendJson(response, answer);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(answer)}\n\n`);
}
