import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Result } from "../../src/tools/tool.ts";
import { type Bundle, bundleCommand } from "./bundle.ts";

let bundle: Bundle;
let root: string;
beforeAll(async () => {
  bundle = await bundleCommand();
});
afterAll(() => bundle.remove());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "suture-stdio-"));
  writeFileSync(join(root, "a.md"), "one\n");
  return () => rmSync(root, { recursive: true, force: true });
});

type ClientOptions = { mode?: "auto" | "legacy"; roots?: string[]; words?: string[] };

/** Without `words` the server is given its root; with words, only these, in the root as the working directory. */
async function connect({ mode = "auto", roots, words }: ClientOptions = {}): Promise<Client> {
  const capabilities = roots ? { capabilities: { roots: { listChanged: true } } } : {};
  const client = new Client(
    { name: "tests", version: "1.0.0" },
    { versionNegotiation: { mode }, ...capabilities },
  );
  if (roots)
    client.setRequestHandler("roots/list", () => ({
      roots: roots.map((path) => ({ uri: pathToFileURL(path).href })),
    }));
  const args = [bundle.main, "mcp", ...(words ?? ["--root", root])];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: root }));
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown>): Promise<Result> {
  return (await client.callTool({ name, arguments: input })).structuredContent as Result;
}

function start(words: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [bundle.main, "mcp", "--root", root, ...words], { stdio: "pipe" });
}

const hello = [
  {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];
const edit = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "edit_file", arguments: { path: "a.md", old_content: "one", new_content: "two" } },
};

function gather(server: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  server.stdout!.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => server.once("exit", () => resolve(Buffer.concat(chunks).toString("utf8"))));
}

function openLines(server: ChildProcess): AsyncIterable<string> {
  return createInterface({ input: server.stdout! });
}

