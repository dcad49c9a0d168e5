// Runs the protocol's own checks and the MCP Inspector against the server, where they can be installed:
//
//     node test/doors/conformance.ts
//
// Most of the suite's scenarios call tools that only its example server has; those that ask for nothing but the
// protocol are run here. The suite cannot send a token, so a small proxy adds it and leaves the rest as it is.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type HttpDoor, openMcp, serveHttp } from "../../src/mcp/index.ts";

const suite = "@modelcontextprotocol/conformance@0.1.16";
const inspector = "@modelcontextprotocol/inspector@2.12.0";
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];

const root = mkdtempSync(join(tmpdir(), "suture-conformance-"));
writeFileSync(join(root, "a.md"), "one\n");
let failed = 0;
try {
  await checkProtocol();
  checkInspector();
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

async function checkProtocol(): Promise<void> {
  const mcp = await openMcp({ root, version: "0.0.0" });
  if (!mcp.ok) throw new Error(JSON.stringify(mcp.refusal));
  const served = await serveHttp(mcp.value, { port: 0, tokenPath: join(root, "token") });
  if (!served.ok) throw new Error(JSON.stringify(served.refusal));
  const proxy = await openProxy(served.value);
  const { port } = proxy.address() as AddressInfo;
  for (const scenario of scenarios) {
    const words = ["server", "--url", `http://localhost:${port}/mcp`, "--scenario", scenario];
    await report(`conformance ${scenario}`, suite, "conformance", words);
  }
  proxy.closeAllConnections();
  proxy.close();
  await served.value.close();
}

/** Adds the token, and says the server's own port where the client said the proxy's. */
async function openProxy(door: HttpDoor): Promise<Server> {
  const target = new URL(door.url);
  const proxy = createServer((incoming, outgoing) => {
    const { port } = proxy.address() as AddressInfo;
    const here = (value: string | undefined): string | undefined =>
      value?.replace(`:${port}`, `:${target.port}`);
    const headers = Object.fromEntries(
      Object.entries({
        ...incoming.headers,
        host: here(incoming.headers.host),
        origin: here(incoming.headers.origin),
        authorization: `Bearer ${door.token}`,
      }).filter(([, value]) => value !== undefined),
    );
    const { method, url: path } = incoming;
    const onward = request({ host: "127.0.0.1", port: target.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  return proxy;
}

function checkInspector(): void {
  const server = [process.execPath, resolve("src/cli/main.ts"), "mcp", "--root", root];
  const list = ["--cli", ...server, "--method", "tools/list"];
  const call = [
    "--cli",
    ...server,
    "--method",
    "tools/call",
    "--tool-name",
    "read_file",
    "--tool-arg",
    "path=a.md",
  ];
  for (const [name, words, wanted] of [
    ["tools/list", list, '"edit_file"'],
    ["tools/call", call, '"version"'],
  ] as const) {
    const ran = npx(inspector, "mcp-inspector", words);
    say(`inspector ${name}`, ran, ran.stdout.includes(wanted));
  }
}

async function report(name: string, pack: string, bin: string, words: readonly string[]): Promise<void> {
  const { spawn } = await import("node:child_process");
  // Not synchronously: the server it talks to lives in this process.
  const ran = await new Promise<Ran>((done) => {
    const child = spawn("npx", ["-y", "-p", pack, bin, ...words], { cwd: root });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", ({ message }) => done({ status: 127, stdout, stderr: message }));
    child.on("close", (status) => done({ status, stdout, stderr }));
  });
  say(name, ran, ran.status === 0);
}

type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

function npx(pack: string, bin: string, words: readonly string[]): Ran {
  return spawnSync("npx", ["-y", "-p", pack, bin, ...words], {
    cwd: root,
    encoding: "utf8",
    timeout: 300_000,
  });
}

function say(name: string, { stdout, stderr }: Ran, passed: boolean): void {
  const missing = /npm (error|ERR!) (code )?(E404|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ETARGET)/.test(stderr);
  if (passed) console.log(`passed   ${name}`);
  else if (missing) console.log(`skipped  ${name}: it cannot be installed here`);
  else {
    failed++;
    console.log(`FAILED   ${name}\n${stdout}\n${stderr}`);
  }
}
