import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Reader } from "../../workspace/workspace.ts";
import { type GitRepository, openGitRepository } from "./repository.ts";

/** Reading from the disk is all that a repository asks of a reader. */
function readerOf(root: string): Reader {
  return {
    root,
    read: async (path: string) => ({ ok: true, value: { bytes: readFileSync(join(root, path)) } }),
  } as unknown as Reader;
}

async function open(root: string): Promise<GitRepository> {
  return (await openGitRepository(root, readerOf(root)))!;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function repository(): {
  root: string;
  git: (...args: string[]) => string;
  put: (path: string, text: string | Buffer) => void;
} {
  const root = mkdtempSync(join(tmpdir(), "suture-repository-"));
  folders.push(root);
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: "pipe" });
  git("init", "-q", "-b", "main");
  const put = (path: string, text: string | Buffer): void => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  return { root, git, put };
}

test("secrets are hidden; a change includes moves, deletions, binaries, modes, empty files and names in any script", async () => {
  const { root, git, put } = repository();
  put("old name.ts", "const value = 1;\n".repeat(20));
  put("gone.ts", "gone for good\n");
  put("mode.sh", "echo\n");
  put("bin.dat", Buffer.from([0, 1, 2, 255]));
  git("add", "-A");
  git("commit", "-qm", "first");
  git("checkout", "-qb", "work");
  renameSync(join(root, "old name.ts"), join(root, "new name.ts"));
  rmSync(join(root, "gone.ts"));
  chmodSync(join(root, "mode.sh"), 0o755);
  put("bin.dat", Buffer.from([0, 9, 9, 9]));
  put("empty.ts", "");
  put(".env", "PASSWORD=hunter2\n");
  put("größe/été.md", "x\n");
  put("line\nbreak.ts", "x\n");
  git("add", "-A");
  git("commit", "-qm", "second: with a: colon");
  const change = await (await open(root)).changeSince("main");
  if (!change.ok) throw new Error(JSON.stringify(change.refusal));
  expect(change.value.commits).toEqual([git("rev-parse", "HEAD").trim()]);
  expect(Object.fromEntries(change.value.files.map(({ path, status }) => [path, status]))).toEqual({
    "new name.ts": "moved",
    "gone.ts": "deleted",
    "mode.sh": "changed",
    "bin.dat": "changed",
    "empty.ts": "added",
    ".env": "added",
    "größe/été.md": "added",
    "line\nbreak.ts": "added",
  });
  expect(change.value.files.find(({ status }) => status === "moved")?.from).toBe("old name.ts");
  const patchOf = (path: string) => change.value.files.find((file) => file.path === path)?.patch;
  expect(patchOf("größe/été.md")).toContain("+x");
  expect(patchOf("bin.dat")).toContain("content not shown");
  expect(patchOf(".env")).not.toContain("hunter2");
});

test("what is not committed is a change of its own, and what came to the base since is not", async () => {
  const { root, git, put } = repository();
  put("a.ts", "1\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("checkout", "-qb", "work");
  put("b.ts", "1\n");
  git("add", "-A");
  git("commit", "-qm", "work");
  git("checkout", "-q", "main");
  put("c.ts", "1\n");
  git("add", "-A");
  git("commit", "-qm", "meanwhile");
  git("checkout", "-q", "work");
  put("a.ts", "2\n");
  const opened = await open(root);
  const since = await opened.changeSince("main");
  expect(since.ok && since.value.files.map(({ path }) => path)).toEqual(["b.ts"]);
  const now = await opened.uncommitted();
  expect(now.ok && now.value.files.map(({ path }) => path)).toEqual(["a.ts"]);
});

test("a base that is no revision is refused, and none can pass for an option", async () => {
  const { root, git, put } = repository();
  put("a.ts", "1\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  const opened = await open(root);
  for (const name of ["nowhere", "--upload-pack=touch x", "-h", "", "main:a.ts"])
    expect((await opened.findBase(name)).ok).toBe(false);
  expect((await opened.findBase(undefined)).ok).toBe(false);
  put("a.ts", "2\n");
  git("commit", "-qam", "second");
  expect(await opened.findBase(undefined)).toEqual({ ok: true, value: git("rev-parse", "HEAD^").trim() });
});

test("a folder inside a repository sees its own part, by its own names", async () => {
  const { root, git, put } = repository();
  put("part/a.ts", "1\n");
  put("b.ts", "1\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("checkout", "-qb", "work");
  put("part/a.ts", "2\n");
  put("b.ts", "2\n");
  git("commit", "-qam", "second");
  const change = await (await open(join(root, "part"))).changeSince("main");
  expect(change.ok && change.value.files.map(({ path }) => path)).toEqual(["a.ts"]);
});

test("no program named by the repository is run", async () => {
  const { root, git, put } = repository();
  put("a.ts", "1\n");
  put(".gitattributes", "*.ts diff=evil\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  const bomb = `touch ${join(root, "ran")}`;
  git("config", "diff.evil.textconv", bomb);
  git("config", "diff.evil.command", bomb);
  git("config", "diff.external", bomb);
  git("config", "core.fsmonitor", bomb);
  put("a.ts", "2\n");
  const change = await (await open(root)).uncommitted();
  expect(change.ok && change.value.files[0]?.patch).toContain("-1\n+2");
  expect(() => execFileSync("test", ["-e", join(root, "ran")])).toThrow();
});
