import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, findPostgres, startCluster } from "./cluster.ts";
import { startFakeGitHub } from "./fake-github.ts";
import { sutureFromSource } from "./from-source.ts";
import { commitToMain, generate } from "./generate.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-fleet-commands-"));
let cluster: Cluster | null = null;
let host: Awaited<ReturnType<typeof startFakeGitHub>>;

beforeAll(async () => {
  // The embedded database serves as well. Opening it for every command takes long.
  cluster = findPostgres() === null ? null : await startCluster();
  host = await startFakeGitHub(() => null);
});
afterAll(async () => {
  await host.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

function fleet(
  args: readonly string[],
  input = "",
  environment: Record<string, string> = {},
): Promise<Ended> {
  const { DATABASE_URL: _, CI: __, ...rest } = process.env;
  const child = spawn(
    process.execPath,
    [...sutureFromSource, "fleet", ...args, "--home", join(folder, "home")],
    {
      cwd: folder,
      env: {
        ...rest,
        ...(cluster ? { DATABASE_URL: cluster.url } : {}),
        SUTURE_GITHUB_TOKEN: "token-of-the-host",
        SUTURE_GITHUB_API: host.url,
        ...environment,
      },
    },
  );
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

test("an empty fleet says that it is empty", async () => {
  expect((await fleet(["list"])).err).toContain("The fleet is empty.");
  expect((await fleet(["members"])).err).toContain("No person has a role.");
  expect((await fleet(["audit"])).err).toContain("No person has done anything yet.");
});

test("without an action the actions are named", async () => {
  const { code, err } = await fleet([]);
  expect(code).toBe(2);
  expect(err).toContain("import");
  expect(err).toContain("settings");
});

test.for([
  ["a folder without a repository", ["add", "no-such-folder"], "holds no repository"],
  [
    "an owner that the host does not know",
    ["import", "github:nobody"],
    "github.com has no organisation, group or user nobody",
  ],
  ["a kind without an owner", ["import", "github:"], "usage"],
  ["a kind of host that there is not", ["import", "bitbucket:acme"], "github:ORG"],
] as const)("%s is refused in words", async ([, args, words]) => {
  const { code, err } = await fleet(args);
  expect(code).not.toBe(0);
  expect(err.toLowerCase()).toContain(words.toLowerCase());
  expect((await fleet(["list"])).out).toBe("");
});

test("a folder with the name of another is named, and not lost without a word", async () => {
  const first = await generate(join(folder, "a"), "team", 1);
  const second = await generate(join(folder, "b"), "team", 1);
  const { code, out, err } = await fleet(["add", first.folder, second.folder]);
  expect(out).toBe("1 repository added to the fleet.\n");
  expect(err).toContain(second.folder);
  expect(err).toContain("team/library-1");
  expect(code).toBe(1);
});

test("the list is filtered by state, and an unknown state is refused", async () => {
  expect((await fleet(["list", "--state", "new"])).out).toContain("team/library-1");
  expect((await fleet(["list", "--state", "failing"])).out).toBe("");
  expect((await fleet(["list", "--state", "failed"])).code).toBe(2);
});

test("a port that there is not, and an address that is none of a database, are refused in words", async () => {
  const port = await fleet(["run", "--port", "99999"]);
  expect(port).toMatchObject({ code: 2, err: expect.stringContaining("0 to 65535") });
  const address = await fleet(["status"], "", { DATABASE_URL: "nonsense" });
  expect(address).toMatchObject({
    code: 3,
    err: expect.stringContaining("DATABASE_URL is no address of a PostgreSQL"),
  });
});

test("a user who may not make tables is told so", async ({ skip }) => {
  if (cluster === null) return skip("there is no PostgreSQL server here");
  const { default: pg } = await import("pg");
  const client = new pg.Client(cluster.url);
  await client.connect();
  await client.query("CREATE ROLE weak LOGIN");
  await client.query("CREATE DATABASE weak");
  await client.end();
  const url = cluster.url.replace("suture@", "weak@").replace(/[^/]*$/, "weak");
  const { code, err } = await fleet(["status"], "", { DATABASE_URL: url });
  expect(code).toBe(3);
  expect(err).toContain("The tables of the fleet cannot be prepared: permission denied for database weak");
});

test.for([
  ["move", "team/library-1"],
  ["pause", "team/library-1", "team/library-2"],
  ["remove", "team/library-1", "team/library-2"],
  ["resume"],
  ["status", "team"],
  ["grant", "ann@example.org", "viewer", "team", "other"],
])("an operand that is missing or too many is refused, and nothing is done: %j", async (args) => {
  const before = (await fleet(["list", "--json"])).out;
  const { code, err } = await fleet(args);
  expect(code).toBe(2);
  expect(err).toContain(`suture fleet ${args[0]}`);
  expect((await fleet(["list", "--json"])).out).toBe(before);
});

test("a repository does not move to a folder that holds none", async () => {
  const { code, err } = await fleet(["move", "team/library-1", "no-such-folder"]);
  expect(code).toBe(2);
  expect(err).toContain("holds no repository");
});

test.for(["stop", "approve", "preview"])(
  "an organisation that the fleet does not have is refused by %s",
  async (action) => {
    const { code, err } = await fleet([action, "taem"]);
    expect(code).not.toBe(0);
    expect(err).toContain("The fleet has no organisation taem");
    expect(err).toContain("team");
  },
);

test("settings and roles may come before their organisation, with a remark", async () => {
  const set = await fleet(["settings", "later", "-"], '{ "draft": true }');
  expect(set).toMatchObject({ code: 0, err: expect.stringContaining("no repository of later yet") });
  const granted = await fleet(["grant", "ann@example.org", "viewer", "later"]);
  expect(granted).toMatchObject({ code: 0, err: expect.stringContaining("no repository of later yet") });
});

test("the record of who did what has settings, budgets, and what an approval was for", async () => {
  await fleet(["settings", "team", "-"], '{ "dryRun": true }');
  await fleet(["settings", "team"]);
  await fleet(["budget", "team", "--usd", "5"]);
  await fleet(["budget", "team"]);
  await fleet(["approve", "team", "--cause", "renamed:a→b", "--most", "3"]);
  await fleet(["approve", "--all"]);
  await fleet(["drain"]);
  await fleet(["drain", "--resume"]);
  const { out } = await fleet(["audit", "--json"]);
  const did = (JSON.parse(out) as { did: string; target: string; organisation: string | null }[])
    .reverse()
    .map(({ did, target, organisation }) => [did, target, organisation]);
  expect(did.slice(-6)).toEqual([
    ["replaced the settings of", "team", "team"],
    ["set the budget of", "team --usd 5", "team"],
    ["approved the edits of", "team --cause renamed:a→b --most 3", "team"],
    ["approved the edits of", "the fleet --all", null],
    ["drained", "the fleet", null],
    ["resumed", "the fleet", null],
  ]);
});

test("settings that cannot be read are refused in words, also from standard input", async () => {
  const unknown = await fleet(["settings", "team", "-"], '{ "dryrun": true }');
  expect(unknown.err).toContain('Standard input: there is no key "dryrun"');
  expect(unknown.err).toContain('Did you mean "dryRun"?');
});

test("a line says why it is false where no rule edits it", async () => {
  const { folder: bare } = await generate(join(folder, "c"), "team", 3);
  commitToMain({ folder: bare }, "link", (tree) => {
    writeFileSync(join(tree, "docs", "guide.md"), "# Guide\n\nSee [setup](setup.md).\n");
    writeFileSync(join(tree, "docs", "setup.md"), "# Setup\n");
  });
  commitToMain({ folder: bare }, "drop the setup", (tree) => rmSync(join(tree, "docs", "setup.md")));
  await fleet(["add", bare]);
  await fleet(["run", "--once"]);
  const { code, out } = await fleet(["why", "team/library-3", "docs/guide.md:3"]);
  expect(out).toContain("setup.md");
  expect(code).toBe(0);
});
