import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

/** How long it took is said at the end; the tests see no seconds. */
const took = "suture: check took 0 s, setting up 0 s.\n";

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "with node "));
  for (const folder of ["scripts", "npm"]) mkdirSync(join(checkout, folder));
  copyFileSync("scripts/with-node.mjs", join(checkout, "scripts/with-node.mjs"));
  writeFileSync(join(checkout, "npm/npm-cli.js"), standInForNpm);
  writeFileSync(join(checkout, "old.cjs"), pretendToBeOld);
  writeLock({
    "node_modules/a": { version: "1.0.0", integrity: "x" },
    "node_modules/b": { version: "1.0.0", optional: true },
  });
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

test("a new checkout is installed once, then the script runs with its arguments", async () => {
  expect(await run(["check", "src/text", "a b"])).toMatchObject({
    code: 0,
    stderr: `suture: installing dependencies\n${took}`,
  });
  expect(await run(["check"])).toMatchObject({ code: 0, stderr: took });
  expect(calls()).toEqual(["ci", "run --silent check -- src/text a b", "run --silent check"]);
});

test("a changed lock file installs again; an optional package of another system does not", async () => {
  await run(["check"]);
  writeLock({ "node_modules/a": { version: "1.0.1", integrity: "y" } });
  await run(["check"]);
  await run(["check"]);
  expect(calls()).toEqual(["ci", "run --silent check", "ci", "run --silent check", "run --silent check"]);
});

test("an old Node is replaced once, in one line, for npm and script alike", async () => {
  const first = await run(["check"], { old: true });
  const second = await run(["check"], { old: true });
  expect(first.stderr).toBe(
    "suture: Node 18.19.0 is too old: fetching Node 24 into .node/ once, and running everything under it.\n" +
      `suture: installing dependencies\n${took}`,
  );
  expect(second.stderr).toBe(
    `suture: Node 18.19.0 is too old: running under the Node 24 in .node/.\n${took}`,
  );
  expect(calls()[0]).toMatch(/^install node-\S+@24$/);
  expect(calls().slice(1)).toEqual(["ci", "run --silent check", "run --silent check"]);
  for (const { stdout } of [first, second]) expect(stdout).toContain(join(checkout, ".node"));
  expect(readdirSync(join(checkout, ".node"))).toHaveLength(1);
});

test.each([
  [
    "npm error code ENOTFOUND",
    "no answer from the npm registry (ENOTFOUND). Check the network and run this again.",
  ],
  ["npm ERR! code E404\\nnpm ERR! 404 Not Found", "E404, 404 Not Found"],
])("when npm fails with %s, one line says so and nothing is left behind", async (trouble, line) => {
  const { code, stderr } = await run(["check"], { old: true, env: { TROUBLE: trouble } });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "suture: Node 18.19.0 is too old: fetching Node 24 into .node/ once, and running everything under it.\n" +
      `suture: could not fetch Node 24: ${line}\n`,
  });
  expect(readdirSync(join(checkout, ".node"))).toEqual([]);
});

test("without npm, one line says so", async () => {
  const { code, stderr } = await run(["check"], { env: { npm_execpath: "", PATH: "" } });
  expect({ code, lines: stderr.trim().split("\n") }).toEqual({
    code: 1,
    lines: [
      "suture: installing dependencies",
      "suture: npm was not found: install it, or run this as `npm test`.",
    ],
  });
});

test("the exit code of the script is kept", async () => {
  expect((await run(["check"], { env: { SCRIPT_EXIT: "7" } })).code).toBe(7);
});

test("two runs at once install once, and a lock whose owner died is taken over", async () => {
  mkdirSync(join(checkout, ".node"));
  writeFileSync(join(checkout, ".node/lock"), "2147483646");
  await Promise.all([run(["check"]), run(["check"])]);
  expect(calls().filter((call) => call === "ci")).toHaveLength(1);
  expect(existsSync(join(checkout, ".node/lock"))).toBe(false);
});

const pretendToBeOld = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.19.0" } });`;

/** Does to the disk what npm would, and writes down how it was called. */
const standInForNpm = `
const { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const args = process.argv.slice(2).filter((arg) => !/^--(no-|ignore-|include=|loglevel=|fetch-)/.test(arg));
appendFileSync(join(__dirname, "calls"), args.join(" ") + "\\n");
if (process.env.TROUBLE) {
  console.error(process.env.TROUBLE.replaceAll("\\\\n", "\\n"));
  process.exit(1);
}
if (args[0] === "install") {
  const bin = join("node_modules", args[1].replace("@24", ""), "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, "node"));
}
if (args[0] === "ci") {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const kept = Object.entries(packages).filter(([place, each]) => place && !each.optional);
  mkdirSync("node_modules", { recursive: true });
  writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(kept) }));
}
if (args[0] === "run") {
  console.log(process.env.PATH.split(":")[0]);
  process.exit(Number(process.env.SCRIPT_EXIT ?? 0));
}
`;

function writeLock(packages: Record<string, object>): void {
  writeFileSync(join(checkout, "package-lock.json"), JSON.stringify({ packages: { "": {}, ...packages } }));
}

function calls(): string[] {
  return readFileSync(join(checkout, "npm/calls"), "utf8").trim().split("\n");
}

type Run = { code: number; stdout: string; stderr: string };

function run(args: string[], { old = false, env = {} as Record<string, string> } = {}): Promise<Run> {
  const script = join(checkout, "scripts/with-node.mjs");
  const everything = [...(old ? ["--require", join(checkout, "old.cjs")] : []), script, ...args];
  const npm = { npm_execpath: join(checkout, "npm/npm-cli.js") };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      everything,
      { env: { PATH: process.env.PATH, ...npm, ...env } },
      done,
    );
    function done(_error: unknown, stdout: string, stderr: string): void {
      resolve({ code: child.exitCode ?? -1, stdout, stderr: stderr.replace(/[0-9]+ s/g, "0 s") });
    }
  });
}
