import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printTargets, type Target } from "../report.ts";

/** The bytes that an MCP client receives: the listings of the tools, and five lines of a file of 1 MB. */
export function measureWire(): boolean {
  const root = mkdtempSync(join(tmpdir(), "suture-bench-wire-"));
  try {
    writeFileSync(join(root, "big.txt"), "a line of a big file\n".repeat(50_000));
    const [listed, read] = ask(root, []);
    const [slim] = ask(root, ["--profile", "slim"]);
    const targets: Target[] = [
      { name: "tools/list, default profile", limit: 10_000, actual: listed!, unit: "bytes" },
      { name: "tools/list, slim profile", limit: 3000, actual: slim!, unit: "bytes" },
      { name: "read_file, 5 lines of 1 MB", limit: 4000, actual: read!, unit: "bytes" },
    ];
    console.log(printTargets(targets));
    return targets.every(({ limit, actual }) => actual <= limit);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const server = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** The sizes of the answers to `tools/list` and `read_file`, as they come over standard output. */
function ask(root: string, words: readonly string[]): number[] {
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  const read = { name: "read_file", arguments: { path: "big.txt", start_line: 400, end_line: 404 } };
  const messages = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    { id: 3, method: "tools/call", params: read },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const ran = spawnSync(process.execPath, [server, "mcp", "--root", root, ...words], {
    input,
    encoding: "utf8",
  });
  const answers = ran.stdout.split("\n").filter(Boolean);
  const sizeOf = (id: number): number => {
    const answer = answers.find((line) => (JSON.parse(line) as { id?: number }).id === id);
    if (answer === undefined) throw new Error(`no answer: ${ran.stderr}`);
    return Buffer.byteLength(answer);
  };
  return [sizeOf(2), sizeOf(3)];
}
