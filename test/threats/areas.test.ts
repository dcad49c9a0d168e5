import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { readIdToken } from "../../packages/fleet/src/people/id-token.ts";
import { hosts } from "../../src/hosts/registry.ts";
import { hmacOf, parseWebhook } from "../../src/hosts/webhook.ts";
import { createGuard } from "../../src/http/guard.ts";
import { openTestBench, quote, value } from "../../src/workspace/testing.ts";

const me = { author: "me" };

// Webhooks of the fleet: a sender who does not know the secret, and one who does and sends nonsense.
const secret = "the secret of the webhook";
const push = {
  ref: "refs/heads/main",
  after: "a".repeat(40),
  repository: {
    id: 1,
    full_name: "o/r",
    html_url: "https://github.com/o/r",
    default_branch: "main",
    pushed_at: 1,
  },
};
const body = Buffer.from(JSON.stringify(push));
const right = hmacOf(body, secret);
test.each([
  ["no signature", undefined],
  ["an empty one", ""],
  ["only the name of the method", "sha256="],
  ["another method", `sha1=${right}`],
  ["no method", right],
  ["capital letters", `sha256=${right.toUpperCase()}`],
  ["a capital method", `SHA256=${right}`],
  ["a space before it", ` sha256=${right}`],
  ["a line break behind it", `sha256=${right}\n`],
  ["half of it", `sha256=${right.slice(0, 32)}`],
  ["a digit more", `sha256=${right}0`],
  ["another secret", `sha256=${hmacOf(body, "other")}`],
  ["an empty secret", `sha256=${hmacOf(body, "")}`],
  ["the signature of another body", `sha256=${hmacOf(Buffer.from("{}"), secret)}`],
  ["two of them", [`sha256=${right}`, `sha256=${right}`]],
  ["zeros", `sha256=${"0".repeat(64)}`],
  ["letters that are no digits", `sha256=${"g".repeat(64)}`],
  ["full-width digits", `sha256=${"０".repeat(64)}`],
  ["a very long one", `sha256=${"a".repeat(100_000)}`],
])("a webhook of GitHub is refused: %s", (_, signature) => {
  const headers = { "x-github-event": "push", ...(signature && { "x-hub-signature-256": signature }) };
  const webhook = { source: "github" as const, headers, body };
  expect(hosts.github.webhook.isGenuine(webhook, secret)).toBe(false);
  expect(hosts.github.webhook.isGenuine(webhook, "")).toBe(false);
});

const context = { ownBranchPrefix: "suture/", isCommand: () => true, isTicked: () => true };
const changed = (change: object): string => JSON.stringify({ ...push, ...change });
const inRepository = (change: object): string => changed({ repository: { ...push.repository, ...change } });
test.each([
  ["no body", ""],
  ["no JSON", "{"],
  ["a list", "[]"],
  ["nothing", "null"],
  ["a commit that is an option", changed({ after: "--upload-pack=x" })],
  ["a commit with a line break", changed({ after: `${"a".repeat(40)}\n` })],
  ["a commit in capitals", changed({ after: "A".repeat(40) })],
  ["a short commit", changed({ after: "a".repeat(39) })],
  ["a commit of a deleted branch", changed({ after: "0".repeat(40) })],
  ["a branch that is another", changed({ ref: "refs/heads/evil" })],
  ["a tag of the branch's name", changed({ ref: "refs/tags/main" })],
  ["a repository with a folder above", inRepository({ full_name: "../r" })],
  ["a repository with a space", inRepository({ full_name: "o/r x" })],
  ["a repository of three parts", inRepository({ full_name: "o/r/x" })],
  ["a repository with a line break", inRepository({ full_name: "o/r\nx" })],
  ["a repository without an owner", inRepository({ full_name: "r" })],
  ["no address", inRepository({ html_url: "x" })],
  ["a number that is none", inRepository({ id: "1; drop table" })],
  ["keys of the prototype", '{"__proto__":{"after":"x"}}'],
  ["bytes that are no text", "\u0000\u0001"],
])("a body of a webhook leads to no job: %s", (_, text) => {
  const webhook = {
    source: "github" as const,
    headers: { "x-github-event": "push" },
    body: Buffer.from(text),
  };
  const event = parseWebhook(hosts.github.webhook, webhook, context);
  expect(event === null || event === "malformed").toBe(true);
});

