import { describe, expect, test } from "vitest";
import { prove } from "../http/guard.ts";
import type { RequestHead } from "../http/request.ts";
import { createMcpGuard } from "./guard.ts";

const token = "t".repeat(43);
const guard = createMcpGuard({ port: 7391, token });
const good: RequestHead = {
  method: "POST",
  url: "/mcp",
  headers: { host: "127.0.0.1:7391", authorization: `Bearer ${token}`, "content-type": "application/json" },
};
const ask = (head: Partial<RequestHead> = {}, headers: Record<string, string | undefined> = {}) =>
  guard({ ...good, ...head, headers: { ...good.headers, ...headers } })?.status ?? 200;

describe("the guard in front of HTTP", () => {
  test("a proper request passes", () => {
    expect(ask()).toBe(200);
    expect(ask({}, { host: "localhost:7391", origin: "http://localhost:7391" })).toBe(200);
    expect(ask({}, { host: "[::1]:7391", "content-type": "application/json; charset=utf-8" })).toBe(200);
  });

  test.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    token,
    `Bearer ${token} `,
    `Bearer  ${token}`,
    `Bearer ${token.toUpperCase()}`,
  ])("a request without the token is refused: %s", (authorization) => {
    expect(ask({}, { authorization })).toBe(401);
  });

  test.each(["/mcp?token=", "/mcp?access_token=", "/mcp?authorization=Bearer%20"])(
    "the token in the query is refused: %s",
    (url) => {
      expect(ask({ url: `${url}${token}` }, { authorization: undefined })).toBe(401);
      expect(ask({ url: `${url}${token}` })).toBe(404);
    },
  );

  const hosts = [
    "evil.example",
    "evil.example:7391",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:7392",
    "localhost.evil.com:7391",
    "localhost:7391.evil.com",
    "127.0.0.1.nip.io:7391",
    "127.1:7391",
    "0x7f.1:7391",
    "0x7f000001:7391",
    "2130706433:7391",
    "0177.0.0.1:7391",
    "[::ffff:127.0.0.1]:7391",
    "[::ffff:7f00:1]:7391",
    "[0:0:0:0:0:0:0:1]:7391",
    "0.0.0.0:7391",
    "[::]:7391",
    "127.0.0.2:7391",
    "localhost.:7391",
    " localhost:7391",
    "user@localhost:7391",
    "",
    "localhost:07391",
    "localhost:7391/",
    "localhost:7391,evil.example",
  ];
  test.each(hosts)("another host is refused on every path and method: %s", (host) => {
    for (const method of ["GET", "POST", "OPTIONS", "DELETE"])
      for (const url of ["/mcp", "/", "/nothing"]) expect(ask({ method, url }, { host })).toBe(403);
  });
  test("a request with no Host header, or with two, is refused", () => {
    expect(ask({}, { host: undefined })).toBe(403);
    expect(guard({ ...good, headers: { ...good.headers, host: ["127.0.0.1:7391", "evil"] } })?.status).toBe(
      403,
    );
  });

  const origins = [
    "null",
    "",
    "http://evil.example",
    "https://localhost:7391",
    "http://localhost",
    "http://localhost:7392",
    "http://localhost.evil.com",
    "http://localhost.evil.com:7391",
    "http://127.0.0.1:80@evil",
    "http://127.0.0.1:7391@evil",
    "http://localhost:7391.evil.com",
    "http://evil.com#http://localhost:7391",
    "http://LOCALHOST:7391",
    "file://",
    "chrome-extension://abcdef",
    "http://127.1:7391",
    "http://[::ffff:127.0.0.1]:7391",
    "http://localhost:7391/",
    "http://localhost:7391, http://evil",
    "HTTP://localhost:7391",
    "http://localhost:07391",
    "ws://localhost:7391",
    "http://0.0.0.0:7391",
    "vscode-webview://x",
  ];
  test.each(origins)("a foreign origin is refused: %s", (origin) => {
    expect(ask({}, { origin })).toBe(403);
    expect(ask({ method: "GET" }, { origin, upgrade: "websocket", accept: "text/event-stream" })).toBe(403);
  });

  test.each([
    undefined,
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonx",
    "text/plain;application/json",
  ])("a request that a form could send is refused: %s", (type) => {
    expect(ask({}, { "content-type": type })).toBe(415);
    expect(ask({}, { "content-type": type, authorization: undefined })).toBe(401);
  });

  test("a preflight request gets no CORS header", () => {
    const denial = guard({
      ...good,
      method: "OPTIONS",
      headers: { ...good.headers, "access-control-request-method": "POST" },
    });
    expect(Object.keys(denial?.headers ?? {}).filter((name) => /^access-control/i.test(name))).toEqual([]);
    expect(denial?.status).toBe(405);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])(
    "no handler answers %s",
    (method) => {
      expect(ask({ method })).toBe(405);
    },
  );

  test("a session id of another client is refused, because there are no sessions", () => {
    expect(ask({}, { "mcp-session-id": "1868a90c" })).toBe(404);
  });

  test("a server proves its identity before the client sends the token", () => {
    const challenge = "ab".repeat(16);
    const headers = { ...good.headers, authorization: undefined, "suture-challenge": challenge };
    expect(guard({ ...good, headers })?.headers?.["Suture-Proof"]).toBe(prove(token, challenge));
    expect(prove("another token", challenge)).not.toBe(prove(token, challenge));
    const short = guard({ ...good, headers: { ...headers, "suture-challenge": "00" } });
    expect(short?.headers).not.toHaveProperty("Suture-Proof");
  });

  test.each([
    "/",
    "/mcp/",
    "/mcp/..",
    "/mcp%5c..",
    "/%2e%2e/etc/passwd",
    "/..%5c..%5c",
    "//mcp",
    "/MCP",
    "http://localhost:7391/mcp",
    "/mcp#x",
    "/mcp;a",
  ])("only one path exists: %s", (url) => {
    expect(ask({ url })).toBe(404);
  });
});