describe.each(["auto", "legacy"] as const)("MCP on standard input, %s protocol", (mode) => {
  test("tools carry titles, schemas and annotations", async () => {
    const client = await connect({ mode });
    const { tools } = await client.listTools();
    for (const { name, title, description, inputSchema, annotations } of tools) {
      expect({ name, title, description }).toEqual({
        name: expect.any(String),
        title: expect.any(String),
        description: expect.any(String),
      });
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(annotations).toMatchObject({ openWorldHint: false });
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.read_file).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
    });
    expect(hints.edit_file).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
    expect(hints.write_file).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    await client.close();
  });

  test("listings are small, and an answer says no more than was asked for", async () => {
    const client = await connect({ mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("find_drift");
    expect(JSON.stringify(tools).length).toBeLessThan(10_700);
    writeFileSync(join(root, "big.txt"), "a line of a big file\n".repeat(50_000));
    const part = await client.callTool({
      name: "read_file",
      arguments: { path: "big.txt", start_line: 400, end_line: 404 },
    });
    expect(JSON.stringify(part).length).toBeLessThan(4000);
    const whole = await client.callTool({ name: "read_file", arguments: { path: "big.txt" } });
    expect(JSON.stringify(whole).length).toBeLessThan(200_000);
    await client.close();
    const slim = await connect({ mode, words: ["--profile", "slim"] });
    const listed = (await slim.listTools()).tools;
    expect(listed.map(({ name }) => name)).toContain("find_drift");
    expect(JSON.stringify(listed).length).toBeLessThan(3000);
    await slim.close();
  });

  test("several matches are refused and listed; an occurrence chooses", async () => {
    const client = await connect({ mode });
    writeFileSync(join(root, "twice.md"), "one\ntwo\none\n");
    const input = { path: "twice.md", old_content: "one", new_content: "1" };
    expect(await call(client, "edit_file", input)).toMatchObject({
      success: false,
      code: "ambiguous",
      places: [{ line: 1 }, { line: 3 }],
    });
    expect(await call(client, "edit_file", { ...input, occurrence: 1 })).toMatchObject({ success: true });
    await client.close();
  });

  test("a host gives consent beforehand", async () => {
    writeFileSync(join(root, "package.json"), '{ "name": "a" }\n');
    const input = { path: "package.json", old_content: '"a"', new_content: '"b"' };
    const refusing = await connect({ mode });
    const refused = await call(refusing, "edit_file", input);
    expect(refused).toMatchObject({ success: false, code: "needs-consent" });
    expect(refused.hint).toContain("--consent manifests");
    await refusing.close();
    const allowing = await connect({ mode, words: ["--consent", "manifests,ci"] });
    expect(await call(allowing, "edit_file", input)).toMatchObject({ success: true });
    await allowing.close();
  });

  test("an absolute path inside the root is a path", async () => {
    const client = await connect({ mode });
    expect(await call(client, "read_file", { path: join(root, "a.md") })).toMatchObject({
      success: true,
      path: "a.md",
    });
    expect(await call(client, "read_file", { path: "/etc/hostname" })).toMatchObject({ code: "outside" });
    await client.close();
  });

  test("a read-only mode offers no writing tool and refuses one that is called", async () => {
    const client = await connect({ mode, words: ["--mode", "analyze"] });
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    const result = await call(client, "edit_file", { path: "a.md", old_content: "one", new_content: "two" });
    expect(result).toMatchObject({ success: false, code: "not-allowed" });
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("one\n");
    await client.close();
  });

  test("narrower roots of a client apply, wider ones are ignored", async () => {
    const { mkdirSync } = await import("node:fs");
    mkdirSync(join(root, "docs"));
    writeFileSync(join(root, "docs/b.md"), "one\n");
    const narrow = await connect({ mode, roots: [join(root, "docs")] });
    const ask = (path: string) => call(narrow, "edit_file", { path, old_content: "one", new_content: "two" });
    expect(await ask("a.md")).toMatchObject({ success: false, code: "not-allowed" });
    expect(await ask("docs/b.md")).toMatchObject({ success: true });
    expect(await call(narrow, "read_file", { path: "a.md" })).toMatchObject({
      success: false,
      code: "not-allowed",
    });
    expect(await call(narrow, "list_files", {})).toMatchObject({ files: ["docs/b.md"] });
    await narrow.close();
    const wide = await connect({ mode, roots: ["/"] });
    expect(await call(wide, "read_file", { path: "a.md" })).toMatchObject({ success: true });
    expect(await call(wide, "read_file", { path: "../x.md" })).toMatchObject({
      success: false,
      code: "outside",
    });
    await wide.close();
  });

  test.each([[[]], [["--root", "."]], [["--root", "link"]]])(
    "a root that is named %j is the folder that the client has opened",
    async (words) => {
      symlinkSync(root, join(root, "link"));
      const client = await connect({ mode, words, roots: [root] });
      const edit = { path: "a.md", old_content: "one", new_content: "two" };
      expect(await call(client, "read_file", { path: "a.md" })).toMatchObject({ success: true });
      expect(await call(client, "edit_file", edit)).toMatchObject({ success: true });
      await client.close();
    },
  );

  test("a message does not change the letters of a path", async () => {
    const client = await connect({ mode, roots: [join(root, "docs")] });
    const { error } = await call(client, "read_file", { path: "readme" });
    expect(error).toBe("The client has opened no folder that holds readme.");
    await client.close();
  });

  test("prompts and resources", async () => {
    const client = await connect({ mode });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      "fix-docs",
      "update-articles",
      "update-page",
      "review-run",
    ]);
    const prompt = await client.getPrompt({ name: "fix-docs", arguments: { base: "main" } });
    expect(JSON.stringify(prompt.messages)).toContain("comparing with main");
    const { entry } = await call(client, "edit_file", {
      path: "a.md",
      old_content: "one",
      new_content: "two",
      reason: "why not",
    });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([`suture://entry/${entry}`]);
    const { contents } = await client.readResource({ uri: `suture://entry/${entry}` });
    expect((contents[0] as { text: string }).text).toContain("why not");
    const diff = await client.readResource({ uri: `suture://entry/${entry}/diff` });
    expect((diff.contents[0] as { text: string }).text).toContain("-one\n+two\n");
    await expect(client.readResource({ uri: "suture://entry/../../x" })).rejects.toThrow();
    await client.close();
  });

  test("a cancelled call leaves the connection in order", async () => {
    const client = await connect({ mode });
    const stop = new AbortController();
    const cancelled = client.callTool(
      { name: "search_files", arguments: { query: "one" } },
      { signal: stop.signal },
    );
    stop.abort();
    await expect(cancelled).rejects.toThrow();
    expect(await call(client, "read_file", { path: "a.md" })).toMatchObject({ success: true });
    await client.close();
  });
});

