import type { ServerResponse } from "node:http";
import { securityHeaders } from "./response.ts";

/** Starts a stream of server-sent events. Each event is one line of JSON. */
export function openEventStream(response: ServerResponse): (event: unknown) => void {
  response.writeHead(200, { ...securityHeaders, "Content-Type": "text/event-stream; charset=utf-8" });
  response.write(": open\n\n");
  return (event) => void response.write(`data: ${JSON.stringify(event)}\n\n`);
}
