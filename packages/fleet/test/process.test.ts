import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Cluster, findPostgres, startCluster } from "./cluster.ts";
import { sutureFromSource } from "./from-source.ts";
import { generate } from "./generate.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-fleet-process-"));
const clusters: Cluster[] = [];
afterAll(async () => {
  for (const cluster of clusters) await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The databases of a fleet, each with the variables that name a new one. */
const databases: readonly (readonly [name: string, open: () => Promise<Record<string, string>>])[] = [
  ["the embedded database", async () => ({})],
  [
    "PostgreSQL",
    async () => {
      const cluster = await startCluster();
      clusters.push(cluster);
      return { DATABASE_URL: cluster.url };
    },
  ],
];

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

function start(args: readonly string[], environment: Record<string, string> = {}) {
  const { DATABASE_URL: _, CI: __, ...rest } = process.env;
  const child = spawn(process.execPath, [...sutureFromSource, "fleet", ...args], {
    env: { ...rest, ...environment },
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, out, err })));
  return { child, ended, text: () => `${out}${err}` };
}

async function until(child: ChildProcess, seen: () => boolean): Promise<void> {
  while (!seen()) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test.for(databases)(
  "a run that was killed can be run again, and ends, on %s",
  async ([name, open], { skip }) => {
    if (name === "PostgreSQL" && findPostgres() === null) skip("there is no PostgreSQL server here");
    const environment = await open();
    const home = join(folder, `killed on ${name}`);
    const places: string[] = [];
    for (let n = 1; n <= 4; n++) places.push((await generate(join(folder, name), "org", n)).folder);
    expect(await start(["add", ...places, "--home", home], environment).ended).toMatchObject({
      code: 0,
      out: "4 repositories added to the fleet.\n",
    });
    expect((await start(["add", ...places, "--home", home], environment).ended).out).toBe(
      "0 repositories added to the fleet, 4 already in it.\n",
    );
    const run = ["run", "--once", "--home", home, "--heartbeat", "10"];
    const killed = start(run, environment);
    await until(killed.child, () => killed.text().includes('"event":"job"'));
    killed.child.kill("SIGKILL");
    await killed.ended;
    const again = await start(run, environment).ended;
    expect(again.out).toBe("open 4\n");
    expect(again.code).toBe(1);
    expect((await start(["list", "--home", home], environment).ended).out.split("\n")).toHaveLength(5);
  },
);

test.for(databases)(
  "a failing repository is retried by its name, and an unknown name is refused, on %s",
  async ([name, open], { skip }) => {
    if (name === "PostgreSQL" && findPostgres() === null) skip("there is no PostgreSQL server here");
    const environment = await open();
    const home = ["--home", join(folder, `retried on ${name}`)];
    const { folder: place } = await generate(join(folder, name), "org", 9);
    await start(["add", place, ...home], environment).ended;
    renameSync(join(place, "objects"), join(place, "objects-away"));
    const run = ["run", "--once", ...home, "--heartbeat", "10"];
    expect((await start(run, environment).ended).out).toContain("failing 1");
    renameSync(join(place, "objects-away"), join(place, "objects"));
    const unknown = await start(["retry", "org/other", ...home], environment).ended;
    expect(unknown.code).not.toBe(0);
    expect(unknown.err).toContain("The fleet has no repository org/other");
    expect(await start(["retry", "org/library-9", ...home, "--json"], environment).ended).toMatchObject({
      code: 0,
      out: expect.stringContaining('"retried": 1'),
    });
    expect((await start(run, environment).ended).out).toBe("open 1\n");
    expect((await start(["audit", ...home], environment).ended).out).toContain("retried org/library-9");
  },
);

test("the server starts without a home folder of its own where the token is given", async () => {
  const server = start(["run", "--no-workers", "--port", "0", "--home", join(folder, "served")], {
    HOME: "/proc/nowhere",
    XDG_STATE_HOME: "",
    SUTURE_FLEET_TOKEN: "a-token-of-the-deployment",
  });
  await until(server.child, () => /The fleet is at http/.test(server.text()));
  const url = /http:\/\/[^/\s]+/.exec(server.text())![0];
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true });
  server.child.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
  expect(server.text()).not.toContain("a-token-of-the-deployment");
});

test("a server that cannot work ends, so that it is restarted", async () => {
  const home = join(folder, "full");
  const first = start(["run", "--no-workers", "--port", "0", "--home", home]);
  await until(first.child, () => /The fleet is at http/.test(first.text()));
  // The embedded database serves one process.
  const second = await start(["run", "--no-workers", "--port", "0", "--home", home]).ended;
  expect(second.code).not.toBe(0);
  expect(second.err).toContain("DATABASE_URL");
  first.child.kill("SIGTERM");
  await first.ended;
});