describe("standard input and output", () => {
  test("standard output holds protocol messages only, and requests sent before the end are answered", async () => {
    const server = start();
    let output = "";
    server.stdout!.setEncoding("utf8").on("data", (text) => (output += text));
    server.stdin!.end([...hello, edit].map((message) => JSON.stringify(message)).join("\n"));
    expect(await ended(server)).toBe(0);
    const lines = output
      .trimEnd()
      .split("\n")
      .map(
        (line) => JSON.parse(line) as { jsonrpc: string; id: number; result: { structuredContent?: Result } },
      );
    expect(lines.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ["2.0", 0],
      ["2.0", 1],
    ]);
    expect(lines[1]!.result.structuredContent).toMatchObject({ success: true });
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("two\n");
  });

  test("a message that is too large is refused by its id, and the server goes on", async () => {
    const server = start();
    const text = gather(server);
    for (const message of hello) server.stdin!.write(`${JSON.stringify(message)}\n`);
    server.stdin!.write(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write_file","x":"`);
    const part = Buffer.alloc(1 << 20, 120);
    for (let i = 0; i < 20; i++)
      if (!server.stdin!.write(part)) await new Promise((resolve) => server.stdin!.once("drain", resolve));
    server.stdin!.write(`"},"id":7}\n`);
    server.stdin!.end(`${JSON.stringify(edit)}\n`);
    await new Promise((resolve) => server.once("exit", resolve));
    const answers = (await text)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { id: number; error?: { message: string } });
    expect(answers.find(({ id }) => id === 7)?.error?.message).toContain("a message is larger than");
    expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: { isError: false } });
  }, 60_000);

  test("a client that announces roots and cannot list them keeps the whole root", async () => {
    const server = start();
    const lines = openLines(server);
    const send = (message: unknown): void => void server.stdin!.write(`${JSON.stringify(message)}\n`);
    send({ ...hello[0], params: { ...hello[0]!.params, capabilities: { roots: {} } } });
    send(hello[1]);
    send(edit);
    for await (const line of lines) {
      const message = JSON.parse(line) as { id: number; method?: string; result?: { isError?: boolean } };
      if (message.method === "roots/list")
        send({ jsonrpc: "2.0", id: message.id, error: { code: -32_601, message: "Method not found" } });
      if (message.method !== undefined || message.id !== 1) continue;
      expect(message.result).toMatchObject({ isError: false });
      break;
    }
    server.kill();
  });

  test("rubbish lines are passed over", async () => {
    const server = start();
    let output = "";
    server.stdout!.setEncoding("utf8").on("data", (text) => (output += text));
    server.stdin!.end(
      [
        "not json",
        "{",
        "[]",
        "42",
        ...hello.map((message) => JSON.stringify(message)),
        JSON.stringify(edit),
        "",
      ].join("\n"),
    );
    expect(await ended(server)).toBe(0);
    expect(output).toContain('"success":true');
  });

  test("the server ends when its client goes away", async () => {
    const server = start();
    server.stdin!.end();
    expect(await ended(server)).toBe(0);
  });

  test("a root that is not there is a misuse", async () => {
    const server = spawn(process.execPath, [bundle.main, "mcp", "--root", join(root, "nowhere")], {
      stdio: "pipe",
    });
    expect(await ended(server)).toBe(2);
  });
});

describe("on a port", () => {
  test("the token is in its file only, never in arguments or logs, and the file is removed with the server", async () => {
    const tokenFile = join(root, "token");
    const server = start(["--http", "0", "--token-file", tokenFile]);
    let log = "";
    server.stderr!.setEncoding("utf8");
    await new Promise<void>((resolve) => {
      server.stderr!.on("data", (text) => {
        log += text;
        if (log.includes("token is in")) resolve();
      });
    });
    const token = readFileSync(tokenFile, "utf8").trim();
    const url = /http:\S+/.exec(log)![0];
    expect(log).not.toContain(token);
    if (process.platform === "linux")
      expect(readFileSync(`/proc/${server.pid}/cmdline`, "utf8")).not.toContain(token);
    const client = new Client({ name: "tests", version: "1.0.0" });
    const headers = { Authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    expect(await call(client, "read_file", { path: "a.md" })).toMatchObject({ success: true });
    await client.close();
    server.kill("SIGTERM");
    expect(await ended(server)).toBe(0);
    expect(existsSync(tokenFile)).toBe(false);
  });

  test.each([
    ["no port", ["--http", "70000"]],
    ["an address that others reach, without their names", ["--http", "0", "--listen", "0.0.0.0"]],
  ])("usage error: %s", async (_, words) => {
    const server = start(words);
    expect(await ended(server)).toBe(2);
  });
});

describe("many calls", () => {
  test("1,000 calls in a row", async () => {
    const client = await connect();
    writeFileSync(join(root, "count.txt"), "count 0\n");
    for (let i = 0; i < 1000; i += 2) {
      const read = await call(client, "read_file", { path: "count.txt" });
      expect(read.success).toBe(true);
      const edited = await call(client, "edit_file", {
        path: "count.txt",
        old_content: `count ${i}\n`,
        new_content: `count ${i + 2}\n`,
      });
      expect(edited, JSON.stringify(edited)).toMatchObject({ success: true });
    }
    expect(readFileSync(join(root, "count.txt"), "utf8")).toBe("count 1000\n");
    await client.close();
  });

  test("eight clients on one file lose no edit", async () => {
    const rounds = 12;
    const lines = Array.from({ length: 8 * rounds }, (_, i) => `line ${i} old\n`);
    writeFileSync(join(root, "shared.txt"), lines.join(""));
    const clients = await Promise.all(Array.from({ length: 8 }, () => connect()));
    await Promise.all(
      clients.map(async (client, c) => {
        for (let i = 0; i < rounds; i++) {
          const line = c + 8 * i;
          const result = await call(client, "edit_file", {
            path: "shared.txt",
            old_content: `line ${line} old\n`,
            new_content: `line ${line} new\nline ${line} more\n`,
          });
          expect(result, JSON.stringify(result)).toMatchObject({ success: true });
        }
      }),
    );
    const expected = lines.map((_, i) => `line ${i} new\nline ${i} more\n`).join("");
    expect(readFileSync(join(root, "shared.txt"), "utf8")).toBe(expected);
    await Promise.all(clients.map((client) => client.close()));
  });
});

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on("close", resolve));
}
