import type { ServerResponse } from "node:http";
import type { Denial } from "./guard.ts";

/** The page may run its own scripts and call its own server, and nothing else. */
export const contentSecurityPolicy = [
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

/** Headers of every response. */
export const securityHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), clipboard-read=()",
  "Cache-Control": "no-store",
} as const;

export type ResponseContent = {
  readonly status?: number;
  readonly type: string;
  readonly body: string | Uint8Array;
};

export function send(response: ServerResponse, { status = 200, type, body }: ResponseContent): void {
  response.writeHead(status, {
    ...securityHeaders,
    "Content-Type": type,
    "Content-Length": String(Buffer.byteLength(body)),
  });
  response.end(body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, { status, type: "application/json; charset=utf-8", body: JSON.stringify(value) });
}

/** Sends a status and no body, and closes the connection, so that the rest of the request is not read. */
export function deny(response: ServerResponse, { status, headers = {} }: Denial): void {
  response.writeHead(status, { ...securityHeaders, ...headers, Connection: "close", "Content-Length": "0" });
  response.end();
}

/** Sends the client to another address, with cookies. */
export function redirect(response: ServerResponse, to: string, cookies: readonly string[] = []): void {
  response.writeHead(303, {
    ...securityHeaders,
    Location: to,
    "Set-Cookie": [...cookies],
    "Content-Length": "0",
  });
  response.end();
}
