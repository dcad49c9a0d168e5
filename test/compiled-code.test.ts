import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { EOL, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BASELINE_ONLY } from "../src/syntax/source/tree.ts";

const { quickCommands, parserFlags } = createRequire(import.meta.url)("../bin/load.cjs") as {
  readonly quickCommands: readonly string[];
  readonly parserFlags: readonly string[];
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compiled-"));
  mkdirSync(join(home, "dist/cli"), { recursive: true });
  cpSync("bin", join(home, "bin"), { recursive: true });
  writeProgram('const { greet } = require("./part.cjs"); process.stdout.write(greet(process.argv[2]));');
  writeFileSync(join(home, "dist/cli/part.cjs"), 'exports.greet = (name) => "hello " + name;');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("the code of each file is kept once for each command, and the next run uses it", () => {
  expect(run("edit")).toBe("hello edit");
  const kept = keptFiles("edit");
  expect(kept.map((name) => name.split("-").at(-1)).sort()).toEqual(["main.cjs", "part.cjs"]);
  const times = kept.map((name) => statSync(keptPath("edit", name)).ino);
  expect(run("edit")).toBe("hello edit");
  expect(keptFiles("edit").map((name) => statSync(keptPath("edit", name)).ino)).toEqual(times);
  expect(run("undo")).toBe("hello undo");
  expect(keptFiles("undo")).toHaveLength(2);
});

test.each(["edit", "check"])("the next %s uses the code that was kept by one that parsed", (command) => {
  const flags = JSON.stringify(BASELINE_ONLY);
  writeProgram(`const { greet } = require("./part.cjs"); process.stdout.write(greet(process.argv[2]));
    for (const flag of ${flags}) require("node:v8").setFlagsFromString(flag);`);
  run(command);
  const inodes = (): number[] => keptFiles(command).map((name) => statSync(keptPath(command, name)).ino);
  const first = inodes();
  expect(first).toHaveLength(2);
  run(command);
  expect(inodes()).toEqual(first);
  expect(parserFlags).toEqual(BASELINE_ONLY);
});

test("a file of the same length that replaces another runs, and the code of old and removed files goes", () => {
  writeFileSync(join(home, "dist/cli/old-part.cjs"), "exports.greet = () => 0;");
  writeProgram(
    'require("./old-part.cjs"); const { greet } = require("./part.cjs"); process.stdout.write(greet("1"));',
  );
  run("edit");
  expect(keptFiles("edit")).toHaveLength(3);
  rmSync(join(home, "dist/cli/old-part.cjs"));
  writeProgram('const { greet } = require("./part.cjs"); process.stdout.write(greet(process.argv[2]));');
  run("edit");
  expect(keptFiles("edit")).toHaveLength(2);
  writeProgram('const { greet } = require("./part.cjs"); process.stdout.write(greet(process.argv[1]));');
  expect(run("edit")).toBe(`hello ${join(home, "bin/suture.cjs")}`);
  expect(keptFiles("edit")).toHaveLength(2);
});

test("kept code that Node cannot use is compiled and kept again", () => {
  run("edit");
  for (const name of keptFiles("edit")) writeFileSync(keptPath("edit", name), "not code");
  expect(run("edit")).toBe("hello edit");
  for (const name of keptFiles("edit"))
    expect(readFileSync(keptPath("edit", name)).length).toBeGreaterThan(100);
});

test("kept code with one wrong bit is not run", () => {
  run("edit");
  const main = keptPath("edit", keptFiles("edit").find((name) => name.endsWith("main.cjs"))!);
  const whole = readFileSync(main);
  for (const at of [9, whole.length >> 1, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 4;
    writeFileSync(main, damaged);
    expect(run("edit")).toBe("hello edit");
    expect(readFileSync(main).equals(damaged)).toBe(false);
  }
});

test.skipIf(process.platform === "win32")("code that others may write is not used", () => {
  run("edit");
  const main = keptFiles("edit").find((name) => name.endsWith("main.cjs"));
  chmodSync(keptPath("edit", main!), 0o666);
  run("edit");
  expect(statSync(keptPath("edit", main!)).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform === "win32")("no code comes from a folder that others may write to", () => {
  const shared = join(home, "shared");
  for (const [mode, isUsed] of [
    [0o777, false],
    [0o755, true],
  ] as const) {
    mkdirSync(shared, { recursive: true });
    chmodSync(shared, mode);
    for (const command of ["edit", "fix"])
      expect(run(command, { SUTURE_CACHE: join(shared, "suture") })).toBe(`hello ${command}`);
    expect(existsSync(join(shared, "suture"))).toBe(isUsed);
  }
  expect(statSync(join(shared, "suture/compiled")).mode & 0o077).toBe(0);
});

test("other commands leave it to Node", () => {
  expect(run("fix")).toBe("hello fix");
  expect(keptFiles("fix")).toEqual([]);
});

test("a check keeps its code too, unless it imports the packages that ask a model", () => {
  expect(run("check")).toBe("hello check");
  expect(keptFiles("check")).toHaveLength(2);
  writeProgram('void import("node:os").then(({ EOL }) => process.stdout.write(EOL));');
  expect(start(["check", "--model=a:b"], {})).toBe(EOL);
  expect(keptFiles("check")).toHaveLength(2);
});

test("without a cache the command runs all the same", () => {
  expect(run("edit", { SUTURE_CACHE: "off" })).toBe("hello edit");
  expect(run("edit", { SUTURE_CACHE: "/dev/null/nowhere" })).toBe("hello edit");
});

test("the code of the commands that start often imports no package when it runs", () => {
  const importing = quickCommands.flatMap((name) =>
    [...filesOf(commandFile(name))].filter((file) =>
      /(?<!typeof )\bimport\((?!"\.)/.test(readFileSync(file, "utf8")),
    ),
  );
  expect(importing).toEqual([]);
});

test("a hook's later and longer run adds its functions", () => {
  const long = Array.from({ length: 40 }, (_, i) => `function part${i}(a) { return a * ${i} + a; }`).join(
    "\n",
  );
  const calls = Array.from({ length: 40 }, (_, i) => `part${i}(1)`).join(" + ");
  writeFileSync(
    join(home, "dist/cli/tool-hook.cjs"),
    `${long}\nprocess.stdout.write(String(process.env.LONG ? ${calls} : 0));`,
  );
  const size = (): number =>
    keptFiles("agent-after").reduce((sum, name) => sum + statSync(keptPath("agent-after", name)).size, 0);
  expect(runHook({})).toBe("0");
  const first = size();
  expect(runHook({})).toBe("0");
  expect(size()).toBe(first);
  expect(runHook({ LONG: "1" })).toBe("820");
  expect(size()).toBeGreaterThan(first * 1.1);
  const grown = size();
  expect(runHook({})).toBe("0");
  expect(size()).toBe(grown);
});

/** The file of a command, by the table of commands. */
function commandFile(name: string): string {
  const table = readFileSync("src/cli/commands.ts", "utf8");
  return join("src/cli", new RegExp(`\\b${name}: [^"]*import\\("([^"]+)"`).exec(table)![1]!);
}

/** The files that a file imports, at once or later, and itself. Types are left out. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, path] of text.matchAll(/(?:^import (?!type\b)[^;]*?from |\bimport\()"(\.[^"]+\.ts)"/gm))
    filesOf(join(dirname(file), path!), found);
  return found;
}

function writeProgram(source: string): void {
  rmSync(join(home, "dist/cli/main.cjs"), { force: true });
  writeFileSync(join(home, "dist/cli/main.cjs"), source);
}

function run(command: string, env: Readonly<Record<string, string>> = {}): string {
  return start([command], env);
}

function runHook(env: Readonly<Record<string, string>>): string {
  return start(["agent", "after"], env);
}

function start(words: readonly string[], env: Readonly<Record<string, string>>): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(home, "bin/suture.cjs"), ...words], {
    encoding: "utf8",
    env: { ...process.env, SUTURE_CACHE: join(home, "cache"), ...env },
  });
  expect(stderr).toBe("");
  return stdout;
}

function keptFiles(command: string): string[] {
  try {
    return readdirSync(keptPath(command, "")).sort();
  } catch {
    return [];
  }
}

function keptPath(command: string, name: string): string {
  return join(home, "cache/compiled", `${process.version}-${process.arch}`, command, name);
}
