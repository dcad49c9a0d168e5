import { expect, test } from "vitest";
import { anchorOf } from "../text/patch/anchored-lines.ts";
import { SessionMemory } from "./session-memory.ts";
import { type Desk, openDesk } from "./testing.ts";

const ten = Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join("");
const at = (line: number, text = `line ${line}`): string => anchorOf(line, text);

async function openAnchored(text: string): Promise<Desk> {
  const desk = await openDesk({ "f.txt": text }, { strict: true, memory: new SessionMemory() });
  const read = await desk.call("read_file", { path: "f.txt", anchors: true });
  expect(read.output.split("\n")[0]).toBe(
    `${anchorOf(1, text.split("\n")[0]!.replace("\uFEFF", ""))}|${text.split("\n")[0]!.replace("\uFEFF", "")}`,
  );
  return desk;
}

const patch = (...rows: string[]) => ({
  patch: `*** Begin Patch\n*** Update File: f.txt\n${rows.join("\n")}\n*** End Patch\n`,
});

type Row = readonly [
  title: string,
  rows: readonly string[],
  change: (text: string) => string,
  after: ((text: string) => string) | null,
];

const rows: readonly Row[] = [
  [
    "a line is replaced",
    [`-${at(3)}|`, "+three"],
    (text) => text,
    (text) => text.replace("line 3\n", "three\n"),
  ],
  [
    "a row may be copied with its text",
    [` ${at(2)}|line 2`, `-${at(3)}|line 3`, "+three"],
    (text) => text,
    (text) => text.replace("line 3\n", "three\n"),
  ],
  [
    "a range is one row",
    [`-${at(3)}..${at(9)}|`, "+three to nine"],
    (text) => text,
    () => "line 1\nline 2\nthree to nine\nline 10\n",
  ],
  [
    "lines are inserted before and after a line",
    ["+before", ` ${at(5)}|`, "+after"],
    (text) => text,
    (text) => text.replace("line 5\n", "before\nline 5\nafter\n"),
  ],
  [
    "rows with a gap are two places",
    [`-${at(2)}|`, "+two", `-${at(8)}|`, "+eight"],
    (text) => text,
    (text) => text.replace("line 2\n", "two\n").replace("line 8\n", "eight\n"),
  ],
  [
    "rows with text and rows with anchors may stand side by side",
    [" line 2", "-line 3", "+three", ` ${at(4)}|`, "+after four", "-line 8", "+eight"],
    (text) => text,
    (text) =>
      text
        .replace("line 3\n", "three\n")
        .replace("line 4\n", "line 4\nafter four\n")
        .replace("line 8", "eight"),
  ],
  [
    "another program has written above",
    [`-${at(3)}|`, "+three"],
    (text) => `line 3\n${text}`,
    (text) => text.replace(/(line 2\n)line 3\n/, "$1three\n"),
  ],
  [
    "another program has changed the line",
    [`-${at(3)}|`, "+three"],
    (text) => text.replace("line 3", "3"),
    null,
  ],
  [
    "another program has changed a line inside a range",
    [`-${at(3)}..${at(9)}|`, "+x"],
    (text) => text.replace("line 5", "five"),
    null,
  ],
  ["an anchor that no reading has shown", [`-3:${at(4).slice(2)}|`, "+three"], (text) => text, null],
  ["a text that is not the one of the anchor", [`-${at(3)}|line 4`, "+three"], (text) => text, null],
  ["a range that is the wrong way round", [`-${at(9)}..${at(3)}|`, "+x"], (text) => text, null],
];

test.each(rows)("anchors stand for lines that a session has read: %s", async (_, body, change, after) => {
  const desk = await openAnchored(ten);
  desk.disk.put("f.txt", change(ten));
  const result = await desk.call("apply_patch", patch(...body));
  expect(result).toMatchObject(after ? { success: true } : { success: false, code: "stale" });
  expect(desk.text("f.txt")).toBe(after ? after(change(ten)) : change(ten));
});

test("the answer of an edit has anchors, and earlier ones stay good", async () => {
  const desk = await openAnchored(ten);
  const first = await desk.call("apply_patch", patch(` ${at(2)}|`, "+a", "+b"));
  expect(first.output).toContain(`${anchorOf(3, "a")}|a`);
  await desk.call("apply_patch", patch(`-${at(8)}|`, "+eight"));
  await desk.call("apply_patch", patch(`-${anchorOf(4, "b")}|`, "+B"));
  expect(desk.text("f.txt")).toBe(ten.replace("line 2\n", "line 2\na\nB\n").replace("line 8", "eight"));
});

test("anchors that mean one line before an edit and another one after it are refused", async () => {
  const desk = await openAnchored("a\n}\n}\n}\nb\n");
  await desk.call("apply_patch", patch(`-${at(1, "a")}|`, "+a", "+new"));
  const result = await desk.call("apply_patch", patch(`-${at(3, "}")}|`, "+};"));
  expect(result).toMatchObject({ success: false, code: "stale" });
});

test("without a session anchors mean the present text; a byte order mark and CRLF stay", async () => {
  const text = "\uFEFFone\r\ntwo\r\n";
  const desk = await openDesk({ "f.txt": text });
  await desk.call("apply_patch", patch(`-${at(1, "one")}|`, "+ONE", ` ${at(2, "two")}|`));
  expect(desk.text("f.txt")).toBe("\uFEFFONE\r\ntwo\r\n");
  expect(await desk.call("apply_patch", patch(`-${at(1, "one")}|`, "+x"))).toMatchObject({ code: "stale" });
});

test("an anchor names one of many equal lines", async () => {
  const desk = await openAnchored("a\n\nb\n\nc\n\n}\n}\n");
  await desk.call("apply_patch", patch(` ${at(4, "")}|`, "+new", "+"));
  await desk.call("apply_patch", patch(` ${at(4, "")}|`, "+new", "+"));
  await desk.call("apply_patch", patch(`-${anchorOf(11, "}")}|`, "+};"));
  expect(desk.text("f.txt")).toBe("a\n\nb\n\nnew\n\nnew\n\nc\n\n};\n}\n");
});

test("a text that looks like anchors is a text where a file has it", async () => {
  const desk = await openDesk(
    { "f.txt": "1:abc|one\n2:def|two\n" },
    { strict: true, memory: new SessionMemory() },
  );
  await desk.call("apply_patch", patch(" 1:abc|one", "-2:def|two", "+2:def|2"));
  expect(desk.text("f.txt")).toBe("1:abc|one\n2:def|2\n");
});

test("a line too long to be shown whole can be replaced", async () => {
  const desk = await openAnchored(`a\n${"x".repeat(5000)}\nb\n`);
  await desk.call("apply_patch", patch(`-${anchorOf(2, "x".repeat(5000))}|`, "+short"));
  expect(desk.text("f.txt")).toBe("a\nshort\nb\n");
});

test.each([
  ["apply_patch", (line: string) => patch(`-${at(2, "two")}|`, `+${line}`)],
  ["edit_file", (line: string) => ({ path: "f.txt", old_content: "two", new_content: line })],
  ["insert_at", (line: string) => ({ path: "f.txt", line: 1, content: line })],
])("new text of %s with an anchor before it is refused", async (tool, inputOf) => {
  const desk = await openAnchored("one\ntwo\n");
  const refused = await desk.call(tool, inputOf(`${at(2, "two")}|TWO`));
  expect([refused.code, desk.text("f.txt")]).toEqual(["malformed", "one\ntwo\n"]);
  expect((await desk.call(tool, inputOf("TWO"))).success).toBe(true);
});
