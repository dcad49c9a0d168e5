import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readKnownHosts } from "../../../src/hosts/access.ts";
import { parseAddress } from "../src/clones/address.ts";
import { importFromHost, parseList } from "../src/clones/import.ts";
import { type Mirrors, openMirrors } from "../src/clones/mirror.ts";
import { HostCredentials } from "../src/publish/credentials.ts";
import { gitHeaders } from "../src/publish/sinks.ts";
import { makeCertificate, startCountingHost } from "./counting-host.ts";
import { commitToMain, type Generated, generate, gitIn } from "./generate.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-tokens-"));
const ours = "git.example.org";
const strangers = [
  "git.example.org.evil.test",
  "github.evil.test",
  "code.example.net",
  "evil.test",
  "xn--gt-mja.example.org",
];
const certificate = makeCertificate(folder, [ours, ...strangers]);
const home = process.env.HOME;
const secret = "token-that-only-one-host-may-see";
const basic = (token: string): string => `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;

type Host = Awaited<ReturnType<typeof startCountingHost>>;
let generated: Generated;
let host: Host;
let stranger: Host;
const closing: (() => void)[] = [];

/** Hosts on this machine that git reaches by their names. */
async function openHosts(redirect: (path: string) => string | null = () => null): Promise<void> {
  const repositories = { "/acme/api.git": generated.folder };
  stranger = await startCountingHost({ certificate: certificate!, repositories });
  host = await startCountingHost({ certificate: certificate!, repositories, redirect });
  closing.push(stranger.close, host.close);
  const resolve = [
    `${ours}:${host.port}:127.0.0.1`,
    ...[ours, ...strangers].map((name) => `${name}:${stranger.port}:127.0.0.1`),
  ];
  const lines = resolve.map((each) => `\tcurloptResolve = ${each}`);
  writeFileSync(
    join(folder, ".gitconfig"),
    `[http]\n\tsslCAInfo = ${join(folder, "certificate.pem")}\n${lines.join("\n")}\n`,
  );
}

function credentials(more: Record<string, string> = {}): HostCredentials {
  const known = readKnownHosts({
    SUTURE_HOSTS: `${ours}:${host.port}=github:OUR_TOKEN`,
    OUR_TOKEN: secret,
    ...more,
  });
  if (!known.ok) throw new Error(JSON.stringify(known.refusal));
  return new HostCredentials(known.value);
}

function mirrors(known = credentials()): Mirrors {
  const lookup = { header: gitHeaders(known), kindOf: (name: string) => known.kindOf(name) };
  return openMirrors(mkdtempSync(join(folder, "mirrors-")), lookup);
}

async function fetchFrom(url: string): Promise<string> {
  const address = parseAddress(url);
  if (!address.ok) return "refused";
  const fetched = await mirrors()
    .fetch(address.value, { commit: null })
    .catch((error: Error) => error.message);
  return typeof fetched === "string" ? fetched : (fetched?.head ?? "empty");
}

if (certificate === null) test.skip("tokens and strangers' hosts: there is no openssl here");
else {
  beforeAll(async () => {
    process.env.HOME = folder;
    generated = await generate(join(folder, "repositories"), "acme", 1);
  });
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  afterAll(() => {
    process.env.HOME = home;
    rmSync(folder, { recursive: true, force: true });
  });

  test("the configured host gets its token, and a host with a similar name gets none", async () => {
    await openHosts();
    expect(await fetchFrom(`https://${ours}:${host.port}/acme/api.git`)).toBe(generated.head);
    expect(new Set(host.seen.credentials)).toEqual(new Set([basic(secret)]));
    for (const name of [...strangers, ours])
      expect(await fetchFrom(`https://${name}:${stranger.port}/acme/api.git`)).toBe(generated.head);
    expect(stranger.seen.requests).toBeGreaterThan(strangers.length);
    expect(stranger.seen.credentials).toEqual([]);
  });

  test("a redirect to another host carries no token, whichever request is redirected", async () => {
    for (const part of ["/info/refs", "/git-upload-pack"]) {
      await openHosts((path) => (path.includes(part) ? `https://evil.test:${stranger.port}${path}` : null));
      await fetchFrom(`https://${ours}:${host.port}/acme/api.git`);
      expect(host.seen.credentials.length).toBeGreaterThan(0);
      expect(stranger.seen.credentials).toEqual([]);
    }
  });

  test("a redirect that only looks as if it stayed on its host carries no token elsewhere", async () => {
    const targets = [
      () => `//evil.test:${stranger.port}/acme/api.git/info/refs`,
      () => `https://${ours}:${stranger.port}/acme/api.git/info/refs`,
      () => `https://${ours}:${host.port}@evil.test:${stranger.port}/acme/api.git/info/refs`,
      () => `https://${ours}:${host.port}\\@evil.test:${stranger.port}/acme/api.git/info/refs`,
      () => `https://${ours}.:${stranger.port}/acme/api.git/info/refs`,
      () => `http://${ours}:${stranger.port}/acme/api.git/info/refs`,
      () => `\\\\evil.test:${stranger.port}/acme/api.git/info/refs`,
    ];
    await openHosts((path) => targets[Number(/^\/moved(\d)/.exec(path)?.[1])]?.() ?? null);
    for (const n of targets.keys()) await fetchFrom(`https://${ours}:${host.port}/moved${n}/api.git`);
    expect(host.seen.credentials.length).toBeGreaterThanOrEqual(targets.length);
    expect(stranger.seen.credentials).toEqual([]);
  });

  test("a repository that names other hosts in its files makes no request to them", async () => {
    await openHosts();
    const evil = `https://evil.test:${stranger.port}/acme/api.git`;
    const pointing = await generate(join(folder, "pointing"), "acme", 2);
    commitToMain(pointing, "point elsewhere", (tree) => {
      writeFileSync(join(tree, ".gitmodules"), `[submodule "part"]\n\tpath = part\n\turl = ${evil}\n`);
      writeFileSync(join(tree, ".lfsconfig"), `[lfs]\n\turl = ${evil}/info/lfs\n`);
      writeFileSync(join(tree, ".gitattributes"), "*.md filter=lfs diff=lfs merge=lfs -text\n");
      gitIn(tree, "update-index", "--add", "--cacheinfo", `160000,${generated.head},part`);
    });
    const listed = { "/acme/pointing.git": pointing.folder };
    const serving = await startCountingHost({ certificate: certificate!, repositories: listed });
    closing.push(serving.close);
    const config = join(folder, ".gitconfig");
    writeFileSync(
      config,
      `${readFileSync(config, "utf8")}\tcurloptResolve = ${ours}:${serving.port}:127.0.0.1\n`,
    );
    const address = parseAddress(`https://${ours}:${serving.port}/acme/pointing.git`);
    if (!address.ok) throw new Error("address");
    const known = readKnownHosts({
      SUTURE_HOSTS: `${ours}:${serving.port}=github:OUR_TOKEN`,
      OUR_TOKEN: secret,
    });
    if (!known.ok) throw new Error("hosts");
    const fetched = await mirrors(new HostCredentials(known.value)).fetch(address.value, { commit: null });
    await fetched!.fill(pointing.first, fetched!.head);
    expect(fetched!.head).not.toBe(pointing.head);
    expect(new Set(serving.seen.credentials)).toEqual(new Set([basic(secret)]));
    expect(stranger.seen.requests).toBe(0);
  });

  test("a repository that its own host has renamed is fetched by its new name", async () => {
    await openHosts((path) =>
      path.startsWith("/old/")
        ? `https://${ours}:${host.port}${path.replace("/old/name", "/acme/api")}`
        : null,
    );
    expect(await fetchFrom(`https://${ours}:${host.port}/old/name.git`)).toBe(generated.head);
    expect(new Set(host.seen.credentials)).toEqual(new Set([basic(secret)]));
  });

  test("the token does not follow a host that was renamed", async () => {
    await openHosts();
    expect(await fetchFrom(`https://code.example.net:${stranger.port}/acme/api.git`)).toBe(generated.head);
    expect(stranger.seen.credentials).toEqual([]);
  });

  test("no line of a hostile import list makes a token go to a stranger", async () => {
    await openHosts();
    const lines = [
      `https://evil.test:${stranger.port}/${ours}/acme/api.git`,
      `https://${ours}@evil.test:${stranger.port}/acme/api.git`,
      `https://${ours}:${host.port}@evil.test:${stranger.port}/acme/api.git`,
      `https://${ours}:${host.port}\\@evil.test:${stranger.port}/acme/api.git`,
      `https://evil.test:${stranger.port}/acme/api.git#${ours}`,
      `https://evil.test:${stranger.port}/acme/api.git?host=${ours}:${host.port}`,
      `https://g\u00ect.example.org:${stranger.port}/acme/api.git`,
      `https://${ours}.evil.test:${stranger.port}/acme/api.git`,
      `https://${ours}.:${stranger.port}/acme/api.git`,
      `https://${ours}%2eevil.test:${stranger.port}/acme/api.git`,
      `https://${ours.toUpperCase()}:${stranger.port}/acme/api.git`,
      `https://${ours.replaceAll(".", "\u3002")}:${stranger.port}/acme/api.git`,
      `https://\uff47it.example.org:${stranger.port}/acme/api.git`,
      `https://${ours}:0${stranger.port}/acme/api.git`,
      `https://${ours}:${host.port}:${stranger.port}/acme/api.git`,
      `https:///evil.test:${stranger.port}/acme/api.git`,
      `https://${ours}:${host.port}?@evil.test:${stranger.port}/acme/api.git`,
      `https://${ours}:${host.port}#@evil.test:${stranger.port}/acme/api.git`,
      `https://${ours}:${host.port}/acme/../../..//evil.test:${stranger.port}/acme/api.git`,
      `https://%40@evil.test:${stranger.port}/acme/api.git`,
      `https://evil.test:${stranger.port}\\@${ours}:${host.port}/acme/api.git`,
      `https://${ours}:${host.port}/../../@evil.test:${stranger.port}/acme/api.git`,
      `ext::sh -c "curl https://evil.test:${stranger.port}/acme/api.git"`,
    ];
    for (const line of lines) {
      const listed = parseList(line);
      for (const { url } of listed.ok ? listed.value : []) await fetchFrom(url);
    }
    expect(stranger.seen.requests).toBeGreaterThan(0);
    expect(stranger.seen.credentials).toEqual([]);
  });

  test("an API that lists strangers, links to them or redirects to them does not make us send the token there", async () => {
    await openHosts();
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    closing.push(() => elsewhere.close());
    const away = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const api = createServer((request, response) => {
      if (request.url?.startsWith("/orgs/moved/"))
        return void response.writeHead(302, { location: `${away}${request.url}` }).end();
      const listed = [
        {
          id: 1,
          full_name: "acme/api",
          default_branch: "main",
          clone_url: `https://evil.test:${stranger.port}/acme/api.git`,
          html_url: `https://${ours}/acme/api`,
          private: true,
          fork: false,
          archived: false,
        },
      ];
      const link = request.url?.includes("page=1")
        ? { link: `<${away}/orgs/acme/repos?page=2>; rel="next"` }
        : {};
      response.writeHead(200, { "content-type": "application/json", ...link }).end(JSON.stringify(listed));
    });
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    closing.push(() => api.close());
    const known = credentials({
      SUTURE_GITHUB_API: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      SUTURE_GITHUB_TOKEN: secret,
    });
    const list = (owner: string) =>
      importFromHost({ kind: "github", host: "github.com", owner }, { credentials: known, most: 10 });
    expect(await list("moved")).toMatchObject({ ok: false });
    const found = await list("acme");
    if (!found.ok) throw new Error(JSON.stringify(found.refusal));
    expect(new Set(found.value.map(({ hostId }) => hostId))).toEqual(new Set([null]));
    for (const { url } of found.value) await fetchFrom(url);
    expect(asked).toEqual([]);
    expect(stranger.seen.requests).toBeGreaterThan(0);
    expect(stranger.seen.credentials).toEqual([]);
  });
}
