import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Denial, newToken } from "../http/guard.ts";
import { createLimitedServer, deny, isLoopback, listenOn } from "../http/limited-server.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { serverText } from "../wording/mcp.ts";
import { createPrivateFile, privatePath } from "../workspace/files/private-file.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import { createMcpGuard } from "./guard.ts";
import type { McpDoor } from "./server.ts";

export type HttpOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  /** An address of this machine; any but a loopback address also needs `hosts`. */
  readonly listen?: string;
  /** Host names to accept. */
  readonly hosts?: readonly string[];
  /** Origins to accept, such as `http://localhost:6274`. */
  readonly origins?: readonly string[];
  readonly tokenPath?: string;
  /** The time a request may take to arrive, in milliseconds. */
  readonly patience?: number;
};

/** A listening server: its address, and the token that clients must send. */
export type HttpDoor = Closable & {
  readonly url: string;
  readonly token: string;
  readonly tokenPath: string;
};

const largestBody = 16 * 1024 * 1024;

// A connection that sends requests without reading the answers gets this many, and no more.
const maxOpenRequests = 8;

/** Serves any number of clients on a port of this machine. Every request must carry the token. */
export async function serveHttp(door: McpDoor, options: HttpOptions): Promise<Outcome<HttpDoor>> {
  const { listen = "127.0.0.1", hosts = [], origins = [] } = options;
  if (!isLoopback(listen) && hosts.length === 0)
    return refuse({
      code: "malformed",
      what: serverText.reachable(listen),
      hint: serverText.reachableHint,
    });
  const server = createLimitedServer(options.patience ?? 60_000);
  const port = await listenOn(server, options.port, listen);
  if (!port.ok) return port;
  const token = newToken();
  const file = createPrivateFile(options.tokenPath ?? privatePath(`mcp-${port.value}.token`), `${token}\n`);
  const limit = limitOpenRequests(maxOpenRequests);
  const guard = createMcpGuard({ port: port.value, token, hosts, origins });
  const protocol = createMcpHandler(() => door.createServer(), { maxRequestBodySize: largestBody });
  const handle = toNodeHandler(protocol, { maxRequestBodySize: largestBody });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const denial =
      guard({ method: request.method ?? "", url: request.url ?? "", headers: request.headers }) ??
      limit(request.socket, response);
    if (denial) deny(response, denial);
    else void handle(request as NodeIncomingMessageLike, response);
  });
  return accept({
    url: `http://${listen.includes(":") ? `[${listen}]` : listen}:${port.value}/mcp`,
    token,
    tokenPath: file.path,
    ...closable(async () => {
      file.remove();
      await protocol.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await door.close();
    }),
  });
}

/** Denies a request while its connection has too many unread answers. */
function limitOpenRequests(max: number): (socket: Socket, response: ServerResponse) => Denial | undefined {
  const open = new WeakMap<Socket, number>();
  return (socket, response) => {
    const count = (open.get(socket) ?? 0) + 1;
    open.set(socket, count);
    response.once("close", () => open.set(socket, (open.get(socket) ?? 1) - 1));
    return count > max ? { status: 429 } : undefined;
  };
}
