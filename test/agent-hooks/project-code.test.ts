import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { claude } from "../../src/agent-hooks/clients/claude.ts";
import { addHooks, hasUnsafeHook } from "../../src/agent-hooks/install/hook-file.ts";
import { pluginFiles } from "../../src/agent-hooks/plugin/plugin-files.ts";
import { npxWords, releasedSource } from "../../src/hosts/package-source.ts";
import { isTakenFromFolder } from "../../src/wording/npx-command.ts";

const place = mkdtempSync(join(tmpdir(), "suture-project-code-"));
afterAll(() => rmSync(place, { recursive: true }));
const home = join(place, "home");
mkdirSync(home);

const named = (more: object = {}): string =>
  JSON.stringify({ name: "suture", version: manifest.version, bin: { suture: "./s.js" }, ...more });

/** Files by which a clone offers a program of its own under the name of Suture. */
const clones: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["its own name, version and program", { "package.json": named() }],
  ["a program in node_modules", { "node_modules/.bin/suture": "" }],
  [
    "a package in node_modules",
    { "node_modules/suture/package.json": named(), "node_modules/suture/s.js": "" },
  ],
  ["itself as a workspace", { "package.json": named({ workspaces: ["."] }) }],
  [
    "a workspace of that name",
    { "package.json": '{"workspaces":["a"]}', "a/package.json": named(), "a/s.js": "" },
  ],
  ["a program by one string", { "package.json": named({ bin: "./s.js" }) }],
  [
    "an install script",
    { "package.json": named({ scripts: { preinstall: "node s.js", prepare: "node s.js" } }) },
  ],
  ["a script of that name", { "package.json": named({ scripts: { suture: "node s.js" } }) }],
  ["another registry", { ".npmrc": "script-shell=./s.js\nshell=./s.js\n", "package.json": named() }],
  ["a shell of its own", { ".npmrc": "script-shell=./s.js\nnode-options=--require ./s.js\n" }],
  ["options for Node", { ".npmrc": "node-options=--require ./s.js\n", "package.json": named() }],
  ["a folder for programs", { "bin/suture": "", ".npmrc": "prefix=.\n" }],
  ["a lock file that names itself", { "package.json": named({ dependencies: { suture: "file:." } }) }],
];

function clone(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(place, "clone-"));
  const trap = `#!/usr/bin/env node\nrequire("fs").writeFileSync(${JSON.stringify(join(folder, "sprung"))}, "")\n`;
  for (const [path, text] of Object.entries({ "s.js": "", ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text || trap);
    if (text === "") chmodSync(join(folder, path), 0o755);
  }
  return folder;
}

/** An npm that reaches no registry, so that a call either fails or runs what the clone brings along. */
const env = {
  PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
  HOME: home,
  npm_config_registry: "http://127.0.0.1:9/",
  npm_config_fetch_retries: "0",
  npm_config_cache: join(place, "cache"),
  npm_config_update_notifier: "false",
};

test("the plain call that is not used any more runs a program of the clone", () => {
  const folder = clone(clones[0]![1]);
  spawnSync("npx", ["-y", "suture", "agent", "start"], { cwd: folder, env });
  expect(existsSync(join(folder, "sprung"))).toBe(true);
});

test.each(clones)("a clone that offers %s does not run it", (_, files) => {
  const folder = clone(files);
  const published = { spec: `suture@${manifest.version}`, kind: "registry" } as const;
  for (const source of [published, { ...releasedSource, spec: "git+http://127.0.0.1:9/suture.git" }])
    spawnSync("npx", [...npxWords(source), "agent", "start"], { cwd: folder, env });
  const path = `${join(folder, "bin")}:${join(folder, "node_modules/.bin")}:${env.PATH}`;
  const launcher = join(place, "suture.cjs");
  writeFileSync(launcher, pluginFiles(manifest)["plugin/bin/suture.cjs"]!);
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "deep"));
  spawnSync(process.execPath, [launcher, "agent", "start"], {
    cwd: join(folder, "deep"),
    env: { ...env, PATH: path },
  });
  expect(existsSync(join(folder, "sprung"))).toBe(false);
});

test("no file that Suture ships or writes calls npx without another prefix in a folder of the project", () => {
  const own = [".pre-commit-hooks.yaml", "docs/mcp-clients.md", "docs/coding-agents.md"];
  const texts = [
    ...own.map((path) => readFileSync(resolve(path), "utf8")),
    ...Object.values(pluginFiles(manifest)),
  ];
  const calls = texts.flatMap((text) => text.match(/\bnpx"?[ ,][^\n`]*|"npx",\s*"args": \[[^\]]*\]/g) ?? []);
  expect(calls.length).toBeGreaterThan(8);
  const plain = calls.map((call) =>
    call.replace('require("node:os").homedir()', "~/").replace(/["',[\]]+/g, " "),
  );
  expect(plain.filter((call) => /suture/.test(call) && isTakenFromFolder(call))).toEqual([]);
});

test("hooks of an older version give way to new ones, and other hooks stay", () => {
  const choice = { command: "npx -y suture", witness: true };
  const older = addHooks('{ "model": "x" }', claude, choice);
  if (!older.ok) throw new Error(older.refusal.code);
  expect(hasUnsafeHook(older.value, claude)).toBe(true);
  const newer = addHooks(older.value, claude, { ...choice, command: "/opt/bin/suture" });
  if (!newer.ok) throw new Error(newer.refusal.code);
  expect(hasUnsafeHook(newer.value, claude)).toBe(false);
  expect(newer.value).toContain("/opt/bin/suture agent stop");
  expect(newer.value).toContain('"model": "x"');
  expect(addHooks(newer.value, claude, choice)).toEqual(newer);
});
