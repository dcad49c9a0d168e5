import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { CheckProcesses } from "../../packages/fleet/src/jobs/check-process.ts";
import { ScriptedClient, startServer } from "../lsp/client.ts";
import { installPage } from "../web/review-fixture.ts";
import { type Bundle, bundleCommand } from "./bundle.ts";
import { type CraftedInput, craftedInputs, craftRepository } from "./crafted-inputs.ts";

// Answers before a check is done show that a server is free. Their times are printed with SUTURE_PING, and not asserted.
const folders: string[] = [];
const children: ChildProcess[] = [];
let bundle: Bundle;
beforeAll(async () => {
  await installPage();
  bundle = await bundleCommand();
});
afterAll(() => bundle.remove());
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const size = Number(process.env.SUTURE_PING_SIZE ?? 1000);
/** Every input with the server that models use, and some with the others, which check in the same way. */
const some = craftedInputs.filter((_, i) => process.env.SUTURE_PING !== undefined || i % 6 === 0);
const rows = (inputs: readonly CraftedInput[]) => inputs.map((input) => [input.name, input] as const);

test.each(rows(craftedInputs))("the MCP server answers while it checks a page of %s", async (name, input) => {
  const root = makeRepository(input, size);
  const server = openServer(root);
  await server.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  const drift = server.ask("tools/call", { name: "find_drift", arguments: { base: "HEAD~1" } });
  const ping = () => server.ask("ping", {});
  expect(await pingUntil(`mcp ${name}`, drift, { ping, server: server.pid })).toBeGreaterThan(0);
  expect(await drift).toMatchObject({ structuredContent: { tool: "find_drift" } });
});

test.each(rows(some))("the language server answers while it checks a page of %s", async (name, input) => {
  const root = makeRepository(input, size);
  const wire = startServer([process.execPath, bundle.main, "lsp", "--stdio"]);
  const client = new ScriptedClient(root, wire);
  await client.start({}, { base: "HEAD~1" });
  const { path = "docs/page.md" } = input;
  await client.open(path, input.page(size));
  const textDocument = { uri: pathToFileURL(join(root, path)).href };
  const hover = client.connection.sendRequest("textDocument/hover", {
    textDocument,
    position: { line: 0, character: 0 },
  });
  const ping = () => client.connection.sendRequest("suture/unknown", {}).catch(() => null);
  expect(await pingUntil(`lsp ${name}`, hover, { ping, server: wire.pid! })).toBeGreaterThan(0);
  expect(await client.close()).toBe(0);
});

// The page of a review is opened when its check takes more than a second and a half.
const slow = craftedInputs.filter(({ name }) => ["equal headings", "open fences", "samples"].includes(name));
test.each(rows(slow))("the review page answers while a page of %s is checked", async (name, input) => {
  const { ask, pid } = await openReview(makeRepository(input, 20 * size));
  expect(await ask()).toBe(202);
  const checked = (async () => {
    let status = 202;
    while (status === 202) status = await ask();
    return status;
  })();
  expect(await pingUntil(`review ${name}`, checked, { ping: ask, server: pid })).toBeGreaterThan(0);
  expect(await checked).toBe(200);
});

test.each(rows(some))("the fleet is free while a page of %s is checked", async (name, input) => {
  const root = makeRepository(input, size);
  const clone = mkdtempSync(join(tmpdir(), "suture-ping-"));
  folders.push(clone);
  execFileSync("git", ["clone", "-q", "--bare", root, clone]);
  const commit = (revision: string): string =>
    execFileSync("git", ["rev-parse", revision], { cwd: root }).toString().trim();
  const processes = new CheckProcesses({ seconds: 60 });
  const { signal } = new AbortController();
  const change = { base: commit("HEAD~1"), head: commit("HEAD") };
  const checked = processes.run({ folder: clone, change }, { signal });
  expect(
    await pingUntil(`fleet ${name}`, checked, { ping: async () => undefined, server: process.pid }),
  ).toBeGreaterThan(0);
  expect((await checked).ok).toBe(true);
  processes.close();
});

/** Starts a review. Returns a request for its findings, which gives the status of the answer. */
async function openReview(
  root: string,
): Promise<{ readonly ask: () => Promise<number>; readonly pid: number }> {
  const child = spawn(process.execPath, [bundle.main, "review", "--base", "HEAD~1", "--no-open"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  children.push(child);
  let said = "";
  for await (const line of createInterface({ input: child.stderr })) {
    said += `${line}\n`;
    const launch = /^Open (.+) in a browser/.exec(line)?.[1];
    if (launch === undefined) continue;
    const [, address, token] = /url=(.+?)#(.+?)"/.exec(readFileSync(launch, "utf8"))!;
    const headers = { Authorization: `Bearer ${token}` };
    const ask = async () => {
      const response = await fetch(`${address}api/run`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    return { ask, pid: child.pid! };
  }
  throw new Error(`the review ended: ${said}`);
}

/** Asks again and again until something is done. Returns how many answers came before. */
async function pingUntil(
  name: string,
  done: Promise<unknown>,
  { ping, server }: { readonly ping: () => Promise<unknown>; readonly server: number },
): Promise<number> {
  let isDone = false;
  const end = (): void => void (isDone = true);
  done.then(end, end);
  const waits: number[] = [];
  const busy: number[] = [];
  let early = 0;
  while (!isDone) {
    const [start, before] = [performance.now(), workOf(server)];
    await ping();
    // A timer that comes late shows that this thread was not free.
    await new Promise((resolve) => setTimeout(resolve, 10));
    waits.push(performance.now() - start - 10);
    busy.push(workOf(server) - before);
    if (!isDone) early++;
  }
  if (process.env.SUTURE_PING)
    console.log(
      `${name}: ${waits.length} pings, longest ${Math.max(...waits).toFixed(0)} ms, of which the server worked at most ${Math.max(...busy).toFixed(0)}`,
    );
  return early;
}

/** Milliseconds that the first thread of a process has worked, without its waits for a free CPU. 0 where Linux is not. */
function workOf(pid: number): number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6 : 0;
}

function makeRepository(input: CraftedInput, n: number): string {
  const root = craftRepository(input, n);
  folders.push(root);
  return root;
}

function openServer(root: string): {
  readonly pid: number;
  ask(method: string, params: unknown): Promise<unknown>;
} {
  const child = spawn(process.execPath, [bundle.main, "mcp", "--root", root], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const waiting = new Map<number, (result: unknown) => void>();
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const { id, result } = JSON.parse(line) as { id: number; result: unknown };
    waiting.get(id)?.(result);
  });
  let last = 0;
  return {
    pid: child.pid!,
    ask: (method, params) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve);
        child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id: last, method, params })}\n`);
      }),
  };
}
