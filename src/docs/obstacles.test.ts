import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openReader } from "../workspace/workspace.ts";
import { findObstacles } from "./obstacles.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

test.each<[string, (root: string) => void, string[]]>([
  ["no git", (root) => put(root, "README.md"), ["no git repository"]],
  ["no commit", (root) => git(root, "init", "-q"), ["no commit yet", "no documents"]],
  ["one commit, no documents", (root) => commit(root, "a.js"), ["only one commit", "no documents"]],
  [
    "a configuration with a misspelt key",
    (root) => {
      put(root, "suture.config.json", '{ "docz": {} }');
      commit(root, "a.js");
      commit(root, "README.md");
    },
    ["docz"],
  ],
  [
    "nothing",
    (root) => {
      commit(root, "a.js");
      commit(root, "README.md");
    },
    [],
  ],
])("the doctor names what a folder lacks, and the remedy: %s", async (_, prepare, expected) => {
  const root = newFolder();
  prepare(root);
  await expectObstacles(root, expected);
});

test("a shallow clone is told how to fetch more", async () => {
  const [origin, clone] = [newFolder(), newFolder()];
  commit(origin, "README.md");
  commit(origin, "more.md");
  git(clone, "clone", "-q", "--depth", "1", `file://${origin}`, ".");
  await expectObstacles(clone, ["git fetch --deepen"]);
});

async function expectObstacles(root: string, expected: readonly string[]): Promise<void> {
  const reader = await openReader(root);
  if (!reader.ok) throw new Error(reader.refusal.code);
  const found = await findObstacles(root, reader.value);
  await reader.value.close();
  expect(found).toHaveLength(expected.length);
  for (const [i, words] of expected.entries()) expect(JSON.stringify(found[i])).toContain(words);
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "suture-surroundings-"));
  made.push(folder);
  return folder;
}

function put(root: string, path: string, text = "x\n"): void {
  writeFileSync(join(root, path), text);
}

function git(root: string, ...options: string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...who, ...options], { cwd: root });
}

function commit(root: string, path: string): void {
  git(root, "init", "-q");
  put(root, path);
  git(root, "add", ".");
  git(root, "commit", "-qm", path);
}
