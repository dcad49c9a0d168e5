import { fork } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, commitEdits, create, insert, quote, value } from "../testing.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../workspace.ts";

const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true });
});

let root: string;
beforeEach(() => {
  root = newFolder();
});

describe("on a real disk", () => {
  test("a commit replaces the file, keeps its mode, and leaves nothing beside it", async () => {
    put("docs/a.sh", "one\n", 0o755);
    const workspace = await open();
    value(await commitEdits(workspace, [quote("docs/a.sh", "one", "two"), create("new/b.md", "b\n")]));
    expect(readFileSync(join(root, "docs/a.sh"), "utf8")).toBe("two\n");
    expect(statSync(join(root, "docs/a.sh")).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(root, "docs"))).toEqual(["a.sh"]);
    expect(statSync(join(root, "docs/a.sh")).nlink).toBe(1);
    expect(statSync(join(root, "new/b.md")).nlink).toBe(1);
    value(await workspace.undo({ last: true }, { author: "me" }));
    expect(readFileSync(join(root, "docs/a.sh"), "utf8")).toBe("one\n");
    expect(readdirSync(root).sort()).toEqual([".suture", "docs"]);
  });

  test("the state folder is private to its owner under any umask", async () => {
    const mask = process.umask(0);
    try {
      put("a.md", "one\n");
      value(await commitEdits(await open(), [quote("a.md", "one", "two")]));
      const open_ = everythingIn(join(root, ".suture")).filter(
        (path) => (lstatSync(path).mode & 0o077) !== 0,
      );
      expect(open_).toEqual([]);
    } finally {
      process.umask(mask);
    }
  });

  test("links out of the root are refused, and their targets stay unchanged", async () => {
    const outside = newFolder();
    writeFileSync(join(outside, "x.md"), "theirs");
    symlinkSync(join(outside, "x.md"), join(root, "a.md"));
    symlinkSync(outside, join(root, "docs"));
    const workspace = await open();
    expect(codeFrom(await workspace.read("a.md"))).toBe("outside");
    expect(codeFrom(await workspace.read("docs/x.md"))).toBe("outside");
    expect(codeFrom(await commitEdits(workspace, [create("docs/new.md", "x")]))).toBe("outside");
    expect(readdirSync(outside)).toEqual(["x.md"]);
  });

  test("hard links and setuid files are refused", async () => {
    put("a.md", "one");
    linkSync(join(root, "a.md"), join(root, "b.md"));
    put("c.sh", "one", 0o4755);
    const workspace = await open();
    expect(codeFrom(await commitEdits(workspace, [quote("a.md", "one", "two")]))).toBe("not-allowed");
    expect(codeFrom(await commitEdits(workspace, [quote("c.sh", "one", "two")]))).toBe("not-allowed");
  });

  test("a new file in a shared folder gets the folder's group, not its owner", async (context) => {
    if (process.getuid?.() !== 0) {
      console.log("skipped: only the superuser can give a folder to another user");
      return context.skip();
    }
    put("shared/a.md", "one");
    chownSync(join(root, "shared"), 1234, 5678);
    chmodSync(join(root, "shared"), 0o2775);
    value(await commitEdits(await open(), [create("shared/b.md", "x")]));
    const { uid, gid } = statSync(join(root, "shared/b.md"));
    expect([uid, gid]).toEqual([process.getuid(), 5678]);
  });

  test("a root that is a link is resolved once, when it is opened", async () => {
    const [first, second] = [newFolder(), newFolder()];
    writeFileSync(join(first, "a.md"), "one");
    writeFileSync(join(second, "a.md"), "one");
    const link = join(root, "link");
    symlinkSync(first, link);
    const workspace = value(await openWorkspace(link));
    unlinkSync(link);
    symlinkSync(second, link);
    value(await commitEdits(workspace, [quote("a.md", "one", "two")]));
    expect([first, second].map((folder) => readFileSync(join(folder, "a.md"), "utf8"))).toEqual([
      "two",
      "one",
    ]);
  });

  test("a directory without search permission is refused, and nothing is created", async () => {
    put("closed/a.md", "one");
    chmodSync(join(root, "closed"), 0o000);
    const workspace = await open();
    const code = codeFrom(await commitEdits(workspace, [create("closed/b/c.md", "x")]));
    chmodSync(join(root, "closed"), 0o755);
    if (process.getuid?.() === 0) console.log("the superuser may enter every directory");
    else expect(code).toBe("not-allowed");
    expect(readdirSync(join(root, "closed"))).toContain("a.md");
  });

  test("a name that is not Unicode is listed in escaped form", async () => {
    writeFileSync(Buffer.concat([Buffer.from(join(root, "caf")), Buffer.from([0xe9])]), "x");
    expect(value(await (await open()).list())).toEqual({ paths: [], unreadable: ["caf\\xe9"] });
  });

  test("without descriptors everything works the same", async () => {
    put("docs/a.md", "one\n");
    const { diskFiles } = await import("./disk-files.ts");
    const workspace = await open({ files: diskFiles({ descriptors: false }) });
    value(await commitEdits(workspace, [quote("docs/a.md", "one", "two"), create("x/y.md", "y")]));
    value(await workspace.undo({ last: true }, { author: "me" }));
    expect(readFileSync(join(root, "docs/a.md"), "utf8")).toBe("one\n");
    expect(await workspace.doctor()).toEqual([]);
  });

  test("nothing is written outside while directory and file are swapped for links", async () => {
    const outside = newFolder();
    put("docs/a.md", "0\n");
    writeFileSync(join(outside, "a.md"), "theirs\n");
    const workspace = await open({ durability: "fast" });
    let swaps = 0;
    const swapper = setInterval(() => {
      swaps++;
      try {
        renameSync(join(root, "docs"), join(root, "away"));
        symlinkSync(outside, join(root, "docs"));
      } catch {
        rmSync(join(root, "docs"), { force: true });
        renameSync(join(root, "away"), join(root, "docs"));
      }
    }, 0);
    for (let i = 0; i < 150; i++) {
      await commitEdits(workspace, [insert("docs/a.md", -1, `${i}`)]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    clearInterval(swapper);
    expect(swaps).toBeGreaterThan(10);
    expect(readFileSync(join(outside, "a.md"), "utf8")).toBe("theirs\n");
    expect(readdirSync(outside)).toEqual(["a.md"]);
  });

  test("four processes append to one file and some are killed: every acknowledged line is there once", async () => {
    put("a.md", "start\n");
    const script = join(newFolder(), "writer.mjs");
    writeFileSync(script, writerScript());
    const acknowledged = await Promise.all(
      Array.from({ length: 4 }, (_, n) => runWriter(script, n, n === 0 ? 500 : null)),
    );
    const workspace = await open();
    const lines = readFileSync(join(root, "a.md"), "utf8").trim().split("\n").slice(1);
    expect(new Set(lines).size).toBe(lines.length);
    for (const line of acknowledged.flat()) expect(lines).toContain(line);
    expect(acknowledged.flat().length).toBeGreaterThanOrEqual(36);
    // A killed process may have written bytes that it could not report.
    expect(lines.length - acknowledged.flat().length).toBeLessThanOrEqual(1);
    expect(await workspace.doctor()).toEqual([]);
  });
});

function writerScript(): string {
  const here = join(import.meta.dirname, "..");
  return `
    import { openWorkspace } from ${JSON.stringify(join(here, "workspace.ts"))};
    import { commitEdits, insert } from ${JSON.stringify(join(here, "testing.ts"))};
    const [root, name] = process.argv.slice(2);
    const workspace = (await openWorkspace(root, { durability: "fast", patience: 60000 })).value;
    for (let i = 0; i < 12; ) {
      const line = name + "-" + i;
      const done = await commitEdits(workspace, [insert("a.md", -1, line)]);
      if (done.ok) { process.send(line); i++; }
      else if (!["conflict", "stale"].includes(done.refusal.code)) throw new Error(JSON.stringify(done.refusal));
    }
    process.disconnect();
  `;
}

function runWriter(script: string, n: number, killAfter: number | null): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const heard: string[] = [];
    const child = fork(script, [root, `w${n}`], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.on("message", (line) => heard.push(String(line)));
    child.on("exit", (code, signal) =>
      code === 0 || signal === "SIGKILL" ? resolve(heard) : reject(new Error(`writer ended with ${code}`)),
    );
    if (killAfter !== null) setTimeout(() => child.kill("SIGKILL"), killAfter);
  });
}

async function open(options: WorkspaceOptions = {}): Promise<Workspace> {
  return value(await openWorkspace(root, options));
}

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
}

function everythingIn(path: string): string[] {
  return [path, ...readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))];
}

function newFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "suture-disk-")));
  made.push(path);
  return path;
}
