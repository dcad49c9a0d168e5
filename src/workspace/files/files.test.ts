import { execFileSync } from "node:child_process";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { diskFiles } from "./disk-files.ts";
import { crashAt, failAt, faultFiles, shortWrites } from "./faulty-files.ts";
import { codeOf, type Dir, type Files, mutating } from "./files.ts";
import { keepAll } from "./inodes.ts";
import { createMemoryDisk } from "./memory-files.ts";

/** A machine with an empty root, and ways to create files that the port itself cannot create. */
type Machine = {
  files: Files;
  root: string;
  putLink(name: string, target: string): void;
  putPipe(name: string): void;
};

const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true });
});

const machines: [string, () => Machine][] = [
  ["disk, by descriptor", () => onDisk(diskFiles())],
  ["disk, by verification", () => onDisk(diskFiles({ descriptors: false }))],
  ["memory", inMemory],
  ["faults over the disk", () => spoiled(onDisk(diskFiles()))],
  ["faults over memory", () => spoiled(inMemory())],
];

describe.each(machines)("the contract of files: %s", (_name, start) => {
  let machine: Machine;
  let files: Files;
  let root: Dir;
  beforeEach(async () => {
    machine = start();
    files = machine.files;
    root = await files.openRoot(machine.root);
  });

  test("a plain file has no attributes, or the machine cannot tell", async () => {
    await write(files, root, "a", "hello");
    const found = await files.attributes(root, ["a"]);
    if (found !== null) expect(found).toEqual([{ extended: false, capability: false }]);
    expect(await files.defaultMode(root)).toBeNull();
  });

  test("what is written can be read, in pieces and past the end", async () => {
    await write(files, root, "a", "hello");
    const file = await files.openRead(root, "a");
    expect(textOf(await files.read(file, 1, 3))).toBe("ell");
    expect(textOf(await files.read(file, 3, 100))).toBe("lo");
    expect(await files.read(file, 9, 5)).toHaveLength(0);
    await files.close(file);
  });

  test("creation is exclusive, even where a dangling link exists", async () => {
    await write(files, root, "a", "x");
    machine.putLink("planted", "nowhere");
    expect(await codeFrom(files.create(root, "a", 0o600))).toBe("EEXIST");
    expect(await codeFrom(files.create(root, "planted", 0o600))).toBe("EEXIST");
    expect(await files.stat(root, "nowhere")).toBeNull();
  });

  test("a file opened for writing keeps its content until it is written or cut", async () => {
    await write(files, root, "a", "hello");
    const file = await files.openWrite(root, "a");
    await files.write(file, bytesOf("J"), 0);
    await files.truncate(file, 4);
    await files.close(file);
    expect(await contentOf(files, root, "a")).toBe("Jell");
  });

  test("a link is never followed", async () => {
    await write(files, root, "a", "x");
    await files.mkdir(root, "d", 0o755);
    machine.putLink("to-file", "a");
    machine.putLink("to-dir", "d");
    expect(await codeFrom(files.openRead(root, "to-file"))).toBe("ELOOP");
    expect(await codeFrom(files.openWrite(root, "to-file"))).toBe("ELOOP");
    expect(["ELOOP", "ENOTDIR"]).toContain(await codeFrom(files.openDir(root, "to-dir")));
    expect((await files.stat(root, "to-dir"))?.kind).toBe("link");
    expect(await files.readLink(root, "to-dir")).toBe("d");
  });

  test("a pipe is refused without waiting, and a directory is not a file", async () => {
    machine.putPipe("pipe");
    await files.mkdir(root, "d", 0o755);
    // Nothing writes to the pipe, so an open that waits would never return.
    expect(await codeFrom(files.openRead(root, "pipe"))).toBe("EINVAL");
    expect((await files.stat(root, "pipe"))?.kind).toBe("other");
    expect(await codeFrom(files.openRead(root, "d"))).toBe("EISDIR");
  });

  test("one operation takes one component", async () => {
    for (const name of ["", ".", "..", "a/b", "a\0b"])
      expect(await codeFrom(files.stat(root, name)), JSON.stringify(name)).toBe("EINVAL");
  });

  test("for a missing name, stat returns null and every other operation fails with ENOENT", async () => {
    expect(await files.stat(root, "a")).toBeNull();
    expect(await codeFrom(files.openRead(root, "a"))).toBe("ENOENT");
    expect(await codeFrom(files.openDir(root, "a"))).toBe("ENOENT");
    expect(await codeFrom(files.unlink(root, "a"))).toBe("ENOENT");
    expect(await codeFrom(files.rename(root, "a", root, "b"))).toBe("ENOENT");
    expect(await codeFrom(files.link(root, "a", root, "b"))).toBe("ENOENT");
    expect(await codeFrom(files.rmdir(root, "a"))).toBe("ENOENT");
  });

  test("a rename replaces, a link does not, and both names of a file are one file", async () => {
    await files.mkdir(root, "d", 0o755);
    const dir = await files.openDir(root, "d");
    await write(files, root, "a", "new");
    await write(files, dir, "b", "old");
    expect(await codeFrom(files.link(root, "a", dir, "b"))).toBe("EEXIST");
    await files.link(dir, "b", dir, "kept");
    await files.rename(root, "a", dir, "b");
    expect(await contentOf(files, dir, "b")).toBe("new");
    expect(await contentOf(files, dir, "kept")).toBe("old");
    expect(await files.stat(root, "a")).toBeNull();
    await files.link(dir, "b", root, "again");
    const [one, other] = [await files.stat(dir, "b"), await files.stat(root, "again")];
    expect(one).toEqual(other);
    expect(one?.links).toBe(2);
  });

  test("a rename onto another name of the same file changes nothing", async () => {
    await write(files, root, "a", "x");
    await files.link(root, "a", root, "b");
    await files.rename(root, "a", root, "b");
    expect((await files.list(root)).map(({ name }) => name).sort()).toEqual(["a", "b"]);
  });

  test("a directory is removed only when empty, and unlink leaves directories alone", async () => {
    await files.mkdir(root, "d", 0o755);
    const dir = await files.openDir(root, "d");
    await write(files, dir, "a", "x");
    expect(await codeFrom(files.mkdir(root, "d", 0o755))).toBe("EEXIST");
    expect(await codeFrom(files.rmdir(root, "d"))).toBe("ENOTEMPTY");
    expect(["EISDIR", "EPERM"]).toContain(await codeFrom(files.unlink(root, "d")));
    await files.unlink(dir, "a");
    await files.rmdir(root, "d");
    expect(await files.stat(root, "d")).toBeNull();
  });

  test("mode bits are set on the open file and are there afterwards", async () => {
    const file = await files.create(root, "a", 0o600);
    expect((await files.statOpen(file)).mode).toBe(0o600);
    await files.setMode(file, 0o755);
    await files.close(file);
    expect((await files.stat(root, "a"))?.mode).toBe(0o755);
  });

  test("flushing works on files and on directories", async () => {
    const file = await files.create(root, "a", 0o600);
    await files.flush(file);
    await files.close(file);
    await files.flushDir(root);
    expect((await files.fileSystem(root)).flushesDirs).toBe(true);
  });

  test("a list names every entry with its kind", async () => {
    await write(files, root, "b.md", "x");
    await files.mkdir(root, "d", 0o755);
    machine.putLink("l", "b.md");
    const listed = (await files.list(root)).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(listed).toEqual([
      { name: "b.md", kind: "file", exact: true },
      { name: "d", kind: "directory", exact: true },
      { name: "l", kind: "link", exact: true },
    ]);
  });

  test("an open file is the file that was opened, whatever its name leads to later", async () => {
    await write(files, root, "a", "old");
    const file = await files.openRead(root, "a");
    await write(files, root, "n", "new");
    await files.rename(root, "n", root, "a");
    expect(textOf(await files.read(file, 0, 10))).toBe("old");
    expect((await files.statOpen(file)).identity).not.toBe((await files.stat(root, "a"))?.identity);
  });

  test("a closed directory refuses every operation, whatever was opened since", async () => {
    await write(files, root, "a", "x");
    await files.mkdir(root, "d", 0o755);
    await files.mkdir(root, "other", 0o755);
    const dir = await files.openDir(root, "d");
    await files.close(dir);
    const others = await openSeveral(() => files.openDir(root, "other"));
    const attempts: Record<string, () => Promise<unknown>> = {
      openDir: () => files.openDir(dir, "d"),
      list: () => files.list(dir),
      stat: () => files.stat(dir, "a"),
      statOpen: () => files.statOpen(dir),
      readLink: () => files.readLink(dir, "a"),
      openRead: () => files.openRead(dir, "a"),
      create: () => files.create(dir, "new", 0o644),
      openWrite: () => files.openWrite(dir, "a"),
      setMode: () => files.setMode(dir, 0o700),
      flushDir: () => files.flushDir(dir),
      "rename from": () => files.rename(dir, "a", root, "b"),
      "rename to": () => files.rename(root, "a", dir, "b"),
      "link from": () => files.link(dir, "a", root, "b"),
      "link to": () => files.link(root, "a", dir, "b"),
      unlink: () => files.unlink(dir, "a"),
      mkdir: () => files.mkdir(dir, "new", 0o755),
      rmdir: () => files.rmdir(dir, "d"),
      fileSystem: () => files.fileSystem(dir),
    };
    for (const [name, attempt] of Object.entries(attempts))
      expect(await codeFrom(attempt()), name).toBe("EBADF");
    for (const other of others) expect(await files.list(other)).toEqual([]);
    expect((await files.list(root)).map(({ name }) => name).sort()).toEqual(["a", "d", "other"]);
  });

  test("a closed file refuses every operation, whatever was opened since", async () => {
    await write(files, root, "a", "old");
    await write(files, root, "other", "other");
    const file = await files.openWrite(root, "a");
    await files.close(file);
    const others = await openSeveral(() => files.openWrite(root, "other"));
    const attempts: Record<string, () => Promise<unknown>> = {
      read: () => files.read(file, 0, 5),
      write: () => files.write(file, bytesOf("new"), 0),
      "long read": () => files.read(file, 0, longTransfer),
      "long write": () => files.write(file, new Uint8Array(longTransfer), 0),
      truncate: () => files.truncate(file, 0),
      setMode: () => files.setMode(file, 0o600),
      setOwner: () => files.setOwner(file, 0, 0),
      flush: () => files.flush(file),
      statOpen: () => files.statOpen(file),
    };
    for (const [name, attempt] of Object.entries(attempts))
      expect(await codeFrom(attempt()), name).toBe("EBADF");
    for (const other of others) expect(textOf(await files.read(other, 0, 99))).toBe("other");
  });

  test("closing a handle again does nothing, also to a handle that was opened since", async () => {
    await files.mkdir(root, "d", 0o755);
    const dir = await files.openDir(root, "d");
    await write(files, dir, "a", "x");
    const file = await files.openRead(dir, "a");
    await files.close(file);
    await files.close(dir);
    const others = await openSeveral(() => files.openDir(root, "d"));
    await files.close(file);
    await files.close(dir);
    for (const other of others) expect(await files.list(other)).toHaveLength(1);
  });

  test("closing waits for the operations that run, and they reach the file that was opened", async () => {
    await write(files, root, "other", "other");
    const file = await files.create(root, "long", 0o644);
    const bytes = new Uint8Array(longTransfer).fill(7);
    const running = [files.write(file, bytes, 0), files.flush(file), files.read(file, 0, longTransfer)];
    const ended: string[] = [];
    const noted = running.map((each) => each.then(() => ended.push("operation")));
    const closing = files.close(file).then(() => ended.push("close"));
    const others = await openSeveral(() => files.openWrite(root, "other"));
    await Promise.all([...noted, closing]);
    expect(ended).toEqual(["operation", "operation", "operation", "close"]);
    expect((await files.stat(root, "long"))?.size).toBe(longTransfer);
    for (const other of others) expect(textOf(await files.read(other, 0, 99))).toBe("other");
  });

  test("this process is alive, a process of an earlier start is not, and a process of another host is unknown", () => {
    const self = files.self();
    expect(files.isDead(self)).toBe(false);
    expect(files.isDead({ ...self, started: `${self.started}0` })).toBe(true);
    expect(files.isDead({ ...self, boot: "another" })).toBe(true);
    expect(files.isDead({ ...self, host: "elsewhere", boot: "another" })).toBe(false);
  });

  test("random ids are 128 bits and differ", () => {
    const ids = Array.from({ length: 100 }, files.randomId);
    expect(new Set(ids).size).toBe(100);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});

describe("files on disk", () => {
  test("a directory swapped for a link is still the directory that was opened", async () => {
    const { files, root: path } = onDisk(diskFiles());
    const outside = newDirectory();
    const root = await files.openRoot(path);
    await files.mkdir(root, "docs", 0o755);
    const dir = await files.openDir(root, "docs");
    renameSync(join(path, "docs"), join(path, "moved"));
    symlinkSync(outside, join(path, "docs"));
    await write(files, dir, "a", "x");
    expect(await contentOf(files, await files.openDir(root, "moved"), "a")).toBe("x");
    expect(await files.list(await files.openRoot(outside))).toEqual([]);
  });

  test("without descriptors the swap is detected", async () => {
    const { files, root: path } = onDisk(diskFiles({ descriptors: false }));
    const outside = newDirectory();
    const root = await files.openRoot(path);
    await files.mkdir(root, "docs", 0o755);
    const dir = await files.openDir(root, "docs");
    renameSync(join(path, "docs"), join(path, "moved"));
    symlinkSync(outside, join(path, "docs"));
    expect(await codeFrom(files.create(dir, "a", 0o600))).toBe("ESTALE");
  });

  test("closing a handle twice leaves the host program's own descriptors open", async () => {
    for (const how of [{}, { descriptors: false }]) {
      const { files, root: path } = onDisk(diskFiles(how));
      const root = await files.openRoot(path);
      await files.close(root);
      const mine = Array.from({ length: 5 }, () => openSync(process.execPath, "r"));
      await files.close(root);
      for (const fd of mine) expect(() => fstatSync(fd)).not.toThrow();
      for (const fd of mine) closeSync(fd);
    }
  });

  test("a root that is a link is resolved once", async () => {
    const [first, second] = [newDirectory(), newDirectory()];
    const link = join(newDirectory(), "root");
    symlinkSync(first, link);
    const files = diskFiles();
    const root = await files.openRoot(link);
    rmSync(link);
    symlinkSync(second, link);
    await write(files, root, "a", "x");
    expect(await contentOf(files, await files.openRoot(first), "a")).toBe("x");
    expect(await files.list(await files.openRoot(second))).toEqual([]);
  });

  test("a name that is not Unicode is listed in escaped form", async () => {
    const { files, root: path } = onDisk(diskFiles());
    writeFileSync(Buffer.concat([Buffer.from(join(path, "caf")), Buffer.from([0xe9])]), "x");
    const root = await files.openRoot(path);
    expect(await files.list(root)).toEqual([{ name: "caf\\xe9", kind: "file", exact: false }]);
  });

  test("the file system is named", async () => {
    const { files, root } = onDisk(diskFiles());
    expect((await files.fileSystem(await files.openRoot(root))).name).toMatch(/^[a-z0-9]+$/);
  });
});

describe("the disk in memory", () => {
  test("a power cut takes what was not flushed, and leaves what was", async () => {
    const disk = createMemoryDisk();
    const files = disk.process();
    const root = await files.openRoot("/");
    await writeFlushed(files, root, "flushed", "x");
    await files.flushDir(root);
    await writeFlushed(files, root, "no name", "x");
    const file = await files.openWrite(root, "flushed");
    await files.write(file, bytesOf("y"), 0);
    await files.rename(root, "flushed", root, "renamed");
    disk.cutPower();
    expect(disk.tree()).toEqual(["flushed"]);
    expect(textOf(disk.read("flushed")!.bytes)).toBe("x");
    expect(await codeFrom(files.list(root))).toBe("EBADF");
  });

  test("a power cut may also keep names without their content", async () => {
    const disk = createMemoryDisk();
    const files = disk.process();
    const root = await files.openRoot("/");
    await write(files, root, "a", "hello");
    expect(disk.unflushed().map(({ what }) => what)).toEqual(["data", "name"]);
    const [zeros, short, kept] = [disk.copy(), disk.copy(), disk.copy()];
    zeros.cutPower(({ what }) => (what === "data" ? "zeros" : "kept"));
    short.cutPower(({ what }) => (what === "data" ? "short" : "kept"));
    kept.cutPower(keepAll);
    expect([zeros, short, kept].map((each) => textOf(each.read("a")!.bytes))).toEqual([
      "\0\0\0\0\0",
      "he",
      "hello",
    ]);
  });

  test("the two sides of a rename across directories can be lost apart", async () => {
    const disk = createMemoryDisk();
    disk.put("a/x", "1");
    disk.putDir("b");
    const files = disk.process();
    const root = await files.openRoot("/");
    const [a, b] = [await files.openDir(root, "a"), await files.openDir(root, "b")];
    await files.rename(a, "x", b, "x");
    await files.flushDir(b);
    disk.cutPower();
    expect(disk.tree()).toEqual(["a/", "a/x", "b/", "b/x"]);
  });

  test("a folding disk has one name for two spellings, and keeps the first", async () => {
    const disk = createMemoryDisk({ foldsNames: true });
    disk.put("readme.md", "x");
    const files = disk.process();
    const root = await files.openRoot("/");
    expect(await codeFrom(files.create(root, "README.md", 0o644))).toBe("EEXIST");
    await files.rename(root, "readme.md", root, "README.md");
    expect(disk.tree()).toEqual(["README.md"]);
  });

  test("nothing is created in a directory that was removed", async () => {
    const disk = createMemoryDisk();
    disk.putDir("d");
    const files = disk.process();
    const dir = await files.openDir(await files.openRoot("/"), "d");
    disk.remove("d");
    expect(await codeFrom(files.create(dir, "a", 0o600))).toBe("ENOENT");
  });
});

describe("files with injected faults", () => {
  test("every mutating operation is counted with its path, and no other", async () => {
    const { files, trace } = faultFiles(createMemoryDisk().process());
    const root = await files.openRoot("/");
    await files.mkdir(root, "d", 0o755);
    const dir = await files.openDir(root, "d");
    await writeFlushed(files, dir, "a", "x");
    await files.rename(dir, "a", root, "b");
    await files.list(root);
    expect(trace.map(({ name, path, to }) => [name, path, to ?? ""].join(" ").trim())).toEqual([
      "mkdir d",
      "create d/a",
      "write d/a",
      "flush d/a",
      "rename d/a b",
    ]);
    expect(trace.every(({ name }) => mutating.includes(name))).toBe(true);
  });

  test("an error comes once or forever", async () => {
    const once = faultFiles(createMemoryDisk().process(), failAt(0, "EIO", { forever: false })).files;
    const root = await once.openRoot("/");
    expect(await codeFrom(once.mkdir(root, "a", 0o755))).toBe("EIO");
    await once.mkdir(root, "a", 0o755);
    const forever = faultFiles(createMemoryDisk().process(), failAt(0, "EIO", { forever: true })).files;
    const other = await forever.openRoot("/");
    expect(await codeFrom(forever.mkdir(other, "a", 0o755))).toBe("EIO");
    expect(await codeFrom(forever.mkdir(other, "a", 0o755))).toBe("EIO");
  });

  test("a short write reports how many bytes it wrote", async () => {
    const { files } = faultFiles(createMemoryDisk().process(), shortWrites(2));
    const root = await files.openRoot("/");
    const file = await files.create(root, "a", 0o600);
    expect(await files.write(file, bytesOf("hello"), 0)).toBe(2);
    expect(textOf(await files.read(file, 0, 9))).toBe("he");
  });

  test("a crashed process does nothing any more", async () => {
    const disk = createMemoryDisk();
    const { files } = faultFiles(disk.process(), crashAt(1));
    const root = await files.openRoot("/");
    await files.mkdir(root, "a", 0o755);
    await expect(files.mkdir(root, "b", 0o755)).rejects.toThrow("before mkdir b");
    await expect(files.list(root)).rejects.toThrow("has ended");
    expect(disk.tree()).toEqual(["a/"]);
  });
});

function onDisk(files: Files): Machine {
  const root = newDirectory();
  return {
    files,
    root,
    putLink: (name, target) => symlinkSync(target, join(root, name)),
    putPipe: (name) => execFileSync("mkfifo", [join(root, name)]),
  };
}

function inMemory(): Machine {
  const disk = createMemoryDisk();
  return { files: disk.process(), root: "/", putLink: disk.putLink, putPipe: disk.putSpecial };
}

/** The same machine behind a port that injects no faults. */
function spoiled(machine: Machine): Machine {
  return { ...machine, files: faultFiles(machine.files).files };
}

/** Larger than a short transfer, so operations wait for a thread. */
const longTransfer = 4 << 20;

/** Reuses the numbers of closed descriptors. */
function openSeveral<T>(open: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 5 }, open));
}

function newDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "suture-files-")));
  mkdirSync(path, { recursive: true });
  made.push(path);
  return path;
}

async function write(files: Files, dir: Dir, name: string, text: string): Promise<void> {
  const file = await files.create(dir, name, 0o644);
  await files.write(file, bytesOf(text), 0);
  await files.close(file);
}

async function writeFlushed(files: Files, dir: Dir, name: string, text: string): Promise<void> {
  const file = await files.create(dir, name, 0o644);
  await files.write(file, bytesOf(text), 0);
  await files.flush(file);
  await files.close(file);
}

async function contentOf(files: Files, dir: Dir, name: string): Promise<string> {
  const file = await files.openRead(dir, name);
  const bytes = await files.read(file, 0, 1000);
  await files.close(file);
  return textOf(bytes);
}

async function codeFrom(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(() => "no error", codeOf);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
