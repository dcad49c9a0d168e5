import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openGit } from "./git.ts";

const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true });
});

describe("reading a repository", () => {
  let root: string;
  beforeEach(() => {
    root = newFolder();
    git("init", "-q", "-b", "main");
    put("a.md", "one\n");
    put("docs/ä b.md", "x\n");
    commit("first");
  });

  test("no repository, or no such folder: null", async () => {
    expect(await openGit(newFolder())).toBeNull();
  });

  test("a folder whose name has a line break", async () => {
    put("odd\nname/a.md", "one\n");
    const repository = (await openGit(join(root, "odd\nname")))!;
    expect(repository).toMatchObject({ top: root, prefix: "odd\nname/", isBare: false });
    expect(await repository.commonFolder()).toBe(join(root, ".git"));
  });

  test("a folder below the top, paths that git ignores, and a stamp that a commit changes", async () => {
    const repository = (await openGit(join(root, "docs")))!;
    expect(repository.prefix).toBe("docs/");
    put(".gitignore", "drafts/\n*.log\n");
    expect(await repository.ignored(["drafts/a.md", "b.md", ":(x).log", "ä.log"])).toEqual(
      new Set(["drafts/a.md", ":(x).log", "ä.log"]),
    );
    expect(await repository.ignored(["b.md"])).toEqual(new Set());
    const stamp = await repository.stamp();
    expect(await repository.stamp()).toBe(stamp);
    commit("second");
    expect(await repository.stamp()).not.toBe(stamp);
  });

  test("revisions, parents, trees and merge bases", async () => {
    const repository = (await openGit(join(root, "docs")))!;
    expect(repository.top).toBe(root);
    expect(repository.isBare).toBe(false);
    const first = await repository.resolve("HEAD");
    expect(await repository.resolve("no-such-branch")).toBeNull();
    expect(await repository.resolve("--help")).toBeNull();
    const asked = ["HEAD", "no-such-branch", "HEAD\nHEAD", "--help", "", "HEAD^{tree}", "HEAD"];
    const answers = await Promise.all(asked.map((revision) => repository.resolve(revision)));
    expect(answers).toEqual([first, null, null, null, null, null, first]);
    git("checkout", "-q", "-b", "topic");
    put("a.md", "two\n");
    commit("second");
    const second = await repository.resolve("topic");
    expect(await repository.parents(second!)).toEqual([first]);
    expect(await repository.message(second!)).toBe("second");
    expect(await repository.message("no-such-branch")).toBeNull();
    expect(await repository.mergeBase("main", "topic")).toBe(first);
    expect((await repository.tree("HEAD")).map(({ path }) => path)).toEqual(["a.md", "docs/ä b.md"]);
    expect((await repository.log("HEAD", 5)).map(({ id, paths }) => [id, paths])).toEqual([
      [second, ["a.md"]],
      [first, ["a.md", "docs/ä b.md"]],
    ]);
    expect(await repository.isShallow()).toBe(false);
  });

  test("the links of a tree, which is read once where it is a commit's", async () => {
    symlinkSync("a.md", join(root, "link"));
    commit("second");
    const repository = (await openGit(root))!;
    const head = (await repository.resolve("HEAD"))!;
    expect(await repository.detours("HEAD")).toEqual(["link"]);
    expect((await repository.tree(head)).map(({ path }) => path)).toEqual(["a.md", "docs/ä b.md"]);
    rmSync(join(root, ".git"), { recursive: true });
    expect(await repository.detours(head)).toEqual(["link"]);
    await expect(repository.detours("HEAD")).rejects.toThrow();
  });

  test("changes between commits, in the index and in the work tree", async () => {
    const repository = (await openGit(root))!;
    const base = (await repository.resolve("HEAD"))!;
    put("a.md", "two\n");
    put("new.md", "n\n");
    symlinkSync("a.md", join(root, "link"));
    git("add", "new.md", "link");
    rmSync(join(root, "docs/ä b.md"));
    const show = async (head: string) =>
      (await repository.changes(base, head)).map(({ path, status, kind }) => [path, status, kind]);
    expect(await show("index")).toEqual([
      ["link", "added", "link"],
      ["new.md", "added", "file"],
    ]);
    expect(await show("worktree")).toEqual([
      ["a.md", "modified", "file"],
      ["docs/ä b.md", "deleted", "file"],
      ["link", "added", "link"],
      ["new.md", "added", "file"],
    ]);
    commit("second");
    expect(await show("HEAD")).toHaveLength(4);
  });

  test("blobs are read at once, byte for byte; missing ones are left out", async () => {
    const repository = (await openGit(root))!;
    writeFileSync(join(root, "b.bin"), Buffer.from([0, 255, 10, 13, 10]));
    commit("bytes");
    const ids = (await repository.tree("HEAD")).map(({ id }) => id);
    const absent = "0123456789012345678901234567890123456789";
    const blobs = await repository.blobs([...ids, absent, ...ids]);
    expect([...blobs.values()].map((bytes) => [...bytes].length)).toEqual([4, 5, 2]);
    expect(blobs.get(ids[1]!)).toEqual(new Uint8Array([0, 255, 10, 13, 10]));
    expect(blobs.has(absent)).toBe(false);
    expect(await repository.blobs([])).toEqual(new Map());
  });

  test("blobs are handed over one by one, whatever pieces git prints them in", async () => {
    const repository = (await openGit(root))!;
    const contents = ["", "\n", "x".repeat(65_500), "y\n".repeat(70_000), "z", ""].map(
      (text, i) => `${text}${i}`,
    );
    for (const [i, text] of ["", ...contents].entries()) writeFileSync(join(root, `blob${i}`), text);
    commit("blobs");
    const files = (await repository.tree("HEAD")).filter(({ path }) => path.startsWith("blob"));
    const absent = "0123456789012345678901234567890123456789";
    const found = new Map<string, string>();
    await repository.eachBlob([absent, ...files.map(({ id }) => id), absent], (id, bytes) =>
      found.set(id, new TextDecoder().decode(bytes)),
    );
    expect(files.map(({ id }) => found.get(id))).toEqual(["", ...contents]);
    expect(found.has(absent)).toBe(false);
    const stop = (): never => {
      throw new Error("stop");
    };
    await expect(repository.eachBlob([files[0]!.id], stop)).rejects.toThrow("stop");
  });

  test("work files: tracked ones and new ones, not ignored ones", async () => {
    put(".gitignore", "*.log\n");
    put("x.log", "");
    put("new.md", "");
    expect(await (await openGit(root))!.workFiles()).toEqual(
      expect.arrayContaining(["a.md", "docs/ä b.md", "new.md", ".gitignore"]),
    );
    expect(await (await openGit(root))!.workFiles()).not.toContain("x.log");
  });

  test("no program that the repository names is started, and nothing is written", async () => {
    const trap = join(root, "trap.sh");
    const sprung = join(root, "..", `sprung-${made.length}`);
    writeFileSync(trap, `#!/bin/sh\ntouch ${sprung}\ncat\n`);
    chmodSync(trap, 0o755);
    put(".gitattributes", "*.md diff=trap filter=trap\n");
    for (const [key, value] of [
      ["core.fsmonitor", trap],
      ["diff.external", trap],
      ["diff.trap.textconv", trap],
      ["diff.trap.command", trap],
      ["core.pager", trap],
      ["core.sshCommand", trap],
      ["core.hooksPath", root],
      ["filter.trap.clean", trap],
      ["filter.trap.process", trap],
      ["filter.trap.required", "true"],
    ] as const)
      git("config", key, value);
    const before = execFileSync("find", [
      join(root, ".git"),
      "-type",
      "f",
      "-printf",
      "%p %s %T@\n",
    ]).toString();
    const repository = (await openGit(root))!;
    // The file has the timestamp of the index and the same length, so git has to compare the content.
    put("a.md", "two\n");
    const base = (await repository.resolve("HEAD"))!;
    await repository.changes(base, "worktree");
    await repository.changes(base, "index");
    await repository.log("HEAD", 5);
    await repository.workFiles();
    await repository.blobs((await repository.tree("HEAD")).map(({ id }) => id));
    await repository.mainBranch();
    expect(existsSync(sprung)).toBe(false);
    expect(
      execFileSync("find", [join(root, ".git"), "-type", "f", "-printf", "%p %s %T@\n"]).toString(),
    ).toBe(before);
  });

  test("variables that would point git elsewhere are not passed on", async () => {
    process.env.GIT_DIR = "/nowhere";
    process.env.GIT_WORK_TREE = "/nowhere";
    try {
      expect((await openGit(root))?.top).toBe(root);
    } finally {
      delete process.env.GIT_DIR;
      delete process.env.GIT_WORK_TREE;
    }
  });

  function put(path: string, text: string): void {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  function git(...args: string[]): void {
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", ...args],
      { cwd: root },
    );
  }
  function commit(title: string): void {
    git("add", "-A");
    git("commit", "-q", "-m", title);
  }
});

function newFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "suture-git-")));
  made.push(path);
  return path;
}
