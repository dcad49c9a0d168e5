import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { openGitHub } from "./github/api.ts";
import { openGitLab } from "./gitlab/api.ts";
import type { CodeHost, HostOptions } from "./host.ts";
import { openRestClient, type RestRequest } from "./rest.ts";

const token = "tokenThatMustNotBeSeen";
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Reply =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | "hang up"
  | "say nothing"
  | "never end";

/** A server that gives these replies in turn, and the last one from then on. */
async function serve(...replies: Reply[]) {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const reply = replies[Math.min(asked.length, replies.length - 1)]!;
    asked.push(`${request.method} ${request.url}`);
    if (reply === "say nothing") return;
    if (reply === "hang up") return void request.socket.destroy();
    if (reply === "never end") {
      response.writeHead(200);
      const more = () => response.write("x".repeat(1 << 20), () => response.destroyed || more());
      return more();
    }
    response.writeHead(reply.status ?? 200, reply.headers);
    response.end(JSON.stringify(reply.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits: number[] = [];
  const options: HostOptions & { baseUrl: string } = {
    baseUrl: url,
    token,
    timeout: 1500,
    sleep: async (milliseconds) => void waits.push(milliseconds),
  };
  const ask = async (question: RestRequest) => {
    const http = openRestClient(options, () => ({ authorization: `Bearer ${token}` }));
    if (!http.ok) throw new Error("no host");
    return http.value(question);
  };
  const get = () => ask({ path: "x" });
  return { asked, waits, ask, get, options, url };
}

describe("a host that limits requests", () => {
  test.each<[string, Reply]>([
    ["500", { status: 500 }],
    ["502", { status: 502 }],
    ["429", { status: 429 }],
    ["a secondary limit", { status: 403, body: { message: "You have exceeded a secondary rate limit" } }],
    ["a used-up limit", { status: 403, headers: { "x-ratelimit-remaining": "0" } }],
    ["a lost connection", "hang up"],
  ])("%s is asked again, with growing pauses", async (_, reply) => {
    const { asked, waits, get } = await serve(reply, reply, { body: { fine: true } });
    expect(await get()).toMatchObject({ ok: true, value: { value: { fine: true } } });
    expect(asked).toHaveLength(3);
    expect(waits[1]!).toBeGreaterThan(waits[0]!);
  });

  test("the pause the host asks for is kept, in seconds or as a date", async () => {
    const date = new Date(Date.now() + 20_000).toUTCString();
    const { waits, get } = await serve(
      { status: 429, headers: { "retry-after": "7" } },
      { status: 503, headers: { "retry-after": date } },
      {},
    );
    await get();
    expect(waits[0]).toBe(7000);
    expect(waits[1]).toBeGreaterThan(15_000);
  });

  test.each([
    ["retry-after", (at: number) => ({ "retry-after": new Date(at).toUTCString() })],
    [
      "x-ratelimit-reset",
      (at: number) => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(at / 1000) }),
    ],
  ])("a time in %s is read by the host's clock, not by ours", async (_, headersAt) => {
    const there = Math.floor(Date.now() / 1000) * 1000 - 7_200_000;
    const headers = { date: new Date(there).toUTCString(), ...headersAt(there + 20_000) };
    const { waits, get } = await serve({ status: 429, headers }, {});
    await get();
    expect(waits).toEqual([20_000]);
  });

  test("a pause longer than our patience is refused at once", async () => {
    const { asked, get } = await serve({ status: 429, headers: { "retry-after": "3600" } });
    expect(await get()).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
    expect(asked).toHaveLength(1);
  });

  test("a request is given up after five attempts", async () => {
    const { asked, get } = await serve({ status: 500 });
    expect(await get()).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
    expect(asked).toHaveLength(5);
  });

  test("a request that may have been carried out is repeated only if that is harmless", async () => {
    const { asked, ask } = await serve({ status: 502 });
    await ask({ method: "POST", path: "x", body: {} });
    expect(asked).toHaveLength(1);
    await ask({ method: "POST", path: "x", body: {}, repeatable: true });
    expect(asked).toHaveLength(6);
  });

  test("a request refused with 401, 404, 409 or 422 is not repeated", async () => {
    for (const [status, code] of [
      [401, "not-allowed"],
      [403, "not-allowed"],
      [404, "not-found"],
      [409, "conflict"],
      [422, "conflict"],
    ] as const) {
      const { asked, get } = await serve({ status, body: { message: `no, ${token}` } });
      const answer = await get();
      expect(answer).toMatchObject({ ok: false, refusal: { code } });
      expect(JSON.stringify(answer)).not.toContain(token);
      expect(asked).toHaveLength(1);
    }
  });

  test("a request without an answer, or with an endless one, ends", async () => {
    const { ask } = await serve("say nothing");
    expect(await ask({ method: "POST", path: "x" })).toMatchObject({
      ok: false,
      refusal: { code: "unavailable" },
    });
    const endless = await serve("never end");
    expect(await endless.ask({ method: "POST", path: "x" })).toMatchObject({ ok: false });
  });
});

