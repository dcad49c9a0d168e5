import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Denial, newToken } from "../http/guard.ts";
import { deny } from "../http/response.ts";
import { LimitedServer } from "../http/server.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import { ClientMemories } from "../tools/session-memory.ts";
import { createPrivateFile, privatePath } from "../workspace/files/private-file.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import { createMcpGuard } from "./guard.ts";
import type { McpDoor } from "./server.ts";

export type HttpOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  /** The address to listen on. Any address but a loopback one also needs `hosts`. */
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

export const largestBody = 16 * 1024 * 1024;

// A connection that sends requests without reading the answers gets this many, and no more.
export const maxOpenRequests = 8;

/** Serves any number of clients on a port of this machine. Every request must carry the token. */
export async function serveHttp(door: McpDoor, options: HttpOptions): Promise<Outcome<HttpDoor>> {
  const { port, listen: address = "127.0.0.1", hosts = [], origins = [], patience = 60_000 } = options;
  const listening = await LimitedServer.listen({ port, address, allowedHosts: hosts, patience });
  if (!listening.ok) return listening;
  const server = listening.value;
  const token = newToken();
  const file = createPrivateFile(options.tokenPath ?? privatePath(`mcp-${server.port}.token`), `${token}\n`);
  const limit = limitOpenRequests(maxOpenRequests);
  const guard = createMcpGuard({ port: server.port, token, hosts, origins });
  const memories = new ClientMemories();
  const protocol = createMcpHandler(() => door.createServer(memories), { maxRequestBodySize: largestBody });
  const handle = toNodeHandler(protocol, { maxRequestBodySize: largestBody });
  server.handle(({ head, request, response }) => {
    const denial = guard(head) ?? limit(request.socket, response);
    if (denial) deny(response, denial);
    else return handle(request as NodeIncomingMessageLike, response);
  });
  return accept({
    url: `${server.origin}/mcp`,
    token,
    tokenPath: file.path,
    ...closable(async () => {
      file.remove();
      await protocol.close();
      await server.close();
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
