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
  for await (const chunk of input) {
    const end = chunk.lastIndexOf(10) + 1;
    size += end === 0 ? chunk.length : chunk.indexOf(10);
    if (size > largestMessage) throw new Error(serverText.tooLarge(largestMessage));
    if (end === 0) pending.push(chunk);
    else {
      yield Buffer.concat([...pending, chunk.subarray(0, end)]);
      pending = [chunk.subarray(end)];
      size = chunk.length - end;
    }
  }
  if (size > 0) yield Buffer.concat([...pending, Buffer.from("\n")]);
  // The server starts to answer one tick after it reads.
  await new Promise((resolve) => setImmediate(resolve));
  await answered();
}
