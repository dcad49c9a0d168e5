import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { createRepository, type Repository } from "../drift/repository.ts";
import { house } from "./project.ts";

let repository: Repository;
let tools: string;
beforeEach(() => {
  repository = createRepository();
  tools = `${repository.folder}-tools`;
  mkdirSync(tools);
  const main = join(house, "src/cli/main.ts");
  for (const name of ["suture", "npx"]) {
    const skip = name === "npx" ? 'while [ "$1" != check ]; do shift; done\n' : "";
    writeFileSync(join(tools, name), `#!/bin/sh\n${skip}exec "${process.execPath}" "${main}" "$@"\n`);
    chmodSync(join(tools, name), 0o755);
  }
  repository.commit({
    "src/env.ts": "export const token = process.env.POSTBOX_TOKEN;\n",
    "README.md": "Set `POSTBOX_TOKEN`.\n",
  });
});
afterEach(() => {
  repository.remove();
  rmSync(tools, { recursive: true, force: true });
});

const change = { "src/env.ts": "export const token = process.env.POSTBOX_API_TOKEN;\n" };

function git(...args: string[]) {
  const { status, stderr, stdout } = spawnSync(
    "git",
    ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args],
    {
      cwd: repository.folder,
      encoding: "utf8",
      env: { ...process.env, PATH: `${tools}:${process.env.PATH}` },
    },
  );
  return { status, out: stdout + stderr };
}

function hook(name: string): void {
  const to = join(repository.folder, ".git/hooks", name);
  copyFileSync(join(house, "docs/ci", name), to);
  chmodSync(to, 0o755);
}

type Hook = { readonly id: string; readonly entry: string; readonly stages: readonly string[] };

function readHooks(): readonly Hook[] {
  return parse(readFileSync(join(house, ".pre-commit-hooks.yaml"), "utf8")) as readonly Hook[];
}

function runEntry(entry: string): number | null {
  const env = { ...process.env, PATH: `${tools}:${process.env.PATH}` };
  return spawnSync("sh", ["-c", entry], { cwd: repository.folder, env }).status;
}

test("pre-commit refuses a staged change that makes a page false, and accepts the fixed one", () => {
  hook("pre-commit");
  repository.write(change);
  git("add", "-A");
  const refused = git("commit", "-m", "rename");
  expect(refused.status).not.toBe(0);
  expect(refused.out).toContain("README.md:1");
  repository.write({ "README.md": "Set `POSTBOX_API_TOKEN`.\n" });
  git("add", "-A");
  expect(git("commit", "-m", "rename").status).toBe(0);
});

test("pre-push refuses commits that make a page false, on a new branch and on a known one", () => {
  const remote = `${repository.folder}-remote.git`;
  git("init", "-q", "--bare", remote);
  git("remote", "add", "origin", remote);
  expect(git("push", "-q", "origin", "main").status).toBe(0);
  hook("pre-push");
  git("checkout", "-q", "-b", "topic");
  repository.commit(change);
  const fresh = git("push", "-q", "origin", "topic");
  expect(fresh.status).not.toBe(0);
  expect(fresh.out).toContain("README.md:1");
  git("checkout", "-q", "main");
  git("merge", "-q", "topic");
  expect(git("push", "-q", "origin", "main").status).not.toBe(0);
  repository.commit({ "README.md": "Set `POSTBOX_API_TOKEN`.\n" });
  expect(git("push", "-q", "origin", "main").status).toBe(0);
  rmSync(remote, { recursive: true, force: true });
});

test("the first commit and its push pass, because there is nothing to compare with", () => {
  const remote = `${repository.folder}-remote.git`;
  git("init", "-q", "--bare", remote);
  git("remote", "add", "origin", remote);
  hook("pre-commit");
  hook("pre-push");
  git("checkout", "-q", "--orphan", "first");
  expect(git("commit", "-q", "-m", "begin")).toEqual({ status: 0, out: "" });
  expect(git("push", "-q", "origin", "first").status).toBe(0);
  git("checkout", "-q", "--orphan", "second");
  expect(readHooks().map(({ entry }) => runEntry(entry))).toEqual([0, 0]);
  rmSync(remote, { recursive: true, force: true });
});

test("the hooks for pre-commit run what they say", () => {
  const hooks = readHooks();
  expect(hooks.map(({ id, stages }) => [id, ...stages])).toEqual([
    ["suture-check", "pre-commit"],
    ["suture-check-push", "pre-push"],
  ]);
  repository.write(change);
  git("add", "-A");
  expect(runEntry(hooks[0]!.entry)).toBe(1);
});
