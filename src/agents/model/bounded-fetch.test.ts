import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";

const dispatcher = Symbol.for("undici.globalDispatcher.1");
type Patience = { constructor: new (options: { headersTimeout: number }) => unknown };
const known = globalThis as unknown as { [dispatcher]?: Patience };

let close = (): void => {};
afterEach(() => close());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a slow model is waited for longer than Node's own fetch waits", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/slow") setTimeout(() => response.end("late"), 1200);
    else response.end("now");
  });
  expect(await (await fetch(url)).text()).toBe("now");
  const usual = known[dispatcher];
  if (!usual) return;
  known[dispatcher] = new usual.constructor({ headersTimeout: 100 }) as Patience;
  try {
    await expect(fetch(`${url}slow`)).rejects.toThrow();
    expect(await (await boundedFetch(`${url}slow`)).text()).toBe("late");
  } finally {
    known[dispatcher] = usual;
  }
});

test("what was sent and answered is the same as with fetch", async () => {
  const url = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method, headers } = request;
      response.writeHead(418, { "x-a": "b" }).end(JSON.stringify([method, headers["x-key"], body]));
    });
  });
  const response = await boundedFetch(url, { method: "POST", headers: { "x-key": "k" }, body: "ü" });
  expect([response.status, response.ok, response.headers.get("x-a")]).toEqual([418, false, "b"]);
  expect(await response.json()).toEqual(["POST", "k", "ü"]);
});

test("a signal ends the wait for the answer, and the answer itself, with its reason", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/begun") response.write("some");
  });
  const waiting = new AbortController();
  const asked = boundedFetch(url, { signal: waiting.signal });
  waiting.abort(new Error("no longer"));
  await expect(asked).rejects.toThrow("no longer");
  const begun = new AbortController();
  const response = await boundedFetch(`${url}begun`, { signal: begun.signal });
  const read = response.text();
  begun.abort(new Error("too late"));
  await expect(read).rejects.toThrow("too late");
});

test("an endless answer, a redirect and a server that is gone are errors", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/" }).end();
    else {
      const more = (): void => {
        while (response.write(Buffer.alloc(1 << 20)));
      };
      response.on("drain", more);
      more();
    }
  });
  await expect((await boundedFetch(url)).text()).rejects.toThrow(/larger than/);
  await expect(boundedFetch(`${url}moved`)).rejects.toMatchObject({
    cause: { message: "unexpected redirect" },
  });
  close();
  await expect(boundedFetch("http://127.0.0.1:1/")).rejects.toMatchObject({
    name: "TypeError",
    message: "fetch failed",
  });
});
