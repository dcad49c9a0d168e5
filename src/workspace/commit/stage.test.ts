import { expect, test } from "vitest";
import { faultFiles, type Operation } from "../files/faulty-files.ts";
import { createMemoryDisk } from "../files/memory-files.ts";
import { openTestBench, quote, value } from "../testing.ts";

test.each([1, 3, 200])(
  "a transaction of %d files flushes each old and each new file once, and six times besides",
  async (count) => {
    const { commit, trace } = await traced(count, (i) => `page ${i}`);
    value(await commit());
    const flushes = trace().filter(({ name }) => name === "flush" || name === "flushDir");
    expect(flushes).toHaveLength(2 * count + 6);
  },
);

test("old files with the same bytes are saved, flushed and restricted once", async () => {
  const { bench, commit, trace } = await traced(20, () => "page");
  value(await commit());
  const copies = trace().filter(({ path, to }) => (to ?? path).includes("/blobs/"));
  expect(copies.map(({ name }) => name)).toEqual(["link", "flush", "setMode"]);
  const [saved] = bench.disk.tree().filter((path) => path.startsWith(".suture/backups/2/"));
  expect(saved).toBeDefined();
  const undone = value(await bench.workspace.undo({ last: true }, { author: "me" }));
  expect(undone.files).toHaveLength(20);
  expect(bench.text("f7.md")).toBe("page");
});

test("the first file is flushed before the last one is written", async () => {
  const { commit, trace } = await traced(3, (i) => `page ${i}`);
  value(await commit());
  const staged = trace().filter(({ path }) => path.startsWith(".suture/stage/"));
  const [first] = staged.map(({ path }) => path);
  const flushed = staged.findIndex(({ name, path }) => name === "flush" && path === first);
  const created = staged.findLastIndex(({ name }) => name === "create");
  expect(flushed).toBeGreaterThan(0);
  expect(flushed).toBeLessThan(created);
});

/** A bench whose second commit changes every file, and the operations of that commit. */
async function traced(count: number, textOf: (i: number) => string) {
  const disk = createMemoryDisk();
  const { files, trace } = faultFiles(disk.process());
  const pages = Array.from({ length: count }, (_, i) => [`f${i}.md`, textOf(i)] as const);
  const bench = await openTestBench({ ...Object.fromEntries(pages), "other.md": "a" }, { files }, disk);
  value(await bench.commit([quote("other.md", "a", "b")]));
  const before = trace.length;
  return {
    bench,
    commit: () => bench.commit(pages.map(([path]) => quote(path, "page", "leaf"))),
    trace: (): readonly Operation[] => trace.slice(before),
  };
}
