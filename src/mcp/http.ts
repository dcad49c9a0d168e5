import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { accept, type Outcome, refuse } from "../text/outcome.ts";
import { createGuard, type Denial } from "./guard.ts";
import type { McpDoor } from "./server.ts";
import { createTokenFile, defaultTokenPath } from "./token-file.ts";

export type HttpOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  /** An address of this machine; any but a loopback address also needs `hosts`. */
  readonly listen?: string;
  /** Names under which others reach this machine. */
  readonly hosts?: readonly string[];
  /** Pages that may ask, such as `http://localhost:6274`. */
  readonly origins?: readonly string[];
  readonly tokenPath?: string;
  /** How long a request may take to arrive, in milliseconds. */
  readonly patience?: number;
};

/** A listening server: where it is, and what a client must show. */
export type HttpDoor = {
  readonly url: string;
  readonly token: string;
  readonly tokenPath: string;
  close(): Promise<void>;
};

const largestBody = 16 * 1024 * 1024;

/** Serves any number of clients on a port of this machine. Every request shows the token. */
export async function serveHttp(door: McpDoor, options: HttpOptions): Promise<Outcome<HttpDoor>> {
  const { listen = "127.0.0.1", hosts = [], origins = [] } = options;
  if (!isLoopback(listen) && hosts.length === 0)
    return refuse({
      code: "malformed",
      what: `${listen} can be reached from other machines`,
      hint: "Name every host that may be asked for with --allow-host, or listen on 127.0.0.1.",
    });
  const server = createLimitedServer(options.patience ?? 60_000);
  const port = await listenOn(server, options.port, listen);
  if (!port.ok) return port;
  const token = createTokenFile(options.tokenPath ?? defaultTokenPath(port.value));
  const guard = createGuard({ port: port.value, token: token.token, hosts, origins });
  const protocol = createMcpHandler(() => door.createServer(), { maxRequestBodySize: largestBody });
  const handle = toNodeHandler(protocol, { maxRequestBodySize: largestBody });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const denial = guard({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    if (denial) deny(response, denial);
    else void handle(request as NodeIncomingMessageLike, response);
  });
  server.on("upgrade", (_request, socket) => socket.destroy());
  return accept({
    url: `http://${listen.includes(":") ? `[${listen}]` : listen}:${port.value}/mcp`,
    token: token.token,
    tokenPath: token.path,
    close: async () => {
      token.remove();
      await protocol.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await door.close();
    },
  });
}

function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || /^127(\.\d{1,3}){3}$/.test(address);
}

/** Slow, endless and crowded requests are cut off. */
function createLimitedServer(patience: number): Server {
  const server = process.getBuiltinModule("node:http").createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: Math.min(patience, 10_000),
    requestTimeout: patience,
    connectionsCheckingInterval: Math.min(patience, 5_000),
  });
  server.maxHeadersCount = 100;
  server.maxConnections = 256;
  return server;
}

function listenOn(server: Server, port: number, host: string): Promise<Outcome<number>> {
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(refuse({ code: "malformed", what: `cannot listen on ${host}:${port} (${error.code})` })),
    );
    server.listen({ port, host, exclusive: true }, () =>
      resolve(accept((server.address() as AddressInfo).port)),
    );
  });
}

function deny(response: ServerResponse, { status, headers = {} }: Denial): void {
  // What is left of the body is not read.
  response.writeHead(status, { ...headers, Connection: "close", "Content-Length": "0" });
  response.end();
}
