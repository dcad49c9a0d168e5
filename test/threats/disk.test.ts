import { execFileSync, spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSession } from "../../src/index.ts";
import { diskFiles } from "../../src/workspace/files/disk-files.ts";
import type { Files } from "../../src/workspace/files/files.ts";
import { codeFrom, commitEdits, insert, quote, value } from "../../src/workspace/testing.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../src/workspace/workspace.ts";

let root: string;
let mounted: string[];
beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), "suture-threats-"));
  mounted = [];
});
afterEach(() => {
  for (const place of mounted.reverse()) spawnSync("umount", ["-l", place]);
  fs.rmSync(root, { recursive: true, force: true });
});

describe("hostile files on the disk", () => {
  test("a file that becomes a pipe after the check is refused without waiting", async () => {
    put("a.md", "one\n");
    const inner = diskFiles();
    const files: Files = {
      ...inner,
      openRead: async (dir, name) => {
        if (name === "a.md" && fs.lstatSync(at("a.md")).isFile()) {
          fs.unlinkSync(at("a.md"));
          execFileSync("mkfifo", [at("a.md")]);
        }
        return inner.openRead(dir, name);
      },
    };
    const workspace = await open({ files });
    expect(codeFrom(await workspace.read("a.md"))).toBe("not-allowed");
  });

  test("an immutable file stops the transaction without leftovers", async ({ skip }) => {
    put("a.md", "one\n");
    put("b.md", "one\n");
    const attribute = spawnSync("chattr", ["+i", at("a.md")]);
    if (attribute.status !== 0) skip(`chattr: ${attribute.stderr ?? "is not here"}`);
    const workspace = await open();
    const refused = await commitEdits(workspace, [quote("b.md", "one", "two"), quote("a.md", "one", "two")]);
    execFileSync("chattr", ["-i", at("a.md")]);
    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: "not-allowed", path: "a.md", errno: "EPERM" },
    });
    await expectUntouched(workspace, { "a.md": "one\n", "b.md": "one\n" });
  });

  test("a file that is a mount point is refused, never written in place", async ({ skip }) => {
    put("a.md", "one\n");
    put("source", "one\n");
    mount(skip, ["--bind", at("source"), at("a.md")], at("a.md"));
    const workspace = await open();
    expect(codeFrom(await commitEdits(workspace, [quote("a.md", "one", "two")]))).toMatch(
      /unavailable|not-allowed/,
    );
    await expectUntouched(workspace, { "a.md": "one\n", source: "one\n" });
  });

  test("a read-only mount stops the transaction before any other file changes", async ({ skip }) => {
    put("b.md", "one\n");
    fs.mkdirSync(at("closed"));
    mount(skip, ["-t", "tmpfs", "none", at("closed")], at("closed"));
    put("closed/a.md", "one\n");
    mount(skip, ["-o", "remount,ro", at("closed")]);
    const workspace = await open({ mounts: true });
    const edits = [quote("b.md", "one", "two"), quote("closed/a.md", "one", "two")];
    expect(codeFrom(await commitEdits(workspace, edits))).toBe("not-allowed");
    await expectUntouched(workspace, { "closed/a.md": "one\n", "b.md": "one\n" });
  });

  test("a read-only root can be read, and the refusal of a write says why", async ({ skip }) => {
    mount(skip, ["-t", "tmpfs", "none", root], root);
    put("a.md", "one\n");
    mount(skip, ["-o", "remount,ro", root]);
    const workspace = await open();
    expect(value(await workspace.read("a.md")).text).toBe("one\n");
    expect(codeFrom(await commitEdits(workspace, [quote("a.md", "one", "two")]))).toMatch(
      /not-allowed|unavailable/,
    );
  });

  test("unmounting the root during a commit gives an error, and recovery works when the root is back", async ({
    skip,
  }) => {
    const image = join(tmpdir(), `suture-image-${process.pid}`);
    try {
      fs.writeFileSync(image, "");
      fs.truncateSync(image, 16 * 2 ** 20);
      const made = spawnSync("mkfs.ext4", ["-q", image]);
      if (made.status !== 0) skip(`mkfs.ext4: ${made.stderr ?? "is not here"}`);
      mount(skip, ["-o", "loop", image, root], root);
      put("a.md", "one\n");
      put("b.md", "one\n");
      const inner = diskFiles();
      let renames = 0;
      const files: Files = {
        ...inner,
        rename: async (...place) => {
          await inner.rename(...place);
          if (place[3] !== "a.md" || renames++ > 0) return;
          // The handles keep it alive here; the machine's answer to everything that follows is the same as for a pulled disk.
          throw Object.assign(new Error("EIO"), { code: "EIO" });
        },
      };
      const workspace = await open({ files });
      const edits = [quote("a.md", "one", "two"), quote("b.md", "one", "two")];
      expect(codeFrom(await commitEdits(workspace, edits))).toBe("unavailable");
      await workspace.close();
      execFileSync("umount", [root]);
      expect(fs.readdirSync(root)).toEqual([]);
      const empty = await open();
      expect(value(await empty.read("a.md")).text).toBeNull();
      await empty.close();
      mount(skip, ["-o", "loop", image, root], root);
      const again = await open();
      const texts = await Promise.all(
        ["a.md", "b.md"].map(async (path) => value(await again.read(path)).text),
      );
      expect(new Set(texts).size).toBe(1);
      expect(await again.doctor()).toEqual([]);
      await again.close();
    } finally {
      fs.rmSync(image, { force: true });
    }
  });

  test("if the bytes read back differ from the bytes written, the commit reports it and keeps the bytes on disk", async () => {
    put("a.md", "one\n");
    const inner = diskFiles();
    const files: Files = {
      ...inner,
      rename: async (from, name, to, newName) => {
        await inner.rename(from, name, to, newName);
        if (newName !== "a.md") return;
        fs.writeFileSync(at("other"), "rot\n");
        fs.renameSync(at("other"), at("a.md"));
      },
    };
    const workspace = await open({ files });
    const committed = value(await commitEdits(workspace, [quote("a.md", "one", "two")]));
    expect(committed.notices).toContainEqual(
      expect.objectContaining({ notice: "outside-change", path: "a.md" }),
    );
    expect(fs.readFileSync(at("a.md"), "utf8")).toBe("rot\n");
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP", "stdout closed"] as const)(
    "%s during many edits leaves every file old or new, all or none",
    async (trouble) => {
      const names = Array.from({ length: 40 }, (_, i) => `f${i}.md`);
      for (const name of names) put(name, "one\n");
      const edits = names.map((path) => ({ path, old_string: "one", new_string: "two" }));
      for (const wait of [0, 30, 60, 90]) {
        const child = spawn(process.execPath, [join(import.meta.dirname, "apply-child.ts"), root], {
          stdio: ["pipe", "pipe", "ignore"],
        });
        const closed = new Promise((resolve) => child.once("close", resolve));
        if (trouble === "stdout closed") child.stdout.destroy();
        child.stdin.on("error", () => undefined);
        child.stdin.end(JSON.stringify(edits));
        if (trouble !== "stdout closed") {
          await Promise.race([closed, new Promise((resolve) => child.stdout.once("data", resolve))]);
          await new Promise((resolve) => setTimeout(resolve, wait));
          child.kill(trouble);
        }
        await closed;
        const workspace = await open();
        const texts = new Set(names.map((name) => fs.readFileSync(at(name), "utf8")));
        expect(texts.size).toBe(1);
        expect(await workspace.doctor()).toEqual([]);
        if (texts.has("two\n")) value(await workspace.undo({ last: true }, { author: "me" }));
        await workspace.close();
        expect(fs.readdirSync(root).filter((name) => ![...names, ".suture"].includes(name))).toEqual([]);
      }
    },
  );

  test("a process that runs out of memory leaves every file old or new", async () => {
    put("a.md", "one\n");
    const child = spawnSync(
      process.execPath,
      ["--max-old-space-size=24", join(import.meta.dirname, "apply-child.ts"), root, "hungry"],
      { input: JSON.stringify([{ path: "a.md", old_string: "one", new_string: "two" }]), encoding: "utf8" },
    );
    expect(child.status === 0 && child.signal === null).toBe(false);
    const workspace = await open();
    expect(await workspace.doctor()).toEqual([]);
    expect(["one\n", "two\n"]).toContain(fs.readFileSync(at("a.md"), "utf8"));
  });

  test("a process stopped for long during a commit keeps the lock and finishes", async () => {
    put("a.md", "0\n");
    const child = spawn(process.execPath, [join(import.meta.dirname, "apply-child.ts"), root, "stop"], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    child.stdin.end(JSON.stringify([{ path: "a.md", old_string: "0", new_string: "slow" }]));
    await new Promise((resolve) =>
      child.stdout.on("data", (data) => /holding/.test(String(data)) && resolve(null)),
    );
    const workspace = await open({ patience: 300 });
    expect(codeFrom(await commitEdits(workspace, [insert("a.md", -1, "hasty")]))).toBe("locked");
    process.kill(child.pid!, "SIGCONT");
    await new Promise((resolve) => child.once("close", resolve));
    expect(fs.readFileSync(at("a.md"), "utf8")).toBe("slow\n");
    value(await commitEdits(workspace, [insert("a.md", -1, "later")]));
    expect(fs.readFileSync(at("a.md"), "utf8")).toBe("slow\nlater\n");
  });

  test("a network file system is detected, and the weaker guarantee is reported", async () => {
    put("a.md", "one\n");
    const inner = diskFiles();
    const files: Files = {
      ...inner,
      fileSystem: async (dir) => ({ ...(await inner.fileSystem(dir)), network: true }),
    };
    const committed = value(await commitEdits(await open({ files }), [quote("a.md", "one", "two")]));
    expect(JSON.stringify(committed.durability)).toContain("network");
  });

  test("a file from a lower layer of an overlay is edited, and the edit is undone", async ({ skip }) => {
    for (const name of ["lower", "upper", "merged"]) fs.mkdirSync(at(name));
    put("lower/a.md", "one\n");
    // The layers lie on two devices, so the file has another device than its folder.
    mount(skip, ["-t", "tmpfs", "tmpfs", at("upper")], at("upper"));
    for (const name of ["files", "work"]) fs.mkdirSync(at(`upper/${name}`));
    const layers = `lowerdir=${at("lower")},upperdir=${at("upper/files")},workdir=${at("upper/work")}`;
    mount(skip, ["-t", "overlay", "-o", layers, "overlay", at("merged")], at("merged"));
    const workspace = value(await openWorkspace(at("merged")));
    value(await commitEdits(workspace, [quote("a.md", "one", "two")]));
    expect(fs.readFileSync(at("merged/a.md"), "utf8")).toBe("two\n");
    value(await workspace.undo({ last: true }, { author: "me" }));
    expect(fs.readFileSync(at("merged/a.md"), "utf8")).toBe("one\n");
    await workspace.close();
  });

  test("two roots, one inside the other, edit the same file without a refusal or a lost line", async () => {
    fs.mkdirSync(at("inner"));
    put("inner/a.md", "start\n");
    const places = [
      { session: value(await openSession({ root })), path: "inner/a.md" },
      { session: value(await openSession({ root: at("inner") })), path: "a.md" },
    ];
    const each = 20;
    const refusals: unknown[] = [];
    await Promise.all(
      places.map(async ({ session, path }) => {
        for (let i = 0; i < each; i++) {
          const done = await session.call("insert_at", { path, line: -1, content: `${path} ${i}` });
          if (!done.success) refusals.push(done);
        }
        await session.close();
      }),
    );
    expect(refusals).toEqual([]);
    expect(fs.readFileSync(at("inner/a.md"), "utf8").trim().split("\n")).toHaveLength(1 + 2 * each);
  });

  test("threads of one process have the same guarantees as processes", async () => {
    put("a.md", "start\n");
    const threads = 4;
    const each = 25;
    await Promise.all(
      Array.from({ length: threads }, (_, n) => {
        const worker = new Worker(new URL("./thread.ts", import.meta.url), { workerData: { root, n, each } });
        return new Promise((resolve, reject) => worker.once("exit", resolve).once("error", reject));
      }),
    );
    const lines = fs.readFileSync(at("a.md"), "utf8").trim().split("\n").slice(1);
    expect(lines.sort()).toEqual(
      Array.from({ length: threads * each }, (_, i) => `${Math.floor(i / each)}-${i % each}`).sort(),
    );
    expect(await (await open()).doctor()).toEqual([]);
  });
});

async function open(options: WorkspaceOptions = {}): Promise<Workspace> {
  return value(await openWorkspace(root, options));
}

function at(path: string): string {
  return join(root, path);
}

function put(path: string, text: string): void {
  fs.writeFileSync(at(path), text);
}

/** Mounts something, or skips the test with the reason why that cannot be done here. */
function mount(skip: (why: string) => void, options: readonly string[], place?: string): void {
  const done = spawnSync("mount", options, { encoding: "utf8" });
  if (done.status !== 0) skip(`mount: ${done.stderr ?? "is not here"}`);
  if (place) mounted.push(place);
}

async function expectUntouched(workspace: Workspace, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) expect(fs.readFileSync(at(path), "utf8")).toBe(text);
  expect(await workspace.doctor()).toEqual([]);
  const top = new Set(Object.keys(files).map((path) => path.split("/")[0]));
  expect(fs.readdirSync(root).filter((name) => name !== ".suture" && !top.has(name))).toEqual([]);
}
