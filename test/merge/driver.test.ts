import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const home = mkdtempSync(join(tmpdir(), "suture-driver-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const members = (...names: string[]) => `class A {\n${names.map((name) => `  int ${name};\n`).join("")}}\n`;
const file = join(home, "A.java");

test("git merges by syntax in a clone that asked for it, marks what it cannot, and forgets it again", () => {
  git("init", "-q");
  commit(members("a"), "base");
  git("checkout", "-qb", "side");
  commit(members("a", "b"), "side");
  git("checkout", "-q", "-");
  commit(members("a", "c"), "main");

  expect(suture("merge", "--install").status).toBe(0);
  expect(git("merge", "-q", "-m", "merged", "side").status).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(members("a", "c", "b"));

  git("checkout", "-qb", "third", "HEAD^");
  commit(members("a", "c").replace("int c", "long c"), "third");
  git("checkout", "-qb", "fourth", "HEAD^");
  commit(members("a", "c").replace("int c", "short c"), "fourth");
  expect(git("merge", "-q", "-m", "merged", "third").status).toBe(1);
  expect(readFileSync(file, "utf8")).toBe(
    members("a", "c").replace(
      "  int c;\n",
      "<<<<<<< ours\n  short c;\n||||||| base\n  int c;\n=======\n  long c;\n>>>>>>> theirs\n",
    ),
  );
  git("merge", "--abort");

  expect(suture("merge", "--uninstall").status).toBe(0);
  expect(git("config", "--get-regexp", "^merge\\.suture").stdout).toBe("");
  expect(readFileSync(join(home, ".git/info/attributes"), "utf8")).not.toContain("suture");
});

test.each(["--install", "--print", "--help", "-h", "--root=x", "--"])(
  "a file called %s is merged like every other",
  (name) => {
    const side = `side${Buffer.from(name).toString("hex")}`;
    git("init", "-q");
    expect(suture("merge", "--install").status).toBe(0);
    const put = (text: string, message: string): void => {
      writeFileSync(join(home, name), text);
      git("add", "--", name);
      git("commit", "-qm", message);
    };
    put("one\n\n\ntwo\n", "base");
    git("checkout", "-qb", side);
    put("one\n\n\n2\n", "theirs");
    git("checkout", "-q", "-");
    put("1\n\n\ntwo\n", "ours");
    git("merge", "-q", "-m", "merged", side);
    expect(readFileSync(join(home, name), "utf8")).toBe("1\n\n\n2\n");
  },
);

test("as data: the result, and both sides of each conflict with the base; no file is written", () => {
  const [base, ours, theirs] = ['{"a": 1}\n', '{"a": 2}\n', '{"a": 3}\n'].map((text, i) => {
    writeFileSync(join(home, `${i}.json`), text);
    return `${i}.json`;
  });
  const { status, stdout } = suture("merge", base!, ours!, theirs!, "--json");
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    merged: false,
    conflicts: [{ line: 1, base: '{"a": 1}\n', ours: '{"a": 2}\n', theirs: '{"a": 3}\n' }],
  });
  expect(readFileSync(join(home, ours!), "utf8")).toBe('{"a": 2}\n');
});

test.each(["ours.txt", "folder/ours.txt"])("the result %s behind a link of the folder is refused", (ours) => {
  const elsewhere = mkdtempSync(join(tmpdir(), "suture-elsewhere-"));
  const work = mkdtempSync(join(tmpdir(), "suture-work-"));
  mkdirSync(join(elsewhere, "folder"));
  for (const name of ["ours.txt", "folder/ours.txt"]) writeFileSync(join(elsewhere, name), "one\n");
  writeFileSync(join(work, "base.txt"), "one\n");
  writeFileSync(join(work, "theirs.txt"), "two\n");
  symlinkSync(join(elsewhere, "folder"), join(work, "folder"));
  symlinkSync(join(elsewhere, "ours.txt"), join(work, "ours.txt"));
  const { status, stderr } = sutureAt(work, "merge", "base.txt", ours, "theirs.txt");
  expect(readFileSync(join(elsewhere, ours), "utf8")).toBe("one\n");
  expect(status).toBeGreaterThan(0);
  expect(stderr).toMatch(/link .* is not followed/);
  for (const folder of [elsewhere, work]) rmSync(folder, { recursive: true });
});

test.each([
  ["a named pipe", (path: string) => execFileSync("mkfifo", [path])],
  ["a link to a device without end", (path: string) => symlinkSync("/dev/zero", path)],
  ["a folder", (path: string) => mkdirSync(path)],
])("%s in the place of a version is refused without waiting", (_, plant) => {
  const work = mkdtempSync(join(tmpdir(), "suture-work-"));
  for (const name of ["base.txt", "ours.txt"]) writeFileSync(join(work, name), "one\n");
  plant(join(work, "theirs.txt"));
  const { status, stderr } = sutureAt(work, "merge", "base.txt", "ours.txt", "theirs.txt");
  expect(stderr).toContain("Cannot read theirs.txt");
  expect(status).toBe(2);
  rmSync(work, { recursive: true });
});

test("a file that is not text is left as it is, for a person", () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe]);
  for (const name of ["b", "o", "t"]) writeFileSync(join(home, name), bytes);
  const { status, stderr } = suture("merge", "b", "o", "t");
  expect(status).toBe(2);
  expect(stderr).toContain("is not text");
  expect(readFileSync(join(home, "o"))).toEqual(bytes);
});

function commit(text: string, message: string): void {
  writeFileSync(file, text);
  git("add", "A.java");
  git("commit", "-qm", message);
}

function git(...args: string[]) {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  return spawnSync("git", [...who, ...args], { cwd: home, encoding: "utf8" });
}

function suture(...args: string[]) {
  return sutureAt(home, ...args);
}

function sutureAt(cwd: string, ...args: string[]) {
  // Under npx the driver would be called by npx too.
  const { npm_command: _, ...env } = process.env;
  return spawnSync(process.execPath, [resolve("src/cli/main.ts"), ...args], {
    cwd,
    encoding: "utf8",
    env,
    // A call that waits for ever is ended, and fails its test.
    timeout: 60_000,
  });
}
