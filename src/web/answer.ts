import type { IncomingMessage, ServerResponse } from "node:http";

/** What the page may do: run the scripts it came with and speak to where it came from. Nothing else, nowhere else. */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const always = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), clipboard-read=()",
  "Cache-Control": "no-store",
} as const;

/** Sends bytes under the headers that every answer has. */
export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...always,
    "Content-Type": type,
    "Content-Length": String(Buffer.byteLength(body)),
    ...more,
  });
  response.end(body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, "application/json; charset=utf-8", JSON.stringify(value));
}

/** Refuses without a word; what is left of the body is not read. */
export function turnAway(
  response: ServerResponse,
  status: number,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...always, ...more, Connection: "close", "Content-Length": "0" });
  response.end();
}

/** Begins a stream of events; each is one line of JSON. */
export function beginEvents(response: ServerResponse): (event: unknown) => void {
  response.writeHead(200, { ...always, "Content-Type": "text/event-stream; charset=utf-8" });
  response.write(": open\n\n");
  return (event) => void response.write(`data: ${JSON.stringify(event)}\n\n`);
}

/** A body of at most so many bytes as JSON; `undefined` where it is none. */
export async function readBody(request: IncomingMessage, most: number): Promise<unknown | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > most) return tooLarge;
      pieces.push(piece);
    }
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return undefined;
  }
}

export const tooLarge = Symbol("too large");
