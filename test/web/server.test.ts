import { readFileSync, statSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prove } from "../../src/http/guard.ts";
import { contentSecurityPolicy as policy } from "../../src/http/response.ts";
import { openMcp, serveHttp } from "../../src/mcp/index.ts";
import type { ItemView } from "../../src/web/review/view.ts";
import { type Bench, finding, openBench, runId, value } from "./review-fixture.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({ "docs/a.md": "# A\n\nCall `old()` first.\n" }, [
    finding("docs/a.md", "Call `old()` first.", "Call `fresh()` first.", { startLine: 3, endLine: 3 }),
  ]);
});
afterAll(() => bench.close());

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };
type Asked = { method?: string; path?: string; body?: string; port?: number };

/** One request, its headers exactly as given. */
function ask(headers: Record<string, string>, options: Asked = {}): Promise<Answer> {
  const { method = "GET", path = "/api/run", body, port = bench.server.port } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
        if (response.headers["content-type"]?.startsWith("text/event-stream")) response.destroy();
      });
      const done = (): void =>
        resolve({ status: response.statusCode!, headers: response.headers, body: text });
      response.on("end", done).on("close", done);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const host = () => ({ Host: `127.0.0.1:${bench.server.port}` });
const bearer = () => ({ ...host(), Authorization: `Bearer ${bench.server.token}` });
const json = { "Content-Type": "application/json" };
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(
    { ...bearer(), ...json, ...headers },
    { method: "POST", path, body: typeof body === "string" ? body : JSON.stringify(body) },
  );

const places = ["/", "/review.html", "/api/run", "/api/items/0", "/api/history", "/api/events", "/nothing"];
const changing = [
  "/api/approve",
  "/api/reject",
  "/api/reword",
  "/api/take-back",
  "/api/undo",
  "/api/together",
];

