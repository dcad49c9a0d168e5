import { describe, expect, test } from "vitest";
import { Crash, faultFiles } from "../files/faulty-files.ts";
import type { MemoryDisk } from "../files/memory-files.ts";
import { parseRecords, printRecord } from "../journal/records.ts";
import { codeFrom, commitEdits, create, openTestBench, quote, type TestBench, value } from "../testing.ts";
import { openReader, openWorkspace } from "../workspace.ts";

const both = [quote("a.md", "a", "A"), quote("b.md", "b", "B")];

describe("recovery after a crash between two files", () => {
  test("the next caller finishes a transaction whose files are all staged", async () => {
    const bench = await halfway();
    await reopen(bench.disk);
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["A", "B"]);
    expect((await (await reopen(bench.disk)).history()).map(({ id, state }) => [id, state])).toEqual([
      ["2", "committed"],
      ["1", "committed"],
    ]);
  });

  test("a file that another program changed since stays, the others are rolled back, and every version is kept", async () => {
    const bench = await halfway();
    bench.disk.put("b.md", "mine");
    const workspace = await reopen(bench.disk);
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["a", "mine"]);
    const [entry] = await workspace.history();
    expect(entry).toMatchObject({ id: "2", state: "aborted" });
    expect(text(value(await workspace.readImage("2", "b.md", "before")))).toBe("b");
    expect(text(value(await workspace.readImage("2", "b.md", "after")))).toBe("B");
    expect(await workspace.doctor()).toEqual([]);
    expect(value(await workspace.gc()).removed).toEqual([]);
    expect(text(value(await workspace.readImage("2", "b.md", "after")))).toBe("B");
  });

  test("the same holds if the changed file was already replaced", async () => {
    const bench = await halfway();
    bench.disk.put("a.md", "A, and mine");
    await reopen(bench.disk);
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["A, and mine", "b"]);
  });

  test("a transaction without its staged files is rolled back", async () => {
    const bench = await halfway();
    for (const path of bench.disk.tree()) if (/stage\/.*new$/.test(path)) bench.disk.remove(path);
    await reopen(bench.disk);
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["a", "b"]);
  });

  test("a journal with a wrong checksum is not applied, its paths stay locked, and doctor sets it aside", async () => {
    const bench = await halfway();
    const journal = ".suture/journal/000002.pending";
    bench.disk.put(journal, bench.text(journal)!.replace('"author":"me"', '"author":"ME"'), 0o600);
    const workspace = await reopen(bench.disk);
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["A", "b"]);
    const other = await bench.another({ files: bench.disk.process() });
    expect(codeFrom(await other.commit([quote("b.md", "b", "x")]))).toBe("unavailable");
    expect(
      (await workspace.doctor()).map(({ what, subject, repaired }) => [what, subject, repaired]),
    ).toEqual([["doubtful", "2", false]]);
    expect((await workspace.doctor({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
    expect(await workspace.doctor()).toEqual([]);
    expect(bench.disk.tree()).toContain(".suture/journal/000002.doubtful");
    value(await other.commit([quote("b.md", "b", "x")]));
  });

  test("a forged journal that names paths outside the root is not applied", async () => {
    for (const path of ["../x", "/etc/x", ".git/config", "a/../../x"]) {
      const bench = await halfway();
      forge(bench, (intent) => intent.replaceAll('"path":"b.md"', `"path":${JSON.stringify(path)}`));
      const workspace = await reopen(bench.disk);
      expect((await workspace.doctor()).map(({ what }) => what)).toEqual(["doubtful"]);
      expect(bench.disk.read("x")).toBeNull();
    }
    const bench = await halfway();
    forge(bench, (intent) => intent.replace(/"staged":"[^"]*"/, '"staged":"../../../etc/passwd"'));
    expect((await (await reopen(bench.disk)).doctor()).map(({ what }) => what)).toEqual(["doubtful"]);
  });

  test("a journal of a newer version is not applied", async () => {
    const bench = await halfway();
    const journal = ".suture/journal/000002.pending";
    const future = "suture-journal 2 begin 1 2";
    const hash = process.getBuiltinModule("node:crypto").hash("sha256", `\n${future}\n{}`, "hex");
    bench.disk.put(journal, `${future} ${hash}\n{}\n`, 0o600);
    const workspace = await reopen(bench.disk);
    expect(await workspace.doctor()).toMatchObject([
      { what: "doubtful", detail: "a newer version wrote it" },
    ]);
  });

  test("after state is copied from elsewhere, unfinished work is ignored and finished work is adopted", async () => {
    const bench = await halfway();
    const stamp = bench.text(".suture/state.json")!;
    bench.disk.put(".suture/state.json", stamp.replace('"host":"memory"', '"host":"elsewhere"'), 0o600);
    const workspace = await reopen(bench.disk);
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["A", "b"]);
    expect(await workspace.doctor()).toMatchObject([
      { what: "doubtful", detail: expect.stringContaining("copied from another folder") },
    ]);
    const calm = await openTestBench({ "a.md": "a" });
    value(await calm.commit([quote("a.md", "a", "A")]));
    calm.disk.put(".suture/state.json", stamp.replace('"host":"memory"', '"host":"elsewhere"'), 0o600);
    calm.disk.remove(".suture/lock");
    const moved = await reopen(calm.disk);
    value(await moved.undo({ last: true }, { author: "me" }));
    expect(calm.text("a.md")).toBe("a");
  });

  test("a journal that was cut short before its commit record, with files already changed, is doubtful", async () => {
    const bench = await halfway();
    const journal = ".suture/journal/000002.pending";
    const bytes = bench.disk.read(journal)!.bytes;
    const cut = new TextDecoder().decode(bytes).indexOf("suture-journal 1 commit");
    bench.disk.put(journal, bytes.subarray(0, cut), 0o600);
    const workspace = await reopen(bench.disk);
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["A", "b"]);
    expect((await workspace.doctor()).map(({ what }) => what)).toEqual(["doubtful"]);
  });

  test("an undo after a crash runs on a recovered workspace", async () => {
    const bench = await halfway();
    const other = await bench.another({ files: bench.disk.process() });
    value(await other.workspace.undo({ last: true }, { author: "me" }));
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["a", "b"]);
  });

  test("a reader recovers too, and reads whole files where recovery is impossible", async () => {
    const bench = await halfway();
    const refusing = faultFiles(bench.disk.process(), () => ({ fault: "error", code: "EROFS" })).files;
    const blocked = value(await openReader("/", { files: refusing }));
    expect(value(await blocked.read("a.md")).text).toBe("A");
    value(await openReader("/", { files: bench.disk.process() }));
    expect(bench.text("b.md")).toBe("B");
  });
});

