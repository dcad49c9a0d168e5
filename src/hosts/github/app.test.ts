import { createVerify, generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { CodeHost } from "../host.ts";
import type { HostApp } from "../token.ts";
import { openGitHub } from "./api.ts";
import { openGitHubApp } from "./app.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** GitHub's part of an app: it checks signatures and times by its own clock, and gives out tokens for an hour. */
async function startHost({ ahead = 0, life = 3_600_000 } = {}) {
  const state = { asked: [] as string[], granted: 0, revoked: new Set<string>(), installation: 77 };
  const now = (): number => Date.now() + ahead;
  const isApp = (request: IncomingMessage): boolean => {
    const [head = "", claims = "", signature = ""] = bearer(request).split(".");
    const { iat, exp, iss } = JSON.parse(Buffer.from(claims, "base64url").toString() || "{}");
    const verify = createVerify("RSA-SHA256").update(`${head}.${claims}`);
    return (
      iss === "12345" &&
      iat * 1000 <= now() &&
      exp * 1000 > now() &&
      exp * 1000 <= now() + 600_000 &&
      verify.verify(publicKey, signature, "base64url")
    );
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    state.asked.push(`${request.method} ${path}`);
    const answer = (status: number, value: unknown): void => {
      response.writeHead(status, { date: new Date(now()).toUTCString() }).end(JSON.stringify(value));
    };
    if (/\/installation$|^\/app\//.test(path) && !isApp(request)) return answer(401, { message: "bad JWT" });
    if (path === "/orgs/acme/installation" || path === "/users/ann/installation")
      return answer(200, { id: state.installation });
    if (path === `/app/installations/${state.installation}/access_tokens`)
      return answer(201, {
        token: `ghs_${++state.granted}`,
        expires_at: new Date(now() + life).toISOString(),
      });
    if (!path.startsWith("/repos/")) return answer(404, { message: "Not Found" });
    if (state.revoked.has(bearer(request))) return answer(401, { message: "Bad credentials" });
    answer(200, { object: { sha: "a".repeat(40) } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function bearer({ headers }: IncomingMessage): string {
  return (headers.authorization ?? "").replace(/^Bearer /, "");
}

function openApp(baseUrl: string, more: object = {}): HostApp {
  const app = openGitHubApp({ id: "12345", key, baseUrl, sleep: async () => {}, ...more });
  if (!app.ok) throw new Error(JSON.stringify(app.refusal));
  return app.value;
}

test("an installation's token is requested once and renewed before it expires", async () => {
  const host = await startHost();
  let clock = 0;
  const source = openApp(host.url, { now: () => clock }).tokenFor("acme");
  const tokens = await Promise.all(Array.from({ length: 20 }, () => source.get()));
  expect(new Set(tokens.map((each) => each.ok && each.value))).toEqual(new Set(["ghs_1"]));
  clock = 45 * 60_000;
  expect(await source.get()).toMatchObject({ value: "ghs_1" });
  clock = 51 * 60_000;
  expect(await source.get()).toMatchObject({ value: "ghs_2" });
  expect(host.state.asked).toEqual([
    "GET /orgs/acme/installation",
    "POST /app/installations/77/access_tokens",
    "POST /app/installations/77/access_tokens",
  ]);
});

test("a wrong clock of this machine is corrected by the host's clock", async () => {
  for (const ahead of [7_200_000, -7_200_000]) {
    const host = await startHost({ ahead });
    const app = openApp(host.url);
    expect(await app.tokenFor("acme").get()).toMatchObject({ value: "ghs_1" });
    expect(await app.tokenFor("ann").get()).toMatchObject({ value: "ghs_2" });
  }
});

test("a token that the host revokes is replaced, once for each request", async () => {
  const host = await startHost();
  const opened = openGitHub({ baseUrl: host.url, token: openApp(host.url).tokenFor("acme") });
  const repository = (opened as { ok: true; value: CodeHost }).value.at("acme/api");
  expect(await repository.branch("main")).toMatchObject({ ok: true });
  host.state.revoked.add("ghs_1");
  expect(await repository.branch("main")).toMatchObject({ ok: true });
  host.state.revoked.add("ghs_2").add("ghs_3");
  expect(await repository.branch("main")).toMatchObject({ refusal: { code: "not-allowed" } });
});

test("an app that was installed again is found under its new number, and one that is not installed is refused", async () => {
  const host = await startHost({ life: 1000 });
  let clock = 0;
  const app = openApp(host.url, { now: () => clock });
  expect(await app.tokenFor("acme").get()).toMatchObject({ value: "ghs_1" });
  host.state.installation = 78;
  clock = 5000;
  expect(await app.tokenFor("ACME").get()).toMatchObject({ value: "ghs_2" });
  expect(await app.tokenFor("stranger").get()).toMatchObject({
    refusal: { code: "not-allowed", detail: "the app 12345 is not installed for stranger" },
  });
});

test("a key in one line is read, and a text that is no key is refused without being shown", () => {
  const options = { id: "12345", baseUrl: "https://git.example.org/api/v3" };
  expect(openGitHubApp({ ...options, key: key.replaceAll("\n", "\\n") })).toMatchObject({ ok: true });
  const refused = openGitHubApp({ ...options, key: "not-a-key-but-a-secret" });
  expect(refused).toMatchObject({ refusal: { code: "malformed" } });
  expect(JSON.stringify(refused)).not.toContain("not-a-key-but-a-secret");
});
