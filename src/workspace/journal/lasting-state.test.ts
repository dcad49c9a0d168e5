import { describe, expect, test } from "vitest";
import { crashAt, faultFiles } from "../files/faulty-files.ts";
import { type Files, FilesError } from "../files/files.ts";
import type { MemoryDisk } from "../files/memory-files.ts";
import { codeFrom, openTestBench, quote, remove, type TestBench, value } from "../testing.ts";
import { openReader, openWorkspace } from "../workspace.ts";

const me = { author: "me" };
const large = `counter 0\n${"a line of a large file\n".repeat(8000)}`;

describe("the copies of a large file", () => {
  test("a small edit costs kilobytes, and every version can still be read", async () => {
    const bench = await openTestBench({ "a.md": large });
    await count(bench, 1, 30);
    expect(copies(bench.disk)).toHaveLength(2);
    expect(sizeOfState(bench.disk)).toBeLessThan(2.1 * large.length + 30 * 4096);
    for (let i = 1; i <= 30; i++) {
      const old = value(await bench.workspace.readImage(String(i), "a.md", "before"));
      expect(new TextDecoder().decode(old!)).toBe(large.replace("counter 0", `counter ${i - 1}`));
    }
    expect(await bench.workspace.doctor()).toEqual([]);
    for (let i = 30; i > 0; i--) value(await bench.workspace.undo({ entry: String(i) }, me));
    expect(bench.text("a.md")).toBe(large);
  });

  test("the bytes that another program wrote keep their copy", async () => {
    const bench = await openTestBench({ "a.md": large });
    await count(bench, 1, 3);
    bench.disk.put("a.md", large.replace("counter 0", "counter 3, by hand"));
    await count(bench, 4, 8, "3, by hand");
    const byHand = value(await bench.workspace.readImage("4", "a.md", "before"));
    expect(new TextDecoder().decode(byHand!)).toContain("by hand");
    expect(value(await bench.workspace.readImage("3", "a.md", "before"))).not.toBeNull();
    expect(await bench.workspace.doctor()).toEqual([]);
  });

  test("a collection that only counts names what a real one removes", async () => {
    const middle = "counter 0\n".padEnd(32_000, "A line of a page.\n");
    const bench = await openTestBench({ "a.md": middle });
    await count(bench, 1, 12);
    const told = value(await bench.workspace.gc({ dryRun: true }));
    expect(copies(bench.disk)).toHaveLength(12);
    const done = value(await bench.workspace.gc());
    expect(told.removed.length).toBeGreaterThan(5);
    expect([...told.removed].sort()).toEqual([...done.removed].sort());
    expect(Math.abs(told.after - done.after)).toBeLessThan(4096);
  });

  test("a copy that another file needs stays available", async () => {
    const bench = await openTestBench({ "a.md": large });
    await count(bench, 1, 2);
    bench.disk.put("b.md", bench.text("a.md")!);
    value(await bench.commit([remove("b.md")]));
    bench.disk.remove(".suture/backups/3");
    await count(bench, 3, 6);
    value(await bench.workspace.undo({ entry: "3" }, me));
    expect(bench.text("b.md")).toBe(large.replace("counter 0", "counter 2"));
  });

  test("a kill at any step of an edit or a collection loses no version", async () => {
    const before = await openTestBench({ "a.md": large });
    await count(before, 1, 3);
    for (let k = 0; ; k++) {
      const disk = before.disk.copy();
      const process = disk.process();
      const { files, trace } = faultFiles(process, crashAt(k));
      const opened = await openWorkspace("/", { files }).catch(() => null);
      if (opened?.ok) {
        const bench = await openTestBench({}, { files }, disk);
        await bench.commit([quote("a.md", "counter 3\n", "counter 4\n")]).catch(() => undefined);
        await bench.workspace.gc().catch(() => undefined);
      }
      disk.kill(process);
      const after = value(await openWorkspace("/", { files: disk.process() }));
      expect(await after.doctor(), `killed at ${k}`).toEqual([]);
      for (const id of ["1", "2", "3"]) value(await after.readImage(id, "a.md", "before"));
      if (trace.length < k) break;
    }
  });
});