test.each(["__proto__", "constructor", "toString", "ping", "Push", "push\n", " push", "*", ""])(
  "an event called %j leads to no job",
  (name) => {
    const webhook = { source: "github" as const, headers: { "x-github-event": name }, body };
    expect(parseWebhook(hosts.github.webhook, webhook, context)).toBeNull();
  },
);

// Sign-in of the fleet.
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = { ...publicKey.export({ format: "jwk" }), kid: "k", use: "sig" };
const now = Date.UTC(2026, 0, 2);
const expected = { issuer: "https://id.test", clientId: "suture", nonce: "n", now };
const claims = { iss: "https://id.test", aud: "suture", sub: "1", nonce: "n", exp: now / 1000 + 60 };
const part = (data: unknown): string => Buffer.from(JSON.stringify(data)).toString("base64url");
function token(said: object, head: object = { alg: "RS256", kid: "k" }, key: KeyObject = privateKey): string {
  const signed = `${part(head)}.${part(said)}`;
  return `${signed}.${createSign("sha256").update(signed).sign(key).toString("base64url")}`;
}
const [head, said, signature] = token(claims).split(".");

test("the right token is accepted", async () => {
  expect(await readIdToken(token(claims), [jwk], expected)).toMatchObject({ sub: "1" });
});

test.each([
  ["nothing", ""],
  ["dots", ".."],
  ["two parts", `${head}.${said}`],
  ["four parts", `${head}.${said}.${signature}.x`],
  ["no signature", `${head}.${said}.`],
  ["half a signature", `${head}.${said}.${signature!.slice(0, 40)}`],
  ["no method", `${part({ alg: "none" })}.${said}.`],
  ["no method, with a signature", `${part({ alg: "none" })}.${said}.${signature}`],
  ["a method in other letters", token(claims, { alg: "rs256", kid: "k" })],
  ["a shared secret as method", token(claims, { alg: "HS256", kid: "k" })],
  ["another kind of key", token(claims, { alg: "ES256", kid: "k" })],
  ["a method of the prototype", token(claims, { alg: "constructor", kid: "k" })],
  ["another method than it was signed with", token(claims, { alg: "RS512", kid: "k" })],
  ["an unknown key", token(claims, { alg: "RS256", kid: "x" })],
  ["a foreign key under a known name", token(claims, { alg: "RS256", kid: "k" }, other.privateKey)],
  [
    "a key of its own",
    token(claims, { alg: "RS256", jwk: other.publicKey.export({ format: "jwk" }) }, other.privateKey),
  ],
  ["a changed claim", `${head}.${part({ ...claims, sub: "2" })}.${signature}`],
  ["another issuer", token({ ...claims, iss: "https://evil.test" })],
  ["an issuer with a slash", token({ ...claims, iss: "https://id.test/" })],
  ["another audience", token({ ...claims, aud: "other" })],
  ["no audience", token({ ...claims, aud: [] })],
  ["several audiences", token({ ...claims, aud: ["suture", "other"] })],
  ["several audiences for another one", token({ ...claims, aud: ["suture", "other"], azp: "other" })],
  ["another nonce", token({ ...claims, nonce: "m" })],
  ["no nonce", token({ ...claims, nonce: undefined })],
  ["an empty nonce", token({ ...claims, nonce: "" })],
  ["an old token", token({ ...claims, exp: now / 1000 - 1000 })],
  ["no end", token({ ...claims, exp: undefined })],
  ["an end that is a text", token({ ...claims, exp: "9999999999" })],
  ["a token of tomorrow", token({ ...claims, nbf: now / 1000 + 1000 })],
  ["no person", token({ ...claims, sub: "" })],
  ["a person that is a number", token({ ...claims, sub: 1 })],
  ["claims that are a list", `${head}.${part([claims])}.${signature}`],
  ["a very long token", `${"a".repeat(1_000_000)}.${said}.${signature}`],
])("a token to sign in with is refused: %s", async (_, given) => {
  expect(await readIdToken(given, [jwk], expected)).toBeNull();
});

