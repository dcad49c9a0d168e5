import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Stands in for a model provider over real HTTP: it speaks the wire formats of OpenAI chat completions, Anthropic
 * messages and Google generateContent, and answers as a script says. Everything measured with it is measured
 * without a real model.
 */
export type Wire = "openai" | "anthropic" | "google";

export type Call = { readonly name: string; readonly input: unknown };

/** One answer. `raw` arguments are sent as they are, so they may be malformed. */
export type Turn = {
  readonly text?: string;
  readonly calls?: readonly (Call | { readonly name: string; readonly raw: string })[];
  readonly cut?: boolean;
  readonly usage?: { readonly input: number; readonly output: number };
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of a well-formed answer. */
  readonly body?: string;
  readonly drop?: boolean;
  /** Of an answer in pieces, only so many; then the connection breaks. */
  readonly tear?: number;
  /** Milliseconds between pieces. */
  readonly pause?: number;
  readonly hang?: boolean;
};

export type Message = {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls: readonly Call[];
};

/** A request as the script sees it, whatever the format. */
export type Request = {
  readonly wire: Wire;
  readonly model: string;
  readonly url: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly string[];
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
};

export type Script = readonly Turn[] | ((request: Request, index: number) => Turn | Promise<Turn>);

export type ScriptedServer = {
  readonly url: string;
  readonly requests: readonly Request[];
  /** The texts of each request for embeddings. */
  readonly embedded: readonly (readonly string[])[];
  /** The variables that point a provider at this server. */
  environment(wire: Wire): Record<string, string>;
  close(): Promise<void>;
};

