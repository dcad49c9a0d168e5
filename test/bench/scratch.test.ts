import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ask, openProductGit } from "../../bench/drift/ask.ts";
import { Scratch } from "../../bench/drift/mirror.ts";
import { openGit } from "../../src/workspace/git/git.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-scratch-"));
const work = join(folder, "work");
const [base, head] = makeHistory();
const scratch = new Scratch({
  gitDir: join(work, ".git"),
  folder: join(folder, "scratch"),
  origin: "https://github.com/a/b.git",
});

afterAll(() => {
  scratch.close();
  rmSync(folder, { recursive: true, force: true });
});

test("trees, changes and blobs are those that git itself lists", async () => {
  const real = (await openGit(scratch.folder))!;
  const fast = await openProductGit(scratch);
  expect(await fast.tree(head)).toEqual(await real.tree(head));
  expect(await fast.changes(base, head)).toEqual(await real.changes(base, head));
  const ids = (await real.tree(head)).map(({ id }) => id);
  const texts = async (git: typeof real) =>
    [...(await git.blobs(ids))].map(([id, bytes]) => [id, Buffer.from(bytes).toString()]).sort();
  expect(await texts(fast)).toEqual(await texts(real));
});

test("a commit without the pages has every other change and no page's", async () => {
  const changes = await scratch.compare(base, head);
  const part = await scratch.commitPart(base, changes, (path) => !path.endsWith(".md"));
  const left = git(scratch.folder, "diff-tree", "-r", "--name-only", part, head);
  expect(left.split("\n")).toEqual(changes.map(({ path }) => path).filter((path) => path.endsWith(".md")));
  expect(git(scratch.folder, "fsck", "--no-dangling", part)).toBe("");
});

test("the product finds the page that the change left behind", async () => {
  const changes = await scratch.compare(base, head);
  const part = await scratch.commitPart(base, changes, (path) => !path.endsWith(".md"));
  const { findings } = await ask(await openProductGit(scratch), base, part);
  expect(findings.map(({ path, startLine }) => `${path}:${startLine}`)).toContain("README.md:3");
});

/** A change that adds, deletes and moves files, turns a file into a folder and into a link, and fixes its page. */
function makeHistory(): [string, string] {
  mkdirSync(work);
  git(work, "init", "-q", "-b", "main");
  write("README.md", "# Demo\n\nSet `maxRetries` to try again.\n");
  write("src/a.ts", "export const options = { maxRetries: 3 };\nexport const tries = options.maxRetries;\n");
  write("src/a-b/c.ts", "export const c = 1;\n");
  write("thing", "a file\n");
  write("link", "a file that becomes a link\n");
  const first = commit();
  write("README.md", "# Demo\n\nSet `retryLimit` to try again.\n");
  write("src/a.ts", "export const options = { retryLimit: 3 };\nexport const tries = options.retryLimit;\n");
  rmSync(join(work, "src/a-b"), { recursive: true });
  write("src/a/c.ts", "export const c = 1;\n");
  rmSync(join(work, "thing"));
  write("thing/inside", "now in a folder\n");
  rmSync(join(work, "link"));
  symlinkSync("README.md", join(work, "link"));
  write("docs/é.md", "# New\n");
  return [first, commit()];
}

function write(path: string, text: string): void {
  mkdirSync(join(work, path, ".."), { recursive: true });
  writeFileSync(join(work, path), text);
}

function commit(): string {
  git(work, "add", "-A");
  const person = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"];
  git(work, ...person, "commit", "-q", "-m", "change");
  return git(work, "rev-parse", "HEAD");
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "core.quotePath=false", ...args], { cwd, encoding: "utf8" }).trim();
}
