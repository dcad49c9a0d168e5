import { expect, test } from "vitest";
import { openTestBench, value } from "../testing.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const who = { author: "claude", task: "claude-1", reason: "Edit" };

test.each([
  ["an edit", bytes("a\nb\nc\n"), bytes("a\nB\nc\n")],
  ["line endings that were flattened", bytes("a\r\nb\nc\r\n"), bytes("a\nB\nc\n")],
  ["a byte that was destroyed", bytes("caf\xe9\nb\n"), Buffer.from("caf\ufffd\nB\n")],
  ["bytes that are no text", bytes("\0\x01\xff"), bytes("\0\x02\xff\xfe")],
  ["a byte order mark that was lost", Buffer.from("\ufeffa\n"), bytes("b\n")],
])("%s by another program is in the history, and undone to the byte", async (_name, before, after) => {
  const bench = await openTestBench({ "a.md": after });
  const changes = [{ path: "a.md", before: { bytes: before, mode: 0o644 } }];
  const entry = value(await bench.workspace.recordOutside(changes, who));
  expect(entry).toMatchObject({ id: "1", kind: "edit", author: "claude", task: "claude-1", reason: "Edit" });
  expect(Buffer.from(bench.disk.read("a.md")!.bytes)).toEqual(Buffer.from(after));
  expect(await bench.workspace.doctor()).toEqual([]);
  value(await bench.workspace.undo({ entry: "1" }, { author: "me" }));
  expect(Buffer.from(bench.disk.read("a.md")!.bytes)).toEqual(Buffer.from(before));
});

test("a file that another program made is removed by undo, and one that it removed comes back", async () => {
  const bench = await openTestBench({ "new.md": "new\n" });
  const changes = [
    { path: "new.md", before: null },
    { path: "gone.md", before: { bytes: bytes("old\n"), mode: 0o644 } },
  ];
  value(await bench.workspace.recordOutside(changes, who));
  value(await bench.workspace.undo({ last: true }, { author: "me" }));
  expect(bench.paths()).toEqual(["gone.md"]);
  expect(bench.text("gone.md")).toBe("old\n");
});

test("entries of ours and of others form one chain, and each can be undone", async () => {
  const bench = await openTestBench({ "a.md": "one\ntwo\nthree\n" });
  value(
    await bench.commit([{ path: "a.md", target: { quote: "one" }, text: "1", reason: "", evidence: [] }]),
  );
  bench.disk.put("a.md", "1\ntwo\n3\n");
  const changes = [{ path: "a.md", before: { bytes: bytes("1\ntwo\nthree\n"), mode: 0o644 } }];
  value(await bench.workspace.recordOutside(changes, who));
  value(await bench.workspace.undo({ entry: "1" }, { author: "me" }));
  expect(bench.text("a.md")).toBe("one\ntwo\n3\n");
  expect(await bench.workspace.doctor()).toEqual([]);
  const [conflict] = value(
    await bench.workspace.findConflicts("a.md", [{ startLine: 3, endLine: 3 }], { task: "another" }),
  );
  expect(conflict).toMatchObject({ task: "claude-1" });
});

test("a file that is as it was, and names outside the root, are no entry", async () => {
  const bench = await openTestBench({ "a.md": "a\n" });
  const record = (path: string) =>
    bench.workspace.recordOutside([{ path, before: { bytes: bytes("a\n"), mode: 0o644 } }], who);
  expect(await record("a.md")).toMatchObject({ ok: false, refusal: { code: "no-change" } });
  expect(await record("../a.md")).toMatchObject({ ok: false, refusal: { code: "outside" } });
  expect(await record(".git/config")).toMatchObject({ ok: false, refusal: { code: "protected" } });
  expect(await bench.workspace.history()).toEqual([]);
});