describe("the server of the review page", () => {
  test("a client with the token sees the run, the edit and its hash", async () => {
    const { status, body } = await ask(bearer());
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ id: runId, kind: "proposal", items: [{ path: "docs/a.md" }] });
    const view = JSON.parse((await ask(bearer(), { path: "/api/items/0" })).body) as ItemView;
    expect(view).toMatchObject({ section: "A", conflicts: [], obstacle: null });
    expect(view.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("everything but the page itself needs the token, and a refusal without it has no details", async () => {
    for (const authorization of [undefined, "", "Bearer", "Bearer x", `Basic ${bench.server.token}`])
      for (const path of places.filter((each) => each.startsWith("/api/"))) {
        const headers = {
          ...host(),
          ...(authorization === undefined ? {} : { Authorization: authorization }),
        };
        expect(await ask(headers, { path })).toMatchObject({ status: 401, body: "" });
      }
    for (const path of changing)
      expect((await ask({ ...host(), ...json }, { method: "POST", path, body: "{}" })).status).toBe(401);
  });

  test("the page that needs no token holds nothing of the run", async () => {
    for (const path of ["/", "/review.html"]) {
      const { status, body } = await ask(host(), { path });
      expect(status).toBe(200);
      for (const secret of [bench.server.token, "docs/a.md", "old()", runId])
        expect(body).not.toContain(secret);
    }
  });

  test("the token in the address is not accepted", async () => {
    for (const query of [`?token=${bench.server.token}`, `?access_token=${bench.server.token}`])
      expect((await ask(host(), { path: `/api/run${query}` })).status).toBe(401);
    expect((await ask(bearer(), { path: `/api/run?token=${bench.server.token}` })).status).toBe(404);
  });

  const names = [
    "evil.example",
    "localhost.evil.com",
    "127.0.0.1.nip.io",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:0:0:1]",
    "0.0.0.0",
    "127.0.0.2",
    "localhost.",
    "user@localhost",
    "xn--localhost-9za",
  ];
  test("with DNS rebinding a foreign host is refused first, on every path and method", async () => {
    let refused = 0;
    for (const name of names)
      for (const [path, method] of [
        ...places.map((each) => [each, "GET"] as const),
        ["/api/approve", "POST"],
        ["/", "OPTIONS"],
      ] as const) {
        const headers = { ...bearer(), ...json, Host: `${name}:${bench.server.port}` };
        const answer = await ask(headers, { path, method, ...(method === "POST" ? { body: "{}" } : {}) });
        expect(answer).toMatchObject({ status: 403, body: "" });
        refused++;
      }
    expect((await ask({ ...bearer(), Host: "127.0.0.1" })).status).toBe(403);
    expect((await ask({ ...bearer(), Host: `127.0.0.1:${bench.server.port + 1}` })).status).toBe(403);
    console.log(`${refused} requests under foreign host names refused`);
  });

  test("a foreign origin is refused, also for event streams and web sockets", async () => {
    const { port } = bench.server;
    const origins = [
      "null",
      "http://evil.example",
      `https://127.0.0.1:${port}`,
      "http://127.0.0.1",
      `http://127.0.0.1:${port + 1}`,
      `http://localhost.evil.com:${port}`,
      `http://127.0.0.1:${port}@evil`,
      "http://127.0.0.1:80@evil",
      `http://127.0.0.1:${port}.evil.com`,
      "file://",
      "chrome-extension://abcdef",
      `http://127.0.0.1:${port}/`,
    ];
    for (const origin of origins)
      for (const path of ["/api/run", "/api/events", "/"])
        expect((await ask({ ...bearer(), Origin: origin }, { path })).status).toBe(403);
    for (const site of ["cross-site", "same-site", "none"])
      for (const path of ["/api/run", "/api/events"])
        expect((await ask({ ...bearer(), "Sec-Fetch-Site": site }, { path })).status).toBe(403);
    const shake = { ...bearer(), Connection: "Upgrade", Upgrade: "websocket" };
    await expect(ask(shake, { path: "/api/events" })).rejects.toThrow();
  });

  test("a request that a form or a simple cross-site call can send is refused, even with the token", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/jsonx",
    ])
      for (const path of changing)
        expect((await post(path, { key: 0 }, { "Content-Type": type })).status).toBe(415);
  });

  test("a preflight request gets no CORS header", async () => {
    for (const path of [...places, ...changing]) {
      const preflight = {
        ...host(),
        Origin: "http://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
      };
      for (const headers of [preflight, { ...preflight, Origin: `http://127.0.0.1:${bench.server.port}` }]) {
        const answer = await ask(headers, { method: "OPTIONS", path });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
    }
  });

  test("no GET request changes anything", async () => {
    for (const path of changing)
      for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH"])
        expect((await ask(bearer(), { path, method })).status).toBe(405);
    expect(bench.text("docs/a.md")).toContain("old()");
  });

  test("the server listens on the loopback address only", async () => {
    const { networkInterfaces } = await import("node:os");
    const others = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of others)
      await expect(
        new Promise((resolve, reject) => {
          const socket = connect({ host: address, port: bench.server.port });
          socket.on("connect", () => resolve(socket.destroy())).on("error", reject);
        }),
      ).rejects.toThrow();
  });

  test("there are no sessions to steal: the token is accepted in one header only", async () => {
    const { token } = bench.server;
    for (const headers of [
      { Cookie: `token=${token}` },
      { "X-Token": token },
      { "Mcp-Session-Id": token },
      { "Proxy-Authorization": `Bearer ${token}` },
    ])
      expect((await ask({ ...host(), ...headers } as Record<string, string>)).status).toBe(401);
  });

  test("a stale approval gets 409 with the current text and writes nothing", async () => {
    const one = await openBench({ "a.md": "one old\n" }, [finding("a.md", "one old", "one fresh")]);
    const headers = {
      Host: `127.0.0.1:${one.server.port}`,
      Authorization: `Bearer ${one.server.token}`,
      ...json,
    };
    const view = value(await one.desk.view(0));
    one.write("a.md", "one old\nand two\n");
    const approve = (hash: string) =>
      ask(headers, {
        method: "POST",
        path: "/api/approve",
        body: JSON.stringify({ keys: [0], hash }),
        port: one.server.port,
      });
    const refused = await approve(view.hash!);
    expect(refused.status).toBe(409);
    expect(one.text("a.md")).toBe("one old\nand two\n");
    const fresh = (JSON.parse(refused.body) as { view: ItemView }).view;
    expect(fresh.excerpt!.after).toBe("one fresh\nand two\n");
    expect((await approve(fresh.hash!)).status).toBe(200);
    expect(one.text("a.md")).toBe("one fresh\nand two\n");
    expect((await approve(fresh.hash!)).status).toBe(409);
    await one.close();
  });

  test("the server proves its identity before the page sends the token", async () => {
    const challenge = "ab".repeat(32);
    const { status, headers } = await ask({ ...host(), "Suture-Challenge": challenge });
    expect(status).toBe(401);
    expect(headers["suture-proof"]).toBe(prove(bench.server.token, challenge));
  });

  test("the token is random, 256 bits, new for each start, and not in the path of the address", async () => {
    const other = await openBench({ "a.md": "x\n" }, []);
    expect(other.server.token).not.toBe(bench.server.token);
    expect(Buffer.from(bench.server.token, "base64url")).toHaveLength(32);
    expect(new URL(bench.server.url).pathname).toBe("/");
    expect(new URL(bench.server.url).search).toBe("");
    await other.close();
  });

  test("an oversized body, a slow body and endless headers are cut off", async () => {
    const large = await post("/api/reword", `{"key":0,"text":"${"x".repeat(5 * 1024 * 1024)}"}`).catch(
      () => null,
    );
    expect(large === null || large.status === 413).toBe(true);
    const flood = {
      ...bearer(),
      ...Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`X-${i}`, "y".repeat(60)])),
    };
    expect((await ask(flood)).status).toBe(431);
    const hasty = await openBench({ "a.md": "x\n" }, [], {}, { patience: 300 });
    const head = [
      "POST /api/approve HTTP/1.1",
      `Host: 127.0.0.1:${hasty.server.port}`,
      `Authorization: Bearer ${hasty.server.token}`,
      "Content-Type: application/json",
      "Content-Length: 100",
    ].join("\r\n");
    // The body never ends, so only the server can close the connection.
    await new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.1", port: hasty.server.port });
      socket.on("close", resolve).on("error", () => undefined);
      socket.resume().write(`${head}\r\n\r\n{`);
    });
    await hasty.close();
  });

  test.each([
    ["/api/approve", {}],
    ["/api/approve", { keys: [0] }],
    ["/api/approve", { keys: ["0"], hash: "0".repeat(64) }],
    ["/api/approve", { keys: [0], hash: "0".repeat(64), force: true }],
    ["/api/approve", { keys: [], hash: "0".repeat(64) }],
    ["/api/approve", { keys: [-1], hash: "0".repeat(64) }],
    ["/api/approve", { keys: [0.5], hash: "0".repeat(64) }],
    ["/api/approve", { keys: [0], hash: "g".repeat(64) }],
    ["/api/approve", [0]],
    ["/api/approve", "not json"],
    ["/api/reject", { key: 0, dismiss: "yes" }],
    ["/api/reword", { key: 0 }],
    ["/api/reword", { key: 0, text: 5 }],
    ["/api/undo", { entry: "../1" }],
    ["/api/take-back", { key: null }],
  ])("a body of another shape is refused, never coerced: %s %j", async (path, body) => {
    expect((await post(path, body)).status).toBe(400);
  });

  test("an error names no path outside the root and shows no stack", async () => {
    for (const answer of [
      await ask(bearer(), { path: "/api/items/999999" }),
      await post("/api/undo", { entry: "99" }),
      await post("/api/approve", { keys: [7], hash: "0".repeat(64) }),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body).not.toMatch(/node:|\.ts:|\bat \w+|\/tmp\//);
      expect(answer.body).not.toContain(bench.root);
    }
  });

  test.each([
    "/..%5c..%5cetc%5cpasswd",
    "/%2e%2e/package.json",
    "/assets/../review.html",
    "/assets/..%2f..%2fpackage.json",
    "/assets/",
    "/assets",
    "//review.html",
    "/review.html/",
    "/review.html%00.js",
    "/docs/a.md",
    "/.suture/journal",
    "/REVIEW.HTML",
    "/review.html?x",
    "http://127.0.0.1/",
  ])("only a fixed map of files is served: %s", async (path) => {
    expect((await ask(bearer(), { path })).status).toBe(404);
  });

  test("the token of an agent's server is not one for approvals", async () => {
    const door = value(await openMcp({ root: bench.root, version: "0.0.0" }));
    const mcp = value(await serveHttp(door, { port: 0, tokenPath: join(bench.root, ".suture-token") }));
    try {
      expect(statSync(mcp.tokenPath).mode & 0o077).toBe(0);
      const token = readFileSync(mcp.tokenPath, "utf8").trim();
      const body = JSON.stringify({ keys: [0], hash: "0".repeat(64) });
      const headers = { ...host(), ...json, Authorization: `Bearer ${token}` };
      expect((await ask(headers, { method: "POST", path: "/api/approve", body })).status).toBe(401);
    } finally {
      await mcp.close();
    }
  });

  test("every response carries the policy: no inline, no eval, no foreign source, no frame, no report", async () => {
    for (const path of [...places.filter((each) => each !== "/api/events"), "/api/items/0"]) {
      const { headers } = await ask(bearer(), { path });
      expect(headers["content-security-policy"]).toBe(policy);
      expect(headers["x-frame-options"]).toBe("DENY");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
      expect(headers["set-cookie"]).toBeUndefined();
      expect(headers["cache-control"]).toBe("no-store");
    }
    expect(policy).not.toMatch(/unsafe|http:|https:|\*|report/);
  });
});
