import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { clients, findClient, targetNames } from "../../src/agent-hooks/clients/registry.ts";
import { addHooks, installedEvents, removeHooks } from "../../src/agent-hooks/install/hook-file.ts";
import { installHooks, uninstallHooks } from "../../src/agent-hooks/install/install.ts";
import { locateHookFile } from "../../src/agent-hooks/install/scope.ts";
import { findStatus, findUsedClients } from "../../src/agent-hooks/install/status.ts";
import { listCacheFiles } from "../../src/workspace/files/cache-file.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { Trial } from "./trial.ts";

const choice = { command: "suture", witness: true };

/** Settings that people have: tabs, comments, hooks of their own, no final newline. */
const settings = [
  ["nothing else", "{}"],
  ["other keys", '{\n\t"permissions": { "allow": ["Bash"] }\n}\n'],
  ["hooks of its own", '{\r\n  "hooks": {\r\n    "Stop": [{ "hooks": [] }]\r\n  },\r\n  "x": 1\r\n}'],
  ["comments", '{\n  // mine\n  "x": [1, 2], /* kept */\n}\n'],
] as const;

describe.each(clients.map((client) => [client.name, client] as const))("hooks of %s", (_name, client) => {
  test.each(settings)("go into a file with %s, and out of it again to the byte", (_case, text) => {
    const added = addHooks(text, client, choice);
    if (!added.ok) throw new Error("not added");
    expect(installedEvents(added.value, client)).toEqual(["start", "stop", "before", "after"]);
    const removed = removeHooks(added.value, client);
    expect(removed.ok && (removed.value ?? "{}").replace(/,?\s*"version": 1/, "")).toBe(text);
  });

  test("are added once", () => {
    const once = addHooks(null, client, choice);
    expect(once.ok && addHooks(once.value, client, choice)).toEqual(once);
  });

  test.each(["[]", "{", '{ "hooks": [] }', "no JSON"])("leave %j alone", (text) => {
    expect(addHooks(text, client, choice)).toMatchObject({ ok: false, refusal: { code: "malformed" } });
  });
});

test("an installation is one entry, and undo takes it back to the byte", async () => {
  using trial = new Trial();
  const text = '{\n\t"permissions": { "allow": ["Bash"] }\n}\n';
  trial.write(".claude/settings.json", text);
  const client = findClient("claude-code")!;
  const machine = { home: trial.path("home"), env: {} };
  const place = locateHookFile(client, { scope: "project", root: trial.root, machine });
  const installed = await installHooks(client, place, { ...choice, dryRun: false });
  expect(installed).toMatchObject({ ok: true, value: { entry: "1" } });
  expect(trial.read(".claude/settings.json")).toContain("suture agent stop --target claude");
  expect(await installHooks(client, place, { ...choice, dryRun: false })).toMatchObject({
    ok: true,
    value: { entry: null },
  });
  const workspace = await openWorkspace(trial.root, { policy: { consent: true } });
  if (!workspace.ok) throw new Error("no workspace");
  expect(await workspace.value.undo({ entry: "1" }, { author: "person" })).toMatchObject({ ok: true });
  await workspace.value.close();
  expect(trial.read(".claude/settings.json")).toBe(text);
});

test("uninstall removes what install added, and the file if it held nothing else", async () => {
  using trial = new Trial();
  const client = findClient("codex")!;
  const place = { root: trial.root, path: ".codex/hooks.json" };
  await installHooks(client, place, { ...choice, dryRun: false });
  expect(trial.git("status", "--short")).toContain(".codex/");
  await trial.start();
  expect(listCacheFiles("agents")).toHaveLength(1);
  const removed = await uninstallHooks(client, place, { dryRun: false });
  expect(removed).toMatchObject({ ok: true, value: { diff: expect.stringContaining("deleted file") } });
  expect(trial.git("status", "--short")).toBe("");
  expect(existsSync(trial.path(".codex"))).toBe(false);
  expect(listCacheFiles("agents")).toEqual([]);
});

