import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prove } from "../../src/http/guard.ts";
import { type HttpDoor, type HttpOptions, openMcp, serveHttp } from "../../src/mcp/index.ts";
import type { Result } from "../../src/tools/tool.ts";

const home = mkdtempSync(join(tmpdir(), "suture-http-"));
const root = join(home, "root");
mkdirSync(root);
writeFileSync(join(root, "a.md"), "one\n");

let door: HttpDoor;
beforeAll(async () => {
  door = await open();
});
afterAll(async () => {
  await door.close();
  rmSync(home, { recursive: true, force: true });
});

let started = 0;
async function open(options: Partial<HttpOptions> = {}): Promise<HttpDoor> {
  const mcp = await openMcp({ root, version: "0.0.0" });
  if (!mcp.ok) throw new Error(JSON.stringify(mcp.refusal));
  const tokenPath = join(home, `token-${started++}`);
  const served = await serveHttp(mcp.value, { port: 0, tokenPath, ...options });
  if (served.ok) return served.value;
  await mcp.value.close();
  throw new Error(JSON.stringify(served.refusal));
}

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

/** One request, its headers exactly as given. */
function ask(
  headers: Record<string, string>,
  options: { method?: string; path?: string; body?: string } = {},
): Promise<Answer> {
  const { port } = new URL(door.url);
  const { method = "POST", path = "/mcp", body = ping } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: text }),
      );
    });
    sent.on("error", reject);
    sent.end(method === "GET" ? undefined : body);
  });
}

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
const json = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const bearer = () => ({ ...json, Authorization: `Bearer ${door.token}` });

async function connectClient(mode: "auto" | "legacy"): Promise<Client> {
  const client = new Client({ name: "tests", version: "1.0.0" }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${door.token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url), { requestInit: { headers } }));
  return client;
}

