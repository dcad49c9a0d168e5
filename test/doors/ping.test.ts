import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { type CraftedInput, craftedInputs } from "./crafted-inputs.ts";

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const suture = join(import.meta.dirname, "../../src/cli/main.ts");
const size = 1000;

test.each(craftedInputs.map((input) => [input.name, input] as const))(
  "a server answers while it checks a page of %s",
  async (_, input) => {
    const root = makeRepository(input, size);
    const server = openServer(root);
    await server.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    let isDone = false;
    const drift = server
      .ask("tools/call", { name: "find_drift", arguments: { base: "HEAD~1" } })
      .finally(() => {
        isDone = true;
      });
    const waits: number[] = [];
    // Answers before the check is done show that the server is free; their time is printed, not asserted.
    let early = 0;
    while (!isDone) {
      const start = performance.now();
      await server.ask("ping", {});
      waits.push(performance.now() - start);
      if (!isDone) early++;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (process.env.SUTURE_PING)
      console.log(`${input.name}: ${waits.length} pings, longest ${Math.max(...waits).toFixed(0)} ms`);
    expect(early).toBeGreaterThan(0);
    expect(await drift).toMatchObject({ structuredContent: { tool: "find_drift" } });
  },
);

function makeRepository({ page, before, after, path = "docs/page.md" }: CraftedInput, n: number): string {
  const root = mkdtempSync(join(tmpdir(), "suture-ping-"));
  folders.push(root);
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root });
  git("init", "-q", "-b", "main");
  put("README.md", "# Tool\n");
  put(path, page(n));
  put("src/a.js", `export function loadThing() {}\n${before?.(n) ?? ""}`);
  git("add", "-A");
  git("commit", "-qm", "one");
  put("src/a.js", `export function readThing() {}\n${after?.(n) ?? ""}`);
  git("commit", "-qam", "two");
  return root;
}

function openServer(root: string): { ask(method: string, params: unknown): Promise<unknown> } {
  const child = spawn(process.execPath, [suture, "mcp", "--root", root], {
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
    ask: (method, params) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve);
        child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id: last, method, params })}\n`);
      }),
  };
}