test("uninstall keeps a folder and a file that hold more", async () => {
  using trial = new Trial();
  const client = findClient("codex")!;
  const place = { root: trial.root, path: ".codex/hooks.json" };
  trial.write(".codex/config.toml", "a = 1\n");
  await installHooks(client, place, { ...choice, dryRun: false });
  trial.write(".codex/hooks.json", trial.read(".codex/hooks.json").replace("{", '{ "mine": 1,'));
  await uninstallHooks(client, place, { dryRun: false });
  expect(JSON.parse(trial.read(".codex/hooks.json"))).toEqual({ mine: 1 });
  expect(trial.read(".codex/config.toml")).toBe("a = 1\n");
});

test("a dry run writes nothing", async () => {
  using trial = new Trial();
  const done = await installHooks(
    findClient("gemini")!,
    { root: trial.root, path: ".gemini/settings.json" },
    { ...choice, dryRun: true },
  );
  expect(done).toMatchObject({
    ok: true,
    value: { entry: null, diff: expect.stringContaining("AfterAgent") },
  });
  expect(trial.git("status", "--short")).toBe("");
});

describe("status", () => {
  const home = (trial: Trial, files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      const file = join(trial.path("../home"), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text.replaceAll("ROOT", trial.root));
    }
    return { home: trial.path("../home"), env: {} };
  };
  const install = (trial: Trial, name: string): void => {
    const client = findClient(name)!;
    const added = addHooks(null, client, { command: "suture", witness: false });
    if (added.ok) trial.write(client.file.project, added.value);
  };
  const trusted = 'trusted_hash = "sha256:0"\n';
  const project = '[projects."ROOT"]\ntrust_level = "trusted"\n';
  const state = (event: string): string => `[hooks.state."ROOT/.codex/hooks.json:${event}:0:0"]\n${trusted}`;

  test.each([
    ["codex", {}, "the project is not trusted"],
    ["codex", { ".codex/config.toml": project }, "Codex has not trusted the hooks"],
    ["codex", { ".codex/config.toml": `${project}${state("stop")}` }, "Codex has not trusted the hooks"],
    ["codex", { ".codex/config.toml": `${project}${state("stop")}${state("session_start")}` }, null],
    [
      "codex",
      { ".codex/config.toml": `${project}${state("stop")}enabled = false\n${state("session_start")}` },
      "Codex has not trusted the hooks",
    ],
    ["claude", {}, null],
    [
      "claude",
      { ".claude/settings.json": '{ "disableAllHooks": true }' },
      "`disableAllHooks` is set in its settings",
    ],
    ["gemini", {}, null],
    [
      "gemini",
      { ".gemini/settings.json": '{ "hooksConfig": { "enabled": false } }' },
      "hooks are switched off",
    ],
    [
      "gemini",
      { ".gemini/settings.json": '{ "security": { "folderTrust": { "enabled": true } } }' },
      "the folder is not trusted",
    ],
    ["copilot", {}, "the folder is not trusted"],
    ["copilot", { ".copilot/config.json": '// x\n{ "trustedFolders": ["ROOT"] }' }, null],
  ])("%s with %j: %s", (name, files, what) => {
    using trial = new Trial();
    install(trial, name);
    const found = findStatus({ root: trial.root, machine: home(trial, files) });
    const here = found.find(({ client, scope }) => client === name && scope === "project");
    expect(here).toMatchObject({ events: ["start", "stop"] });
    expect(here?.ignored?.what ?? null).toBe(what);
  });

  test("clients are known by their files in the project, and by their folder in the user's home", () => {
    using trial = new Trial();
    const machine = home(trial, { ".codex/config.toml": "" });
    const used = findUsedClients(["CLAUDE.md", ".cursor/rules/a.mdc"], machine);
    expect(used.map(({ name }) => name).sort()).toEqual(["claude", "codex", "cursor"]);
  });
});

test("every client has a name of its own for --target", () => {
  expect(new Set(targetNames).size).toBe(targetNames.length);
});
