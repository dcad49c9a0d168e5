import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpDoor, openMcp, serveHttp } from "../../src/mcp/index.ts";

const home = mkdtempSync(join(tmpdir(), "suture-crowd-"));
const root = join(home, "root");
mkdirSync(root);
writeFileSync(join(root, "big.md"), "a line of words\n".repeat(12_500));

let door: HttpDoor;
beforeAll(async () => {
  const mcp = await openMcp({ root, version: "0.0.0" });
  if (!mcp.ok) throw new Error(JSON.stringify(mcp.refusal));
  const served = await serveHttp(mcp.value, { port: 0, tokenPath: join(home, "token") });
  if (!served.ok) throw new Error(JSON.stringify(served.refusal));
  door = served.value;
});
afterAll(async () => {
  await door.close();
  rmSync(home, { recursive: true, force: true });
});

const read = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "read_file", arguments: { path: "big.md" } },
});

function requestText(body: string): string {
  const { host } = new URL(door.url);
  return [
    "POST /mcp HTTP/1.1",
    `Host: ${host}`,
    `Authorization: Bearer ${door.token}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2025-11-25",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

async function isAnswered(): Promise<number> {
  const response = await fetch(door.url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${door.token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }),
  });
  await response.text();
  return response.status;
}

function open(): Socket {
  const socket = connect(Number(new URL(door.url).port), "127.0.0.1");
  socket.on("error", () => {});
  return socket;
}

test("under a crowd of requests the server accepts as many as it can, refuses the rest, and keeps running", async () => {
  const crowd = 700;
  let away = 0;
  const sockets = Array.from({ length: crowd }, () => {
    const socket = open();
    socket.on("close", () => away++);
    socket.resume();
    return socket;
  });
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve))),
  );
  for (let before = -1; before !== away; ) {
    before = away;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  console.log(`${crowd - away} of ${crowd} let in, ${away} turned away`);
  expect(crowd - away).toBeLessThanOrEqual(256);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await isAnswered()).toBe(200);
});

test("responses to a client that never reads are bounded in memory", async () => {
  const socket = open();
  socket.pause();
  await new Promise((resolve) => socket.on("connect", resolve));
  // 1000 responses of 200 kB would be 200 MB. The server makes none that the client does not read.
  for (let i = 0; i < 1000; i++) socket.write(requestText(read));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await isAnswered()).toBe(200);
  let heard = "";
  socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve));
  // A few more than are held at once, since the system's own buffers take some; then the connection is closed.
  expect(heard.match(/HTTP\/1\.1 200/g)?.length).toBeLessThan(100);
});
