import { expect, test } from "vitest";
import { type ChangeSource, describeCode, describeCommits } from "./change-context.ts";

const place = (path: string, line: number) => ({ path, startLine: line, endLine: line });

/** A change of one file, and the file as it is now. */
function changeOf(path: string, patch: string, now: string | null): ChangeSource {
  return {
    messages: ["change it"],
    files: [{ path, patch }],
    read: async (asked) => (asked === path ? now : null),
  };
}

test("lines that a long hunk lacks are marked where they are missing", async () => {
  const filler = (from: number) =>
    Array.from({ length: 40 }, (_, i) => `-  call${from + i}(${"x".repeat(60)});`).join("\n");
  const hunk = `@@ -1,83 +0,0 @@\n${filler(0)}\n-  limit: 3,\n${filler(40)}\n-  limit: 5,\n${filler(80)}\n`;
  const patch = `diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n${hunk}`;
  const question = { names: ["limit"], places: [place("src/a.ts", 41)] };
  const [part] = await describeCode(changeOf("src/a.ts", patch, null), question, 5000);
  const shown = part!.text.split("\n");
  const numberOf = (line: string): number => Number(/call(\d+)/.exec(line)?.[1] ?? Number.NaN);
  for (const [i, line] of shown.slice(1).entries()) {
    const [before, here] = [numberOf(shown[i]!), numberOf(line)];
    if (!Number.isNaN(before) && !Number.isNaN(here)) expect(here).toBe(before + 1);
  }
  expect(part!.text).toMatch(/\(\d+ lines not shown\)\n- {2}call36/);
  expect(part!.text).toMatch(/\(\d+ lines not shown\)$/);
});

test("a long hunk shows the lines with rare names first", async () => {
  const line = (name: string): string => `-  Arg::new("${name}").long("${name}").overrides_with("${name}")`;
  const filler = Array.from({ length: 80 }, (_, i) => line(`other-${i}`)).join("\n");
  const hunk = `@@ -1,81 +0,0 @@\n${filler}\n${line("show-errors")}\n`;
  const patch = `diff --git a/src/app.rs b/src/app.rs\n--- a/src/app.rs\n+++ b/src/app.rs\n${hunk}`;
  const question = { names: ["Arg", "new", "long", "show-errors"], places: [place("src/app.rs", 81)] };
  const [part] = await describeCode(changeOf("src/app.rs", patch, null), question, 5000);
  expect(part!.text).toContain("show-errors");
});

test("a line that is gone says nothing about the declaration that stands there now", async () => {
  const now = "export function other() {\n  return 1;\n}\n";
  const patch =
    "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -2,1 +1,0 @@\n-const limit = 3;\n";
  const source = changeOf("src/a.ts", patch, now);
  const labels = async (isGone: boolean) =>
    (
      await describeCode(source, { names: ["limit"], places: [{ ...place("src/a.ts", 2), isGone }] }, 5000)
    ).map(({ label }) => label);
  expect(await labels(true)).toEqual(["src/a.ts (changed)"]);
});

test("a test is no declaration of what the page is about", async () => {
  const now = 'func init() {\n\tsetUp("a", "b")\n}\n';
  const patch =
    'diff --git a/task_test.go b/task_test.go\n--- a/task_test.go\n+++ b/task_test.go\n@@ -9,1 +9,1 @@\n-\trun("init")\n+\trun("init2")\n';
  const question = { names: ["init"], places: [place("task_test.go", 9)] };
  const parts = await describeCode(changeOf("task_test.go", patch, now), question, 5000);
  expect(parts.map(({ label }) => label)).toEqual(["task_test.go (changed)"]);
});

test("the name of a declaration alone says nothing", async () => {
  const now = `func main() {\n${"\tcall()\n".repeat(200)}}\n`;
  const patch =
    'diff --git a/main.go b/main.go\n--- a/main.go\n+++ b/main.go\n@@ -9,1 +9,1 @@\n-\tflag("init")\n+\tflag("init2")\n';
  const question = { names: ["init"], places: [place("main.go", 9)] };
  const parts = await describeCode(changeOf("main.go", patch, now), question, 5000);
  expect(parts.map(({ label }) => label)).toEqual(["main.go (changed)"]);
});

test("the name of a type alone says nothing either", async () => {
  const now = `export type Options = {\n${"\t/** About it. */\n\tone?: number;\n".repeat(60)}};\n`;
  const patch =
    "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -9,1 +9,1 @@\n-\tlimit?: number;\n+\tlimit?: string;\n";
  const question = { names: ["limit"], places: [place("a.ts", 1)] };
  const parts = await describeCode(changeOf("a.ts", patch, now), question, 5000);
  expect(parts.map(({ label }) => label)).toEqual(["a.ts (changed)"]);
});

test("hunks that there is no room for are named", async () => {
  const hunk = (at: number): string =>
    `@@ -${at},1 +${at},1 @@\n-limit: ${"x".repeat(300)}${at}\n+limit: ${at}\n`;
  const patch = `diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n${[10, 20, 30, 40].map(hunk).join("")}`;
  const places = [10, 20, 30, 40].map((line) => place("src/a.ts", line));
  const question = { names: ["limit"], places };
  const parts = await describeCode(changeOf("src/a.ts", patch, null), question, 800);
  expect(parts.map(({ label }) => label)).toEqual([
    "src/a.ts (changed)",
    "src/a.ts (changed)",
    "changes that are not shown",
  ]);
  expect(parts.at(-1)!.text).toBe("src/a.ts: 2 hunks");
});

test("lines that only name the people of a commit are left out of its message", () => {
  const message =
    "feat: add a limit (#5)\n\nSigned words: see below.\n\n---------\n\nSigned-off-by: A Person <a@example.org>\nCo-authored-by: B Person <b@example.org>\nRefs: #4\n";
  expect(describeCommits([message, "docs: more"])).toBe(
    "feat: add a limit (#5)\n\nSigned words: see below.\n\n---------\n\nRefs: #4\n\n---\n\ndocs: more",
  );
});

test("a squashed message says each line once", () => {
  const message = "Add a pool\n\n* Update lib/a.js\n\n\n* Update lib/a.js\n\n\n* Fix tests\n";
  expect(describeCommits([message])).toBe("Add a pool\n\n* Update lib/a.js\n\n* Fix tests");
});

test("templates, check boxes and reports on tests are left out of a message", () => {
  const message =
    "feat: add a limit\n\n<!-- Thanks for your contribution!\nPlease fill in. -->\n\n## Changes\n\nThe limit is 5.\n\n## Screenshots\n\n## Test plan\n\nI ran the tests.\n\n## Checklist\n\n- [x] I read the guide\n- [ ] It has tests\n";
  expect(describeCommits([message])).toBe("feat: add a limit\n\n## Changes\n\nThe limit is 5.");
});

test("hunks of tests are no evidence unless a notice names them", async () => {
  const patch = (path: string): string =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -9,1 +9,1 @@\n-limit: 3\n+limit: 5\n`;
  const files = ["src/a.ts", "test/a.test.ts"].map((path) => ({
    path,
    patch: patch(path).replace("5", path.length > 9 ? "6" : "5"),
  }));
  const source = { messages: [], files, read: async () => null };
  const labels = async (places: ReturnType<typeof place>[]) =>
    (await describeCode(source, { names: ["limit"], places }, 5000)).map(({ label }) => label);
  expect(await labels([])).toEqual(["src/a.ts (changed)"]);
  expect(await labels([place("test/a.test.ts", 9)])).toContain("test/a.test.ts (changed)");
});
