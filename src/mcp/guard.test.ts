import { describe, expect, test } from "vitest";
import { type Head, prove } from "../http/guard.ts";
import { createMcpGuard } from "./guard.ts";

const token = "t".repeat(43);
const guard = createMcpGuard({ port: 7391, token });
const good: Head = {
  method: "POST",
  url: "/mcp",
  headers: { host: "127.0.0.1:7391", authorization: `Bearer ${token}`, "content-type": "application/json" },
};
const ask = (head: Partial<Head> = {}, headers: Record<string, string | undefined> = {}) =>
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
  ])("H01 without the token: %s", (authorization) => {
    expect(ask({}, { authorization })).toBe(401);
  });

  test.each(["/mcp?token=", "/mcp?access_token=", "/mcp?authorization=Bearer%20"])(
    "H02 the token in the query: %s",
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
  test.each(hosts)("H03 H10 another host is refused on every path and method: %s", (host) => {
    for (const method of ["GET", "POST", "OPTIONS", "DELETE"])
      for (const url of ["/mcp", "/", "/nothing"]) expect(ask({ method, url }, { host })).toBe(403);
  });
  test("H03 no host, or two, is refused", () => {
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
  test.each(origins)("H04 H08 a page that is not ours is refused: %s", (origin) => {
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
  ])("H05 what a form could send is refused: %s", (type) => {
    expect(ask({}, { "content-type": type })).toBe(415);
    expect(ask({}, { "content-type": type, authorization: undefined })).toBe(401);
  });

  test("H06 a preflight gets no header that would let a page in", () => {
    const denial = guard({
      ...good,
      method: "OPTIONS",
      headers: { ...good.headers, "access-control-request-method": "POST" },
    });
    expect(Object.keys(denial?.headers ?? {}).filter((name) => /^access-control/i.test(name))).toEqual([]);
    expect(denial?.status).toBe(405);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])(
    "H07 nothing answers to %s",
    (method) => {
      expect(ask({ method })).toBe(405);
    },
  );

  test("H11 a session of another client is refused: there are none", () => {
    expect(ask({}, { "mcp-session-id": "1868a90c" })).toBe(404);
  });

  test("H12 a server proves who it is before it is shown the token", () => {
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
  ])("H20 there is one place and nothing else: %s", (url) => {
    expect(ask({ url })).toBe(404);
  });
});