describe("MCP over HTTP", () => {
  test.each(["auto", "legacy"] as const)("a client of the %s protocol reads and edits", async (mode) => {
    writeFileSync(join(root, "a.md"), "one\n");
    const client = await connectClient(mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("edit_file");
    const answer = await client.callTool({
      name: "edit_file",
      arguments: { path: "a.md", old_content: "one", new_content: "two" },
    });
    expect(answer.structuredContent).toMatchObject({ success: true, path: "a.md" });
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("two\n");
    await client.close();
  });

  test.each(["auto", "legacy"] as const)("a client of the %s protocol retries by a handle", async (mode) => {
    const old = "def f():\n    if a:\n        b()\n";
    writeFileSync(join(root, "slip.py"), old);
    const client = await connectClient(mode);
    const slip = { path: "slip.py", old_content: "if a:\n    b()", new_content: "if a:\n    c()\n    b()" };
    const refused = await client.callTool({ name: "edit_file", arguments: slip });
    const { retry } = refused.structuredContent as { retry: { arguments: Record<string, string> } };
    await client.callTool({ name: "retry_edit", arguments: retry.arguments });
    expect(readFileSync(join(root, "slip.py"), "utf8")).toBe(old.replace("b()", "c()\n        b()"));
    await client.close();
  });

  test("a line that changed after it was served is not edited", async () => {
    writeFileSync(join(root, "a.md"), "one\nbbb\n");
    const client = await connectClient("auto");
    await client.callTool({ name: "read_file", arguments: { path: "a.md" } });
    writeFileSync(join(root, "a.md"), "one\nbbb of another program\n");
    const edit = { path: "a.md", old_content: "bbb", new_content: "BBB" };
    expect(await client.callTool({ name: "edit_file", arguments: edit })).toMatchObject({ isError: true });
    await client.close();
  });

  test("with the token a request is answered", async () => {
    expect((await ask(bearer())).status).toBe(200);
  });

  test("a request without the token gets 401 without details", async () => {
    for (const headers of [
      json,
      { ...json, Authorization: "Bearer wrong" },
      { ...json, Cookie: `token=${door.token}` },
    ]) {
      const { status, body } = await ask(headers);
      expect({ status, body }).toEqual({ status: 401, body: "" });
    }
  });

  test("the token in the query is not accepted", async () => {
    expect((await ask(json, { path: `/mcp?token=${door.token}` })).status).toBe(401);
  });

  test("a foreign host is refused before routing, on any path, method and token", async () => {
    for (const path of ["/", "/mcp", "/nothing"])
      for (const method of ["GET", "POST", "OPTIONS", "DELETE"])
        expect((await ask({ ...bearer(), Host: "evil.example" }, { path, method })).status).toBe(403);
  });

  test("a foreign origin is refused", async () => {
    for (const Origin of [
      "null",
      "http://evil.example",
      "http://localhost.evil.com",
      "http://127.0.0.1:80@evil",
    ])
      expect((await ask({ ...bearer(), Origin })).status).toBe(403);
  });

  test("a request that a form can send is refused", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      expect((await ask({ "Content-Type": type })).status).toBe(401);
      expect((await ask({ ...bearer(), "Content-Type": type })).status).toBe(415);
    }
  });

  test("no response has a CORS header", async () => {
    const preflight = { Origin: "http://evil.example", "Access-Control-Request-Method": "POST" };
    const answers = [
      await ask(preflight, { method: "OPTIONS" }),
      await ask({ ...bearer(), ...preflight, Origin: door.url.replace("/mcp", "") }, { method: "OPTIONS" }),
      await ask(bearer()),
      await ask(json),
    ];
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("no path answers GET", async () => {
    for (const path of ["/mcp", "/", "/..%5c..%5cetc", "/%2e%2e/%2e%2e/etc/passwd", "/mcp/edit_file"]) {
      const { status } = await ask(bearer(), { method: "GET", path });
      expect([404, 405]).toContain(status);
    }
  });

  test("event streams and web sockets of a foreign origin are refused in the handshake", async () => {
    const stream = { ...bearer(), Accept: "text/event-stream", Origin: "http://evil.example" };
    expect((await ask(stream, { method: "GET" })).status).toBe(403);
    const lines = [
      "GET /mcp HTTP/1.1",
      `Host: ${new URL(door.url).host}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Origin: http://evil.example",
    ];
    expect(await exchange([...lines, "", ""].join("\r\n"))).not.toContain("101");
  });

  test("a public address needs an explicit list of host names", async () => {
    for (const listen of ["0.0.0.0", "::", "10.0.0.1"])
      await expect(open({ listen })).rejects.toThrow("can be reached from other machines");
    const wide = await open({ listen: "0.0.0.0", hosts: ["docs.internal"] });
    const { port } = new URL(wide.url);
    const narrow = door;
    door = wide;
    try {
      expect((await ask({ ...bearer(), Host: `docs.internal:${port}` })).status).toBe(200);
      expect((await ask({ ...json, Host: `docs.internal:${port}` })).status).toBe(401);
      expect((await ask({ ...bearer(), Host: `10.0.0.1:${port}` })).status).toBe(403);
    } finally {
      door = narrow;
      await wide.close();
    }
  });

  test("other spellings of the loopback address follow the same rules", async () => {
    const { port } = new URL(door.url);
    for (const name of ["127.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]"])
      expect((await ask({ ...bearer(), Host: `${name}:${port}` })).status).toBe(403);
    expect((await ask({ ...bearer(), Host: `[::1]:${port}` })).status).toBe(200);
  });

  test("a session id of another client is refused", async () => {
    expect((await ask({ ...bearer(), "Mcp-Session-Id": "somebody-elses" })).status).toBe(404);
    expect((await ask(bearer())).headers).not.toHaveProperty("mcp-session-id");
  });

  test("a second server cannot share the port, and only the holder of the token can prove its identity", async () => {
    const { port } = new URL(door.url);
    await expect(open({ port: Number(port) })).rejects.toThrow("EADDRINUSE");
    const challenge = "0123456789abcdef0123456789abcdef";
    const { status, headers } = await ask({ ...json, "Suture-Challenge": challenge });
    expect(status).toBe(401);
    expect(headers["suture-proof"]).toBe(prove(door.token, challenge));
  });

  test("the token is random, private, new at each start, and removed at the end", async () => {
    const other = await open();
    expect(Buffer.from(other.token, "base64url").length).toBeGreaterThanOrEqual(32);
    expect(other.token).not.toBe(door.token);
    expect(statSync(other.tokenPath).mode & 0o777).toBe(0o600);
    expect(readFileSync(other.tokenPath, "utf8").trim()).toBe(other.token);
    await other.close();
    expect(statSync(other.tokenPath, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("a file or link planted at the token's path is replaced, not followed", async () => {
    const trap = join(home, "trap");
    const { symlinkSync } = await import("node:fs");
    writeFileSync(trap, "untouched", { mode: 0o644 });
    const tokenPath = join(home, "linked-token");
    symlinkSync(trap, tokenPath);
    const other = await open({ tokenPath });
    expect(readFileSync(trap, "utf8")).toBe("untouched");
    expect(statSync(tokenPath).mode & 0o777).toBe(0o600);
    await other.close();
  });

  test("an oversized body is cut off", async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(17 * 1024 * 1024)}"}}`;
    const status = await ask(bearer(), { body }).then(
      ({ status }) => status,
      () => "cut off",
    );
    expect([413, "cut off"]).toContain(status);
    expect((await ask(bearer())).status).toBe(200);
  });

  test("too many headers are cut off", async () => {
    const { status } = await ask({ ...bearer(), "X-Flood": "x".repeat(20 * 1024) });
    expect(status).toBe(431);
  });

  test("a slow body is cut off", async () => {
    const slow = await open({ patience: 300 });
    const { port } = new URL(slow.url);
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${slow.token}`,
      "Content-Type: application/json",
      "Content-Length: 1000",
    ];
    // The body never ends, so only the server can end the exchange.
    const answer = await exchange([...head, "", "{"].join("\r\n"), Number(port));
    expect(answer === "" || /^HTTP\/1.1 4\d\d/.test(answer)).toBe(true);
    await slow.close();
  });

  test("wrong argument types are refused, never coerced", async () => {
    writeFileSync(join(root, "a.md"), "one 1\n");
    const client = await connectClient("auto");
    const rows: Record<string, unknown>[] = [
      { path: "a.md", old_content: "one", new_content: "two", unknown: 1 },
      { path: "a.md", old_content: 1, new_content: "two" },
      { path: "a.md", old_content: "one", new_content: null },
      { path: "a.md", old_content: "one", new_content: "two", occurrence: "1" },
      { path: "a.md", old_content: "one", new_content: "two", occurrence: 1.5 },
      { path: ["a.md"], old_content: "one", new_content: "two" },
      { path: "a.md", old_content: "one", new_content: "two", dry_run: "false" },
      { path: "a.md" },
      {},
    ];
    for (const input of rows) {
      const answer = await client.callTool({ name: "edit_file", arguments: input });
      expect(answer.isError, JSON.stringify(input)).toBe(true);
      expect((answer.structuredContent as Result).code).toBe("malformed");
    }
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("one 1\n");
    await expect(client.callTool({ name: "rm_rf", arguments: {} })).rejects.toThrow(/Unknown tool/);
    await client.close();
  });

  test("a refusal names no path outside the root and shows no stack", async () => {
    const client = await connectClient("auto");
    for (const path of ["../../etc/passwd", "/etc/passwd", "missing.md", ".git/config", "a.md/x", "\u0000"]) {
      const answer = await client.callTool({ name: "read_file", arguments: { path } });
      const text = JSON.stringify(answer).replaceAll("/etc/passwd", "");
      expect(text).not.toMatch(/node_modules|\.[tj]s:\d+|\bat [A-Za-z.]+ \(/);
      expect(text).not.toContain(home);
    }
    await client.close();
  });

  test("the agent's token cannot approve: approval belongs to the review page and its own token", async () => {
    const client = await connectClient("auto");
    const { tools } = await client.listTools();
    expect(
      tools.map(({ name }) => name).filter((name) => /approve|accept|reject|review|consent|force/.test(name)),
    ).toEqual([]);
    const schemas = JSON.stringify(tools.map(({ inputSchema }) => inputSchema));
    expect(schemas).not.toMatch(/"(force|consent|approve)"/);
    await client.close();
  });
});

/** Sends raw bytes and collects what comes back until the other side hangs up. */
function exchange(text: string, port = Number(new URL(door.url).port)): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(15_000, () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk) => (answer += chunk));
    socket.on("error", () => resolve(answer));
    socket.on("close", () => resolve(answer));
  });
}
