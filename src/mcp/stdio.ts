import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { serverText } from "../wording/mcp.ts";
import type { McpDoor } from "./server.ts";

const largestMessage = 16 * 1024 * 1024;

/** Serves one client over standard input and output until it leaves. False after an invalid message. */
export async function serveStdio(door: McpDoor): Promise<boolean> {
  keepOutputClean();
  const open = openRequests();
  let sound = true;
  const input = readableFrom(wholeLines(process.stdin, open.whenAnswered));
  input.on("error", () => {
    sound = false;
  });
  // `wholeLines` enforces the limit. The SDK may hold one checked line and part of the next.
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: 4 * largestMessage });
  await new Promise<void>((resolve) => {
    const wire = watched(transport, open, resolve);
    const onerror = (error: Error): void => void process.stderr.write(`suture: ${error.message}\n`);
    const handle = serve(() => door.createServer(), { transport: wire, onerror });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void handle.close());
  });
  process.stdin.destroy();
  await door.close();
  return sound;
}

/** Standard output belongs to the protocol, so libraries print to standard error. */
function keepOutputClean(): void {
  console.log = console.info = console.debug = console.error;
}

type OpenRequests = {
  begin(id: string | number): void;
  end(id: string | number): void;
  /** Resolves when every request has its answer. */
  whenAnswered(): Promise<void>;
};

function openRequests(): OpenRequests {
  const open = new Set<string | number>();
  const waiting: (() => void)[] = [];
  return {
    begin: (id) => void open.add(id),
    end: (id) => {
      open.delete(id);
      if (open.size === 0) for (const go of waiting.splice(0)) go();
    },
    whenAnswered: () => new Promise((resolve) => (open.size === 0 ? resolve() : waiting.push(resolve))),
  };
}

/** The transport, with a record of the requests that still wait for an answer. */
function watched(transport: Transport, open: OpenRequests, onclosed: () => void): Transport {
  const wire: Transport = {
    start: () => {
      transport.onmessage = (message, extra) => {
        noteRequest(message, open);
        wire.onmessage?.(message, extra);
      };
      transport.onerror = (error) => wire.onerror?.(error);
      transport.onclose = () => {
        wire.onclose?.();
        onclosed();
      };
      return transport.start();
    },
    send: async (message, options) => {
      await transport.send(message, options);
      if ("id" in message && message.id !== undefined && !("method" in message)) open.end(message.id);
    },
    close: () => transport.close(),
  };
  return wire;
}

function noteRequest(message: JSONRPCMessage, open: OpenRequests): void {
  if (!("method" in message)) return;
  if ("id" in message) open.begin(message.id);
  const cancelled = (message.params as { requestId?: string | number } | undefined)?.requestId;
  if (message.method === "notifications/cancelled" && cancelled !== undefined) open.end(cancelled);
}

function readableFrom(source: AsyncGenerator<Buffer>): import("node:stream").Readable {
  return process.getBuiltinModule("node:stream").Readable.from(source);
}

/**
 * The input in chunks that end with a line, so a long message is scanned once. At the end of the input it waits for
 * the answers that are still due: a client may close the pipe right after its last request.
 */
async function* wholeLines(
  input: AsyncIterable<Buffer>,
  answered: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let size = 0;
  let skipping: OversizedMessage | null = null;
  for await (const received of input) {
    let chunk = received;
    if (skipping) {
      const end = chunk.indexOf(10);
      skipping.add(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) continue;
      skipping.refuse();
      skipping = null;
      chunk = chunk.subarray(end + 1);
    }
    const end = chunk.lastIndexOf(10) + 1;
    const first = end === 0 ? chunk.length : chunk.indexOf(10);
    if (size + first > largestMessage) {
      skipping = new OversizedMessage([...pending, chunk.subarray(0, first)]);
      pending = [];
      size = 0;
      if (end === 0) continue;
      skipping.refuse();
      skipping = null;
      chunk = chunk.subarray(first + 1);
    }
    const stop = chunk.lastIndexOf(10) + 1;
    if (stop > 0) {
      yield Buffer.concat([...pending, chunk.subarray(0, stop)]);
      pending = [];
      size = 0;
    }
    if (stop < chunk.length) pending.push(chunk.subarray(stop));
    size += chunk.length - stop;
  }
  if (size > 0) yield Buffer.concat([...pending, Buffer.from("\n")]);
  // The server starts to answer one tick after it reads.
  await new Promise((resolve) => setImmediate(resolve));
  await answered();
}

const edgeKept = 4096;

/** A message over the limit, of which only the ends are kept, to find the id that its refusal has to carry. */
class OversizedMessage {
  readonly #head: string;
  #tail: string;

  constructor(chunks: readonly Buffer[]) {
    const text = Buffer.concat(chunks);
    this.#head = text.toString("utf8", 0, edgeKept);
    this.#tail = text.toString("utf8", Math.max(0, text.length - edgeKept));
  }

  add(chunk: Buffer): void {
    this.#tail = (this.#tail + chunk.toString("utf8", Math.max(0, chunk.length - edgeKept))).slice(-edgeKept);
  }

  refuse(): void {
    const id = this.#id();
    const message = serverText.tooLarge(largestMessage);
    process.stderr.write(`suture: ${message}\n`);
    const answer = { jsonrpc: "2.0", id, error: { code: invalidRequest, message } };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }

  /** Clients write the id before the parameters, or behind them at the very end. */
  #id(): string | number | null {
    const [head = ""] = this.#head.split(/"params"\s*:/, 1);
    const found = /"id"\s*:\s*("[^"\\]{0,200}"|-?\d{1,16})/.exec(head) ?? idAtEnd.exec(this.#tail);
    return found ? (JSON.parse(found[1]!) as string | number) : null;
  }
}

const invalidRequest = -32_600;
const idAtEnd = /"id"\s*:\s*("[^"\\]{0,200}"|-?\d{1,16})\s*\}\s*$/;