// The review page, and every other server on this machine.
const guard = createGuard({ port: 4711, token: "t".repeat(43) });
const home = { host: "127.0.0.1:4711" };
test.each([
  ["no host", {}],
  ["another host", { host: "evil.dev" }],
  ["another host on the port", { host: "evil.dev:4711" }],
  ["this host on another port", { host: "127.0.0.1:80" }],
  ["this host without a port", { host: "127.0.0.1" }],
  ["a name that begins like it", { host: "127.0.0.1.evil.dev:4711" }],
  ["a name that ends like it", { host: "evil.localhost:4711" }],
  ["a user in the host", { host: "localhost@evil.dev:4711" }],
  ["another spelling of the number", { host: "127.1:4711" }],
  ["a number in hex", { host: "0x7f000001:4711" }],
  ["every address", { host: "0.0.0.0:4711" }],
  ["a dot behind it", { host: "localhost.:4711" }],
  ["a space", { host: " localhost:4711" }],
  ["two hosts", { host: "localhost:4711,evil.dev" }],
  ["the address of version 6 without brackets", { host: "::1:4711" }],
  ["a foreign origin", { ...home, origin: "https://evil.dev" }],
  ["no origin by name", { ...home, origin: "null" }],
  ["an empty origin", { ...home, origin: "" }],
  ["the origin of another port", { ...home, origin: "http://127.0.0.1:80" }],
  ["the origin with encryption", { ...home, origin: "https://127.0.0.1:4711" }],
  ["an origin with a path", { ...home, origin: "http://127.0.0.1:4711/" }],
  ["an origin that begins like it", { ...home, origin: "http://127.0.0.1:4711.evil.dev" }],
  ["an origin of a file", { ...home, origin: "file://" }],
  ["an origin of an extension", { ...home, origin: "chrome-extension://abc" }],
])("a request is denied by what it names: %s", (_, headers) => {
  expect(guard.checkOrigin({ method: "POST", path: "/", headers } as never)).toMatchObject({ status: 403 });
});

test.each([
  ["none", undefined],
  ["nothing", ""],
  ["only the scheme", "Bearer"],
  ["an empty one", "Bearer "],
  ["another scheme", `Basic ${"t".repeat(43)}`],
  ["no scheme", "t".repeat(43)],
  ["a shorter one", `Bearer ${"t".repeat(42)}`],
  ["a longer one", `Bearer ${"t".repeat(44)}`],
  ["two of them", `Bearer ${"t".repeat(43)} ${"t".repeat(43)}`],
  ["a space behind it", `Bearer ${"t".repeat(43)} `],
  ["other letters", `Bearer ${"T".repeat(43)}`],
  ["the word undefined", "Bearer undefined"],
])("a request is denied by its token: %s", (_, authorization) => {
  const headers = { ...home, ...(authorization !== undefined && { authorization }) };
  expect(guard.checkToken({ method: "POST", path: "/", headers } as never)).toMatchObject({ status: 401 });
});

