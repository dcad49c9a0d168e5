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
  const input = wholeLines(process.stdin, open.whenAnswered);
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

type InputStream = import("node:stream").Readable;

/**
 * The input in chunks that end with a line, so a long message is scanned once. At the end of the input it waits for
 * the answers that are still due: a client may close the pipe right after its last request.
 */
function wholeLines(input: InputStream, answered: () => Promise<void>): InputStream {
  const { Readable } = process.getBuiltinModule("node:stream");
  const output = new Readable({ read: () => void input.resume() });
  const lines = new LineChunks((chunk) => {
    if (!output.push(chunk)) input.pause();
  });
  input.on("data", (chunk: Buffer) => lines.add(chunk));
  input.on("error", (error) => output.destroy(error));
  input.once("end", () => {
    lines.end();
    // The server starts to answer one tick after it reads.
    setImmediate(() => void answered().then(() => output.push(null)));
  });
  return output;
}

/** Puts chunks together so that each ends with a line. Refuses a message over the limit, and goes on behind it. */
class LineChunks {
  readonly #give: (chunk: Buffer) => void;
  #pending: Buffer[] = [];
  #size = 0;
  #skipping: OversizedMessage | null = null;

  constructor(give: (chunk: Buffer) => void) {
    this.#give = give;
  }

  add(received: Buffer): void {
    const rest = this.#skipping ? this.#skip(this.#skipping, received) : received;
    const chunk = rest && this.#limit(rest);
    if (!chunk) return;
    const stop = chunk.lastIndexOf(10) + 1;
    if (stop > 0) {
      const lines = chunk.subarray(0, stop);
      this.#give(this.#pending.length === 0 ? lines : Buffer.concat([...this.#pending, lines]));
      this.#pending = [];
      this.#size = 0;
    }
    if (stop < chunk.length) this.#pending.push(chunk.subarray(stop));
    this.#size += chunk.length - stop;
  }

  /** The last line may have no end. */
  end(): void {
    if (this.#size > 0) this.#give(Buffer.concat([...this.#pending, Buffer.from("\n")]));
  }

  /** The part of a chunk behind the message that is skipped; `null`: the message goes on. */
  #skip(message: OversizedMessage, chunk: Buffer): Buffer | null {
    const end = chunk.indexOf(10);
    message.add(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0) return null;
    message.refuse();
    this.#skipping = null;
    return chunk.subarray(end + 1);
  }

  /** Begins to skip if the first message of a chunk is over the limit. Returns the chunk without that message. */
  #limit(chunk: Buffer): Buffer | null {
    const end = chunk.indexOf(10);
    const first = end < 0 ? chunk.length : end;
    if (this.#size + first <= largestMessage) return chunk;
    const message = new OversizedMessage([...this.#pending, chunk.subarray(0, first)]);
    this.#pending = [];
    this.#size = 0;
    if (end < 0) {
      this.#skipping = message;
      return null;
    }
    message.refuse();
    return chunk.subarray(first + 1);
  }
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
