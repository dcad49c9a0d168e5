import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { hosts } from "../../../src/hosts/registry.ts";
import { BodyMemory } from "../src/serve/body-memory.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(most: number): Promise<number> {
  const memory = new BodyMemory(most);
  const server = createServer(async (incoming, response) => {
    const body = await memory.read(incoming, 10_000).catch(() => null);
    response.end(body === null || body === "crowded" ? String(body) : String(body.length));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.closeAllConnections() ?? server.close());
  return (server.address() as AddressInfo).port;
}

/** A client that announces 9,000 bytes and sends all but the last. */
async function holdOpen(port: number): Promise<void> {
  const held = request({ port, host: "127.0.0.1", method: "POST", headers: { "content-length": 9_000 } });
  held.on("error", () => {});
  held.write(Buffer.alloc(8_999));
  closing.push(() => held.destroy());
  await once(held, "socket");
}

test("clients that hold their bodies back give way to one that sends its own", async () => {
  const port = await listen(40_000);
  for (let i = 0; i < 13; i++) await holdOpen(port);
  for (let i = 0; i < 5; i++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "x".repeat(5_000) });
    expect(await answer.text()).toBe("5000");
  }
});

test("a webhook without a signature or with another token is refused by its headers alone", () => {
  const { github, gitlab } = hosts;
  const signature = { "x-hub-signature-256": `sha256=${"a".repeat(64)}` };
  expect(github.webhook.mayBeGenuine({}, "s")).toBe(false);
  expect(github.webhook.mayBeGenuine({ "x-hub-signature-256": "sha256=abc" }, "s")).toBe(false);
  expect(github.webhook.mayBeGenuine(signature, "s")).toBe(true);
  expect(gitlab.webhook.mayBeGenuine({ "x-gitlab-token": "other" }, "s")).toBe(false);
  expect(gitlab.webhook.mayBeGenuine({ "x-gitlab-token": "s" }, "s")).toBe(true);
});