describe("the token", () => {
  test("does not follow a redirect to another host", async () => {
    const other = await serve({});
    const location = `${other.url.replace("127.0.0.1", "localhost")}/`;
    const { get, ask } = await serve({ status: 302, headers: { location } });
    expect(await get()).toMatchObject({ ok: false });
    expect(await ask({ method: "POST", path: "x" })).toMatchObject({ ok: false });
    expect(other.asked).toEqual([]);
  });

  test("follows one on the same host, and not in circles", async () => {
    const moved = await serve({ status: 301, headers: { location: "/new" } }, { body: { fine: true } });
    expect(await moved.get()).toMatchObject({ ok: true });
    const circle = await serve({ status: 301, headers: { location: "/x" } });
    expect(await circle.ask({ method: "DELETE", path: "x", repeatable: false })).toMatchObject({ ok: false });
  });

  test.each([
    "http://example.org",
    "ftp://example.org",
    "https://me:secret@example.org",
    "nowhere",
    "https://example.org/?q",
  ])("is not sent to %s", (baseUrl) => {
    expect(openRestClient({ baseUrl, token }, () => ({}))).toMatchObject({
      ok: false,
      refusal: { code: "malformed" },
    });
  });
});

test("names in a path are encoded, and none leads to a parent folder", async () => {
  const { asked, options } = await serve({ status: 404 });
  const host = openGitHub(options) as { ok: true; value: CodeHost };
  await host.value.at("acme/box").branch("b?x=1#y%2e");
  expect(asked).toEqual(["GET /repos/acme/box/git/ref/heads/b%3Fx%3D1%23y%252e"]);
  expect(await host.value.at("acme/../../user").branch("b")).toMatchObject({ ok: false });
  expect(await host.value.at("acme/box").branch("a/../../b")).toMatchObject({ ok: false });
  expect(asked).toHaveLength(1);
});

describe("lists", () => {
  const item = (i: number) => ({
    full_name: `acme/r${i}`,
    path_with_namespace: `acme/r${i}`,
    default_branch: "main",
    clone_url: "u",
    http_url_to_repo: "u",
    html_url: "u",
    web_url: "u",
    private: true,
    fork: false,
    archived: false,
  });
  const some = (from: number, count: number) => Array.from({ length: count }, (_, i) => item(from + i));

  test("GitHub's are read page by page, as long as there is a next one, at most so many", async () => {
    const next = { link: '<https://elsewhere.test/>; rel="next"' };
    const { asked, options } = await serve(
      { body: some(0, 100), headers: next },
      { body: some(100, 100), headers: next },
      { body: some(200, 5) },
    );
    const host = openGitHub(options) as { ok: true; value: CodeHost };
    const all = await host.value.repositories("acme");
    expect(all.ok && all.value.length).toBe(205);
    expect(asked.map((one) => /page=\d+$/.exec(one)?.[0])).toEqual(["page=1", "page=2", "page=3"]);
    const few = await host.value.repositories("acme", { most: 3 });
    expect(few.ok && few.value.map(({ name }) => name)).toHaveLength(3);
  });

  test("GitLab's too, and a person's where there is no such group", async () => {
    const { asked, options } = await serve(
      { status: 404 },
      { body: some(0, 2), headers: { "x-next-page": "2" } },
      { body: some(2, 1) },
    );
    const host = openGitLab(options) as { ok: true; value: CodeHost };
    const all = await host.value.repositories("acme");
    expect(all.ok && all.value.map(({ name }) => name)).toEqual(["acme/r0", "acme/r1", "acme/r2"]);
    expect(asked[1]).toContain("/users/acme/projects");
  });

  test("an answer of an unexpected shape is refused", async () => {
    const { options } = await serve({ body: [{ full_name: 1 }] });
    const host = openGitHub(options) as { ok: true; value: CodeHost };
    expect(await host.value.repositories("acme")).toMatchObject({
      ok: false,
      refusal: { code: "unavailable" },
    });
  });
});

describe("merge requests of GitLab", () => {
  const found = {
    iid: 4,
    web_url: "https://gitlab.test/g/p/-/merge_requests/4",
    title: "Draft: t",
    description: "d",
    source_branch: "suture/main",
    target_branch: "main",
  };
  const open = (options: HostOptions) =>
    (openGitLab(options) as { ok: true; value: CodeHost }).value.at("g/p");

  test.each([
    ["opened", "open"],
    ["locked", "open"],
    ["closed", "closed"],
    ["merged", "merged"],
  ])("one that is %s is %s: it is locked only while it is being merged", async (state, expected) => {
    const { options } = await serve({ body: { ...found, state } });
    expect(await open(options).pullRequest(4)).toMatchObject({ ok: true, value: { state: expected } });
  });

  test("one that has its title and text already is not written again", async () => {
    const { options, asked } = await serve({ body: [{ ...found, state: "opened" }] });
    const draft = { head: "suture/main", base: "main", title: "t", body: "d" };
    expect(await open(options).openPullRequest(draft)).toMatchObject({ ok: true, value: { number: 4 } });
    expect(asked).toHaveLength(1);
    await open(options).openPullRequest({ ...draft, body: "another text" });
    expect(asked.at(-1)).toMatch(/^PUT /);
  });
});