test("entries go when the state is too large, but not the way back to the user's bytes", async () => {
  const bench = await openTestBench({ "a.md": "counter 0\n" }, { quota: 2_200_000, durability: "fast" });
  await count(bench, 1, 1400);
  const history = await bench.workspace.history();
  expect(history.length).toBeLessThan(1300);
  expect(history.map(({ id }) => id).slice(0, 1000)).toEqual(
    Array.from({ length: 1000 }, (_, i) => String(1400 - i)),
  );
  expect(history.at(-1)?.id).toBe("1");
  expect(await bench.workspace.doctor()).toEqual([]);
  value(await bench.workspace.undo({ entry: "1400" }, me));
  value(await bench.workspace.restore("a.md", "1", me));
  expect(bench.text("a.md")).toBe("counter 0\n");
  expect(codeFrom(await bench.workspace.undo({ entry: "2" }, me))).toBe("not-found");
});

test("on a full disk an edit is refused, and undo and gc still work", async () => {
  const bench = await openTestBench({ "a.md": large });
  await count(bench, 1, 3);
  const full = await bench.another({ files: withRoom(bench.disk, 1000) });
  expect(await full.commit([quote("a.md", "counter 3\n", "counter 4\n")])).toMatchObject({
    refusal: { errno: "ENOSPC" },
  });
  value(await full.workspace.undo({ last: true }, me));
  expect(bench.text("a.md")).toBe(large.replace("counter 0", "counter 2"));
  value(await full.workspace.gc());
  expect(await bench.workspace.doctor()).toEqual([]);
});

test("one entry, its undo and its diff open few files, however long the history is", async () => {
  const bench = await openTestBench({ "a.md": "counter 0\n", "b.md": "b" }, { durability: "fast" });
  value(await bench.commit([quote("b.md", "b", "B")]));
  await count(bench, 1, 300);
  let opened = 0;
  const inner = bench.disk.process();
  const counting: Files["openRead"] = (dir, name) => {
    opened++;
    return inner.openRead(dir, name);
  };
  const files: Files = { ...inner, openRead: counting };
  const reader = value(await openReader("/", { files }));
  opened = 0;
  expect(value(await reader.entry("1")).undone).toBe(false);
  value(await reader.entryPlan("1"));
  value(await reader.planUndo({ entry: "1" }));
  expect((await reader.history({ before: "3", limit: 1 })).map(({ id }) => id)).toEqual(["2"]);
  expect((await reader.summaries()).length).toBe(301);
  expect(opened).toBeLessThan(50);
});

test("a task reads the index of the journal again only when another process has added to it", async () => {
  const bench = await openTestBench({ "a.md": "one\ntwo\nthree\n" });
  let opened = 0;
  const inner = bench.disk.process();
  const files: Files = {
    ...inner,
    openRead: (dir, name) => {
      if (name === "entries") opened++;
      return inner.openRead(dir, name);
    },
  };
  const server = await bench.another({ files });
  const edit = async (from: string, to: string): Promise<void> =>
    void value(await server.commit([quote("a.md", from, to)], { task: "mine", run: "r" }));
  await edit("one", "1");
  await edit("1", "one");
  opened = 0;
  await edit("one", "1");
  await edit("1", "one");
  expect(opened).toBe(0);
  value(await bench.commit([quote("a.md", "three", "3")], { task: "theirs", run: "r" }));
  expect(codeFrom(await server.commit([quote("a.md", "3", "three")], { task: "mine", run: "r" }))).toBe(
    "conflict",
  );
  expect(opened).toBe(1);
});

/** Edits a file once for each number. */
async function count(bench: TestBench, from: number, to: number, old = String(from - 1)): Promise<void> {
  for (let i = from; i <= to; i++)
    value(await bench.commit([quote("a.md", `counter ${i === from ? old : i - 1}\n`, `counter ${i}\n`)]));
}

function copies(disk: MemoryDisk): string[] {
  return disk.tree().filter((path) => /blobs\/[0-9a-f]{64}$/.test(path));
}

/** The size of all files of the state, each file once, without the reserve. */
function sizeOfState(disk: MemoryDisk): number {
  const paths = disk.tree().filter((path) => path.startsWith(".suture/") && !path.endsWith("/"));
  return paths
    .filter((path) => path !== ".suture/reserve")
    .reduce((sum, path) => sum + disk.read(path)!.bytes.length / disk.read(path)!.links, 0);
}

/** A process on a disk with so many free bytes. */
function withRoom(disk: MemoryDisk, free: number): Files {
  const inner = disk.process();
  const used = (): number =>
    disk
      .tree()
      .filter((path) => !path.endsWith("/"))
      .reduce((sum, path) => sum + disk.read(path)!.bytes.length / disk.read(path)!.links, 0);
  const capacity = used() + free;
  return {
    ...inner,
    write: async (file, bytes, position) => {
      if (used() + bytes.length > capacity) throw new FilesError("ENOSPC", "write");
      return inner.write(file, bytes, position);
    },
  };
}