/** A commit of two files, killed right after the first was replaced. */
async function halfway(): Promise<TestBench> {
  const bench = await openTestBench({ "a.md": "a", "b.md": "b" });
  value(await bench.commit([create("first.md", "")]));
  bench.disk.kill(bench.files);
  const process = bench.disk.process();
  const { files } = faultFiles(process, (_index, { name, to }) =>
    name === "rename" && to === "b.md" ? { fault: "crash" } : null,
  );
  const workspace = value(await openWorkspace("/", { files }));
  await expect(commitEdits(workspace, both)).rejects.toThrow(Crash);
  bench.disk.kill(process);
  expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["A", "b"]);
  return bench;
}

async function reopen(disk: MemoryDisk) {
  return value(await openWorkspace("/", { files: disk.process() }));
}

/** Rewrites the log with another intent and correct checksums, as an attacker who knows the format would. */
function forge(bench: TestBench, change: (intent: string) => string): void {
  const journal = ".suture/journal/000002.pending";
  let hash = "";
  let forged = "";
  for (const { type, epoch, body } of parseRecords(bench.disk.read(journal)!.bytes).records) {
    const forgedBody = type === "begin" ? JSON.parse(change(JSON.stringify(body))) : body;
    const record = printRecord({ type, epoch, body: forgedBody, previous: hash });
    forged += record.text;
    hash = record.hash;
  }
  bench.disk.put(journal, forged, 0o600);
}

function text(bytes: Uint8Array | null): string | null {
  return bytes && new TextDecoder().decode(bytes);
}
