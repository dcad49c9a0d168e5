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
  /** The variables that point a provider at this server. */
  environment(wire: Wire): Record<string, string>;
  close(): Promise<void>;
};

export async function openServer(script: Script): Promise<ScriptedServer> {
  const requests: Request[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(await readAll(incoming)) as Record<string, unknown>;
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
  outgoing.writeHead(status, { "content-type": "application/json", ...turn.headers });
  const failed = {
    type: "error",
    error: { code: status, status: "SCRIPTED", type: "scripted", message: turn.text ?? "" },
  };
  const well = status >= 400 ? failed : printers[request.wire](turn, request, index);
  outgoing.end(turn.body ?? JSON.stringify(well));
}

type Part = Record<string, unknown>;

function parseRequest({ url = "", headers }: IncomingMessage, body: Record<string, unknown>): Request {
  const wire: Wire = url.endsWith("/chat/completions")
    ? "openai"
    : url.endsWith("/messages")
      ? "anthropic"
      : "google";
  const model = wire === "google" ? (/models\/([^:]+):/.exec(url)?.[1] ?? "") : String(body.model);
  return { wire, model, headers, body, ...parsers[wire](body) };
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
