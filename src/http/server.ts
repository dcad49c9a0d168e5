import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { headOf, type RequestHead } from "./request.ts";
import { deny } from "./response.ts";

/** One request and its response. */
export type Exchange = {
  readonly head: RequestHead;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

export type ListenOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  /** The address to listen on. Any address but a loopback one also needs `allowedHosts`. */
  readonly address?: string;
  /** Host names that clients on other machines may use. */
  readonly allowedHosts?: readonly string[];
  /** How long a request may take to arrive, in milliseconds. */
  readonly patience?: number;
};

export type HandlerOptions = {
  readonly onError?: (error: unknown) => void;
  /** Sent after an error in the handler. */
  readonly failure?: { readonly status: number; readonly headers?: Readonly<Record<string, string>> };
};

/** A listening HTTP server that cuts off slow requests, large headers and too many connections. */
export class LimitedServer {
  readonly port: number;
  /** The origin to reach it at, such as `http://127.0.0.1:7390`. */
  readonly origin: string;
  readonly #server: Server;

  private constructor(server: Server, address: string) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.origin = `http://${address.includes(":") ? `[${address}]` : address}:${this.port}`;
  }

  static async listen({
    port,
    address = "127.0.0.1",
    allowedHosts = [],
    patience = 60_000,
  }: ListenOptions): Promise<Outcome<LimitedServer>> {
    if (!isLoopback(address) && allowedHosts.length === 0)
      return refuse({
        code: "malformed",
        what: `${address} can be reached from other machines`,
        hint: "Name every host that clients may use, or listen on 127.0.0.1.",
      });
    const server = createServer(patience);
    const failure = await startListening(server, port, address);
    if (failure !== null)
      return refuse({ code: "malformed", what: `cannot listen on ${address}:${port} (${failure})` });
    return accept(new LimitedServer(server, address));
  }

  /** Sends every request to `handle`. A handler that throws gets the failure status, and the client no detail. */
  handle(
    handle: (exchange: Exchange) => void | Promise<void>,
    { onError = () => {}, failure = { status: 500 } }: HandlerOptions = {},
  ): void {
    this.#server.on("request", async (request: IncomingMessage, response: ServerResponse) => {
      try {
        await handle({ head: headOf(request), request, response });
      } catch (error) {
        onError(error);
        if (response.headersSent) response.destroy();
        else deny(response, failure);
      }
    });
  }

  /** Stops listening. Open requests have `grace` milliseconds to end. */
  async close({ grace = 0 }: { readonly grace?: number } = {}): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    const late = setTimeout(() => this.#server.closeAllConnections(), grace);
    await closed;
    clearTimeout(late);
  }
}

/** Whether an address can be reached from this machine only. */
function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || /^127(\.\d{1,3}){3}$/.test(address);
}

function createServer(patience: number): Server {
  const server = process.getBuiltinModule("node:http").createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: Math.min(patience, 10_000),
    requestTimeout: patience,
    connectionsCheckingInterval: Math.min(patience, 5_000),
  });
  server.maxHeadersCount = 100;
  server.maxConnections = 256;
  server.on("upgrade", (_request, socket) => socket.destroy());
  return server;
}

/** Null when the server listens, else the code of the error. */
function startListening(server: Server, port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => resolve(null));
  });
}
