import { describe, expect, test } from "vitest";
import { crashAt, faultFiles } from "../files/faulty-files.ts";
import type { Files } from "../files/files.ts";
import { codeFrom, create, openTestBench, quote, remove, type TestBench, value } from "../testing.ts";
import { openReader, openWorkspace } from "../workspace.ts";

const me = { author: "me" };

describe("collecting garbage", () => {
  test("gc keeps every saved copy that an entry needs, also when it runs again", async () => {
    const bench = await withHistory();
    const before = bench.disk.tree().filter((path) => path.includes("blobs/"));
    const report = value(await bench.workspace.gc());
    expect(report).toMatchObject({ removed: [], before: report.after });
    expect(bench.disk.tree().filter((path) => path.includes("blobs/"))).toEqual(before);
  });

  test("gc removes saved copies that no entry needs, and keeps bytes that another program wrote", async () => {
    const bench = await withHistory();
    const [useless, rescued] = ["1", "2"].map((digit) => digit.repeat(64));
    bench.disk.put(`.suture/backups/blobs/${useless}`, "left over", 0o600);
    bench.disk.put(`.suture/backups/blobs/${rescued}`, "theirs", 0o600);
    bench.disk.put(`.suture/backups/blobs/${rescued}.keep`, "", 0o600);
    expect(value(await bench.workspace.gc({ dryRun: true })).removed).toEqual([useless]);
    expect(value(await bench.workspace.gc()).removed).toEqual([useless]);
    expect(bench.text(`.suture/backups/blobs/${rescued}`)).toBe("theirs");
  });

  test("an entry below the gc horizon can no longer be undone, and says so; later entries can", async () => {
    const bench = await withHistory();
    value(await bench.workspace.gc({ forget: { before: "3" } }));
    expect(await bench.workspace.readImage("1", "a.md", "before")).toMatchObject({
      ok: false,
      refusal: { detail: "gc has removed the saved copies of entry 1" },
    });
    expect((await bench.workspace.history()).map(({ id }) => id)).toEqual(["4", "3", "2", "1"]);
    expect(bench.disk.tree().filter((path) => /backups\/[12]\//.test(path))).toEqual([]);
    value(await bench.workspace.undo({ entry: "4" }, me));
    value(await bench.workspace.undo({ entry: "3" }, me));
    expect(await bench.workspace.doctor()).toEqual([]);
  });

  test("a kill at any step loses no saved copy that is needed", async () => {
    const total = await countOperations();
    for (let k = 0; k < total; k++) {
      const bench = await withHistory();
      const process = bench.disk.process();
      const workspace = value(await openWorkspace("/", { files: faultFiles(process, crashAt(k)).files }));
      await workspace.gc({ forget: { before: "3" } }).catch(() => undefined);
      bench.disk.kill(process);
      const after = value(await openWorkspace("/", { files: bench.disk.process() }));
      expect(await after.doctor(), `killed at ${k}`).toEqual([]);
      value(await after.readImage("3", "a.md", "before"));
      value(await after.gc({ forget: { before: "3" } }));
      value(await after.undo({ entry: "4" }, me));
      value(await after.undo({ entry: "3" }, me));
    }
    async function countOperations(): Promise<number> {
      const bench = await withHistory();
      const { files, trace } = faultFiles(bench.disk.process());
      const workspace = value(await openWorkspace("/", { files }));
      value(await workspace.gc({ forget: { before: "3" } }));
      return trace.length;
    }
  });

  test("the state grows with the size of the changes, not of the project", async () => {
    const bench = await openTestBench({ "a.md": "x".repeat(20_000), "b.md": "y".repeat(500_000) });
    for (let i = 0; i < 10; i++)
      value(await bench.commit([quote("a.md", i === 0 ? "x".repeat(20_000) : `${i - 1}\n`, `${i}\n`)]));
    const { after } = value(await bench.workspace.gc());
    expect(after).toBeLessThan(10 * 1500 + 2.2 * 20_000);
  });
});

test("a long history is read from its end, only as far as requested", async () => {
  const bench = await openTestBench({ "a.md": "0\n" });
  for (let i = 1; i <= 60; i++) value(await bench.commit([quote("a.md", `${i - 1}\n`, `${i}\n`)]));
  const inner = bench.disk.process();
  let opened = 0;
  const files: Files = {
    ...inner,
    openRead: (dir, name) => {
      opened++;
      return inner.openRead(dir, name);
    },
  };
  const reader = value(await openReader("/", { files }));
  opened = 0;
  expect((await reader.history({ limit: 3 })).map(({ id }) => id)).toEqual(["60", "59", "58"]);
  expect(opened).toBeLessThan(8);
});

describe("the doctor", () => {
  test("a healthy workspace, or none yet, gets no findings", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    expect(await bench.workspace.doctor()).toEqual([]);
    value(await bench.commit([quote("a.md", "x", "y")]));
    expect(await bench.workspace.doctor()).toEqual([]);
  });

  test("a changed, removed or reordered entry is detected", async () => {
    const name = (number: number): string => `.suture/journal/00000${number}.journal`;
    const changed = await withHistory();
    changed.disk.put(name(2), changed.text(name(2))!.replace('"me"', '"you"'), 0o600);
    expect(
      (await changed.workspace.doctor()).filter(({ what }) => what === "chain").map(({ subject }) => subject),
    ).toEqual(["2", "3"]);
    const removed = await withHistory();
    removed.disk.remove(name(2));
    expect(await removed.workspace.doctor()).toMatchObject([{ what: "chain", subject: "3" }]);
    const last = await withHistory();
    last.disk.remove(name(4));
    expect(await last.workspace.doctor()).toMatchObject([{ what: "chain", subject: "4" }]);
    const swapped = await withHistory();
    const [two, three] = [swapped.text(name(2))!, swapped.text(name(3))!];
    swapped.disk.put(name(2), three, 0o600);
    swapped.disk.put(name(3), two, 0o600);
    expect((await swapped.workspace.doctor()).map(({ what }) => what)).toContain("chain");
  });

  test("doctor repairs leftovers, permissions and missing backup files", async () => {
    const bench = await withHistory();
    bench.disk.put(".suture/stage/0f.new", "no transaction needs it", 0o600);
    bench.disk.remove(".suture/backups/1");
    const dir = await bench.files.openDir(await bench.files.openRoot("/"), ".suture");
    await bench.files.setMode(dir, 0o755);
    expect((await bench.workspace.doctor()).map(({ what, repaired }) => [what, repaired])).toEqual([
      ["access", false],
      ["stray", false],
    ]);
    expect((await bench.workspace.doctor({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
    expect(await bench.workspace.doctor()).toEqual([]);
    expect(bench.text(".suture/backups/1/a.md.bak")).toBe("0\n");
  });

  test("a lock of another host is shown, and only a person can break it", async () => {
    const bench = await withHistory();
    const otherHost = { host: "elsewhere", boot: "9", namespace: "n", pid: 7, started: "1" };
    bench.disk.put(".suture/lock/lock-99", JSON.stringify(otherHost), 0o600);
    bench.disk.put(".suture/stage/0f.new", "its owner needs it", 0o600);
    expect(await bench.workspace.doctor()).toMatchObject([
      { what: "lock", subject: "process 7 on elsewhere", repaired: false },
    ]);
    expect(codeFrom(await bench.commit([create("n.md", "")]))).toBe("locked");
    expect(await bench.workspace.doctor({ breakLock: true })).toMatchObject([
      { what: "lock", repaired: true },
    ]);
    value(await bench.commit([create("n.md", "")]));
  });
});

async function withHistory(): Promise<TestBench> {
  const bench = await openTestBench({ "a.md": "0\n" });
  for (const n of [1, 2, 3]) value(await bench.commit([quote("a.md", `${n - 1}\n`, `${n}\n`)]));
  value(await bench.commit([create("b.md", "b"), remove("a.md")]));
  return bench;
}