// Clocks that jump, and texts that are no time at all.
const year = 365 * 24 * 3600_000;
const times = [0, 1, -1, 60, -60, 24 * 30, -24 * 30].map((hours) =>
  new Date(now + hours * 3600_000).toISOString(),
);
const clocks: readonly string[] = [
  ...times,
  ...[1, -1, 10, -10, 50, -50].map((years) => new Date(now + years * year).toISOString()),
  ...[
    "1970-01-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z",
    "2038-01-19T03:14:08.000Z",
    "9999-12-31T23:59:59.999Z",
  ],
  ...[
    "2026-03-29T01:59:59.999Z",
    "2026-03-29T03:00:00.000Z",
    "2026-12-31T23:59:60.000Z",
    "2024-02-29T00:00:00.000Z",
  ],
  ...[
    "+010000-01-01T00:00:00.000Z",
    "-000001-01-01T00:00:00.000Z",
    "2026-01-02",
    "2026-01-02T00:00:00+14:00",
    "0001-01-01T00:00:00.000Z",
    "not a time",
    "",
  ],
  ...[
    "2106-02-07T06:28:16.000Z",
    "2000-01-01T00:00:00.000Z",
    "2099-12-31T12:00:00.000Z",
    "2026-01-01T23:59:59.999Z",
  ],
];
test("a clock that jumps before every edit loses no version, no order and no undo", async () => {
  expect(clocks.length).toBeGreaterThanOrEqual(32);
  let time = clocks[0]!;
  const first = await openTestBench({ "a.md": "count 0\n" });
  const bench = await first.another({ files: { ...bind(first.files), now: () => time } });
  await first.workspace.close();
  for (const [i, next] of clocks.entries()) {
    time = next;
    value(await bench.commit([quote("a.md", `count ${i}\n`, `count ${i + 1}\n`)]));
    if (i % 5 === 4) value(await bench.workspace.gc({ dryRun: true }));
  }
  for (const i of clocks.keys()) {
    const image = value(await bench.workspace.readImage(String(i + 1), "a.md", "before"));
    expect(new TextDecoder().decode(image!)).toBe(`count ${i}\n`);
  }
  expect(await bench.workspace.doctor()).toEqual([]);
  for (let i = clocks.length; i > 0; i--) {
    time = clocks[(i * 7) % clocks.length]!;
    value(await bench.workspace.undo({ entry: String(i) }, me));
  }
  expect(bench.text("a.md")).toBe("count 0\n");
});

/** Methods of a class as functions of their own. */
function bind<T extends object>(object: T): T {
  return new Proxy(object, {
    get: (target, name) => {
      const found = Reflect.get(target, name) as unknown;
      return typeof found === "function" ? found.bind(target) : found;
    },
    ownKeys: (target) => [
      ...new Set([...Reflect.ownKeys(target), ...Reflect.ownKeys(Object.getPrototypeOf(target) as object)]),
    ],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

test("a month of edits in one state: thirty days of edits, undos, outside changes and collections", async () => {
  const bench = await openTestBench({ "a.md": "count 0\n", "b.md": "other 0\n" });
  let count = 0;
  let entries = 0;
  const known = new Map<string, string>();
  for (let day = 0; day < 30; day++) {
    for (let i = 0; i < 12; i++) {
      const before = bench.text("a.md")!;
      value(await bench.commit([quote("a.md", before, `count ${++count}\n`)]));
      known.set(String(++entries), before);
    }
    if (day % 3 === 0) {
      value(await bench.workspace.undo({ entry: String(entries) }, me));
      entries++;
    }
    if (day % 4 === 0) bench.disk.put("b.md", `other ${day}, by hand\n`);
    value(await bench.commit([quote("b.md", bench.text("b.md")!, `other ${day}\n`)]));
    entries++;
    if (day % 10 === 9) value(await bench.workspace.gc({ dryRun: true }));
  }
  for (const [entry, before] of known) {
    const image = value(await bench.workspace.readImage(entry, "a.md", "before"));
    expect(new TextDecoder().decode(image!)).toBe(before);
  }
  expect(await bench.workspace.doctor()).toEqual([]);
  expect(value(await bench.workspace.gc()).after).toBeGreaterThan(0);
  expect(await bench.workspace.doctor()).toEqual([]);
});
