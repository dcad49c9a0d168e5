import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Denial } from "./guard.ts";

/** Whether an address can be reached from this machine alone. */
export function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || /^127(\.\d{1,3}){3}$/.test(address);
}

/** A server by which slow, endless and crowded requests are cut off. */
export function createLimitedServer(patience: number): Server {
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

/** The port that it now listens on; 0 takes any that is free. */
export function listenOn(server: Server, port: number, host: string): Promise<Outcome<number>> {
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(refuse({ code: "malformed", what: `cannot listen on ${host}:${port} (${error.code})` })),
    );
    server.listen({ port, host, exclusive: true }, () =>
      resolve(accept((server.address() as AddressInfo).port)),
    );
  });
}

/** Answers with nothing but a status; what is left of the body is not read. */
export function deny(response: ServerResponse, { status, headers = {} }: Denial): void {
  response.writeHead(status, { ...headers, Connection: "close", "Content-Length": "0" });
  response.end();
}