export async function openServer(script: Script): Promise<ScriptedServer> {
  const requests: Request[] = [];
  const embedded: string[][] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(await readAll(incoming)) as Record<string, unknown>;
    if (incoming.url?.endsWith("/embeddings")) {
      embedded.push(body.input as string[]);
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(pointsOf(body.input as string[])));
      return;
    }
    const request = parseRequest(incoming, body);
    requests.push(request);
    const index = requests.length - 1;
    const turn =
      typeof script === "function" ? await script(request, index) : (script[index] ?? { text: "Done." });
    answer(outgoing, request, turn, index);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    embedded,
    environment: (wire) => environments[wire](url),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const environments: Record<Wire, (url: string) => Record<string, string>> = {
  openai: (url) => ({
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "sk-scripted-0123456789abcdef",
    SUTURE_MODEL: "openai:gpt-4o-mini",
  }),
  anthropic: (url) => ({
    ANTHROPIC_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: "sk-ant-scripted-0123456789abcdef",
    SUTURE_MODEL: "anthropic:claude-haiku-4-5",
  }),
  google: (url) => ({
    GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta`,
    GOOGLE_GENERATIVE_AI_API_KEY: "scripted-key-0123456789abcdef",
    SUTURE_MODEL: "google:gemini-2.5-flash",
  }),
};

/** Embeddings in which texts about needles are near each other. */
function pointsOf(texts: readonly string[]): unknown {
  const data = texts.map((text, index) => ({
    object: "embedding",
    index,
    embedding: [/needle/i.test(text) ? 1 : 0, /needle/i.test(text) ? 0 : 1],
  }));
  return { object: "list", model: "points", data, usage: { prompt_tokens: 7, total_tokens: 7 } };
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function answer(outgoing: ServerResponse, request: Request, turn: Turn, index: number): void {
  if (turn.hang) return;
  if (turn.drop) {
    outgoing.socket?.destroy();
    return;
  }
  const status = turn.status ?? 200;
  const streamed = isStreamed(request) && status < 400;
  const type = streamed ? "text/event-stream" : "application/json";
  outgoing.writeHead(status, { "content-type": type, ...turn.headers });
  const failed = {
    type: "error",
    error: { code: status, status: "SCRIPTED", type: "scripted", message: turn.text ?? "" },
  };
  if (streamed && turn.body === undefined) {
    void stream(outgoing, request, turn, index);
    return;
  }
  const well = status >= 400 ? failed : printers[request.wire](turn, request, index);
  outgoing.end(turn.body ?? JSON.stringify(well));
}

function isStreamed({ wire, body, url }: Request): boolean {
  return wire === "google" ? url.includes(":streamGenerateContent") : body.stream === true;
}

/** The same answer in pieces, as each provider cuts it. */
async function stream(outgoing: ServerResponse, request: Request, turn: Turn, index: number): Promise<void> {
  const events = streamers[request.wire](turn, request, index);
  for (const event of events.slice(0, turn.tear)) {
    outgoing.write(event);
    if (turn.pause !== undefined) await new Promise((resolve) => setTimeout(resolve, turn.pause));
  }
  if (turn.tear === undefined) outgoing.end();
  else outgoing.socket?.destroy();
}

type Part = Record<string, unknown>;

function parseRequest({ url = "", headers }: IncomingMessage, body: Record<string, unknown>): Request {
  const wire: Wire = url.endsWith("/chat/completions")
    ? "openai"
    : url.endsWith("/messages")
      ? "anthropic"
      : "google";
  const model = wire === "google" ? (/models\/([^:]+):/.exec(url)?.[1] ?? "") : String(body.model);
  return { wire, model, url, headers, body, ...parsers[wire](body) };
}

type Parsed = Pick<Request, "system" | "messages" | "tools">;

const parsers: Record<Wire, (body: Record<string, unknown>) => Parsed> = {
  openai: (body) => {
    const all = body.messages as Part[];
    const isSystem = ({ role }: Part) => role === "system" || role === "developer";
    return {
      system: all
        .filter(isSystem)
        .map(({ content }) => textOf(content))
        .join("\n"),
      messages: all
        .filter((message) => !isSystem(message))
        .map((message) => ({
          role: message.role as Message["role"],
          text: textOf(message.content),
          calls: ((message.tool_calls ?? []) as Part[]).map(({ function: called }) => {
            const { name, arguments: input } = called as { name: string; arguments: string };
            return { name, input: parseOrRaw(input) };
          }),
        })),
      tools: ((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name),
    };
  },
  anthropic: (body) => ({
    system: textOf(body.system),
    messages: (body.messages as Part[]).flatMap(({ role, content }) => {
      const parts = (typeof content === "string" ? [{ type: "text", text: content }] : content) as Part[];
      const results = parts.filter(({ type }) => type === "tool_result");
      if (results.length > 0)
        return results.map((part) => ({ role: "tool" as const, text: textOf(part.content), calls: [] }));
      const calls = parts.filter(({ type }) => type === "tool_use");
      return [
        {
          role: role as Message["role"],
          text: textOf(parts.filter(({ type }) => type === "text")),
          calls: calls.map(({ name, input }) => ({ name: String(name), input })),
        },
      ];
    }),
    tools: ((body.tools ?? []) as { name: string }[]).map(({ name }) => name),
  }),
  google: (body) => ({
    system: textOf((body.systemInstruction as { parts?: unknown } | undefined)?.parts),
    messages: (body.contents as { role: string; parts: Part[] }[]).flatMap(({ role, parts }): Message[] => {
      const results = parts.filter((part) => "functionResponse" in part);
      if (results.length > 0)
        return results.map((part) => ({
          role: "tool" as const,
          text: JSON.stringify(part.functionResponse),
          calls: [],
        }));
      return [
        {
          role: role === "model" ? ("assistant" as const) : ("user" as const),
          text: textOf(parts.filter((part) => "text" in part)),
          calls: parts.flatMap((part) => {
            const call = part.functionCall as { name: string; args: unknown } | undefined;
            return call ? [{ name: call.name, input: call.args }] : [];
          }),
        },
      ];
    }),
    tools: ((body.tools ?? []) as { functionDeclarations?: { name: string }[] }[]).flatMap(
      ({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name),
    ),
  }),
};

const defaultUsage = { input: 100, output: 10 };

const printers: Record<Wire, (turn: Turn, request: Request, index: number) => unknown> = {
  openai: ({ text, calls = [], cut, usage = defaultUsage }, { model }, index) => ({
    id: `chatcmpl-${index}`,
    object: "chat.completion",
    created: 1_700_000_000,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text ?? null,
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call, i) => ({
                  id: `call_${index}_${i}`,
                  type: "function",
                  function: {
                    name: call.name,
                    arguments: "raw" in call ? call.raw : JSON.stringify(call.input),
                  },
                })),
              }),
        },
        finish_reason: cut ? "length" : calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  }),
  anthropic: ({ text, calls = [], cut, usage = defaultUsage }, { model }, index) => ({
    id: `msg_${index}`,
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(text === undefined ? [] : [{ type: "text", text }]),
      ...calls.map((call, i) => ({
        type: "tool_use",
        id: `toolu_${index}_${i}`,
        name: call.name,
        input: "raw" in call ? parseOrRaw(call.raw) : call.input,
      })),
    ],
    stop_reason: cut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  }),
  google: ({ text, calls = [], cut, usage = defaultUsage }) => ({
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            ...(text === undefined ? [] : [{ text }]),
            ...calls.map((call) => ({
              functionCall: { name: call.name, args: "raw" in call ? parseOrRaw(call.raw) : call.input },
            })),
          ],
        },
        finishReason: cut ? "MAX_TOKENS" : "STOP",
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
  }),
};

const half = (text: string): [string, string] => [
  text.slice(0, text.length / 2),
  text.slice(text.length / 2),
];
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const argumentsOf = (call: NonNullable<Turn["calls"]>[number]): string =>
  "raw" in call ? call.raw : JSON.stringify(call.input);

const streamers: Record<Wire, (turn: Turn, request: Request, index: number) => string[]> = {
  openai: ({ text, calls = [], cut, usage = defaultUsage }, { model }, index) => {
    const chunk = (delta: Part, finish: string | null = null): string =>
      data({
        id: `chatcmpl-${index}`,
        object: "chat.completion.chunk",
        created: 1_700_000_000,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const asked = calls.flatMap((call, i) => [
      chunk({
        tool_calls: [
          {
            index: i,
            id: `call_${index}_${i}`,
            type: "function",
            function: { name: call.name, arguments: "" },
          },
        ],
      }),
      ...half(argumentsOf(call)).map((piece) =>
        chunk({ tool_calls: [{ index: i, function: { arguments: piece } }] }),
      ),
    ]);
    const { choices } = printers.openai({ text, calls, cut, usage } as Turn, { model } as Request, index) as {
      choices: { finish_reason: string }[];
    };
    return [
      chunk({ role: "assistant", content: "" }),
      ...(text === undefined ? [] : half(text).map((content) => chunk({ content }))),
      ...asked,
      chunk({}, choices[0]!.finish_reason),
      data({
        id: `chatcmpl-${index}`,
        object: "chat.completion.chunk",
        created: 1_700_000_000,
        model,
        choices: [],
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
        },
      }),
      "data: [DONE]\n\n",
    ];
  },
  anthropic: (turn, request, index) => {
    const { text, calls = [], usage = defaultUsage } = turn;
    const event = (type: string, rest: Part): string => `event: ${type}\n${data({ type, ...rest })}`;
    const whole = printers.anthropic(turn, request, index) as Part;
    const block = (at: number, start: Part, deltas: Part[]): string[] => [
      event("content_block_start", { index: at, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index: at, delta })),
      event("content_block_stop", { index: at }),
    ];
    const first = text === undefined ? 0 : 1;
    return [
      event("message_start", {
        message: {
          ...whole,
          content: [],
          stop_reason: null,
          usage: { input_tokens: usage.input, output_tokens: 1 },
        },
      }),
      ...(text === undefined
        ? []
        : block(
            0,
            { type: "text", text: "" },
            half(text).map((piece) => ({ type: "text_delta", text: piece })),
          )),
      ...calls.flatMap((call, i) =>
        block(
          first + i,
          { type: "tool_use", id: `toolu_${index}_${i}`, name: call.name, input: {} },
          half(argumentsOf(call)).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
        ),
      ),
      event("message_delta", {
        delta: { stop_reason: whole.stop_reason, stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      event("message_stop", {}),
    ];
  },
  google: (turn, request, index) => {
    const whole = printers.google(turn, request, index) as { candidates: Part[]; usageMetadata: unknown };
    const [candidate] = whole.candidates as { content: { role: string; parts: Part[] } }[];
    const pieces = candidate!.content.parts.flatMap((part) =>
      typeof part.text === "string" ? half(part.text).map((text) => ({ text })) : [part],
    );
    const said = pieces.map((part) =>
      data({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] }),
    );
    return [
      ...said,
      data({ ...whole, candidates: [{ ...candidate, content: { role: "model", parts: [] } }] }),
    ];
  },
};

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}

function parseOrRaw(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
