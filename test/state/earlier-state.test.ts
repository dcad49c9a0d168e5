import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { command as log } from "../../src/cli/commands/history/log.ts";
import { command as redo } from "../../src/cli/commands/history/redo.ts";
import { command as show } from "../../src/cli/commands/history/show.ts";
import { command as undo } from "../../src/cli/commands/history/undo.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { findPending } from "../../src/docs/fix/proposal.ts";
import { countStats } from "../../src/docs/record/stats.ts";
import { openReader, openWorkspace } from "../../src/workspace/workspace.ts";
import earlier from "./earlier-state.json" with { type: "json" };

// A folder with the state that version 0.1.0 left before the rooms were rebuilt: four edits and undos by hand, one
// run of `suture fix`, one proposal. It was written by running that version; only the names of the machine are made up.
const files: Readonly<Record<string, string>> = earlier;
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "suture-earlier-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(root, path), text, { mode: path.startsWith(".suture/") ? 0o600 : 0o644 });
  }
  // The one folder that was empty.
  mkdirSync(join(root, ".suture/stage"), { mode: 0o700 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("log lists the entries of an earlier version", async () => {
  const { code, out } = await call(log, []);
  expect(code).toBe(0);
  expect(out.split("\n").map((line) => line.replace(/ \S+Z /, " "))).toEqual([
    "5 suture/fix: docs/api.md: keep the documents true to the work tree; `loadProfile` is now `openProfile` (code.ts:1).",
    "4 person/default undo of 3: docs/new.md",
    "3 person/default: docs/new.md: a new page (undone)",
    "2 person/default: crlf.txt: count on",
    "1 person/t1: docs/guide.md: load became open",
  ]);
});

test("show prints the reason, the evidence and the diff of an earlier entry", async () => {
  const { out } = await call(show, ["5"]);
  for (const text of [
    "run     run-20261115T231253-e67a534c",
    "seen in code.ts:1-1 at worktree",
    "-Call `loadProfile()` first.",
    "+Call `openProfile()` first.",
  ])
    expect(out).toContain(text);
});

test("undo and redo take back and make again what an earlier version wrote, byte for byte", async () => {
  expect((await call(undo, ["2"])).code).toBe(0);
  expect(read("crlf.txt")).toBe("one\r\ntwo\r\n");
  expect((await call(undo, ["run-20261115T231253-e67a534c"])).code).toBe(0);
  expect(read("docs/api.md")).toContain("loadProfile()");
  expect((await call(undo, ["1"])).code).toBe(0);
  expect(read("docs/guide.md")).toContain("load()");
  expect((await call(redo, [])).code).toBe(0);
  expect(read("docs/guide.md")).toBe(files["docs/guide.md"]);
});

test("the audit record and the proposal of an earlier version are read", async () => {
  const reader = await openReader(root);
  if (!reader.ok) throw new Error(reader.refusal.code);
  const pending = await findPending(reader.value);
  expect(pending).toMatchObject({
    ok: true,
    value: { id: "run-20261115T231242-8959739f", findings: [{ path: "docs/api.md", kind: "rename" }] },
  });
  const stats = await countStats(reader.value, {});
  expect(stats).toMatchObject({
    ok: true,
    value: { commands: { fix: { runs: 1, edits: 1 } }, rules: { rename: { kept: 1 } } },
  });
  await reader.value.close();
});

test("doctor accepts the state of an earlier version, and new entries continue its journal", async () => {
  const workspace = await openWorkspace(root);
  if (!workspace.ok) throw new Error(workspace.refusal.code);
  expect(await workspace.value.doctor()).toEqual([]);
  await workspace.value.close();
  await call(undo, ["2"]);
  expect((await call(log, [])).out).toMatch(/^6 \S+ person\/default undo of 2: crlf\.txt\n5 /);
});

async function call(command: Command, operands: readonly string[]) {
  const out: string[] = [];
  const print = (text: string | Uint8Array): void => void out.push(String(text));
  const ignore = (): void => undefined;
  const terminal: Terminal = {
    json: false,
    quiet: false,
    verbose: false,
    colour: false,
    watched: false,
    columns: 100,
    print,
    printPainted: print,
    printExactly: print,
    printJson: ignore,
    remark: ignore,
    complain: print,
    ask: async () => undefined,
    edit: async () => undefined,
  };
  const code = await command.run({ operands, options: { root }, terminal });
  return { code, out: out.join("\n") };
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
