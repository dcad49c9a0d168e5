import { describe, expect, test } from "vitest";
import { SessionMemory } from "./session-memory.ts";
import { type Desk, openDesk } from "./testing.ts";

const ten = Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join("");

/** A desk whose calls belong to one session. */
async function openSession(text: string): Promise<Desk> {
  const desk = await openDesk({ "f.txt": text }, { strict: true, memory: new SessionMemory() });
  await desk.call("read_file", { path: "f.txt" });
  return desk;
}

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const quote = (old_content: string, new_content: string): Call => ["edit_file", { old_content, new_content }];
const insert = (line: number): Call => ["insert_at", { line, content: "NEW" }];
const patch = (body: string): Call => ["patch_file", { patch: body }];

/** What another program makes of ten lines, the call of a session that has seen the ten, and the text after it. */
const rows: [string, (text: string) => string, Call, string | null][] = [
  [
    "lines above: an insertion follows its line",
    (text) => `top 1\ntop 2\n${text}`,
    insert(5),
    `top 1\ntop 2\n${ten.replace("line 5\n", "line 5\nNEW\n")}`,
  ],
  [
    "lines below: an insertion stays",
    (text) => `${text}more\n`,
    insert(5),
    `${ten.replace("line 5\n", "line 5\nNEW\n")}more\n`,
  ],
  ["the numbered line", (text) => text.replace("line 5", "five"), insert(5), null],
  ["the numbered line is gone", (text) => text.replace("line 5\n", ""), insert(5), null],
  ["the same place", (text) => text.replace("line 5\n", "line 5\nother\n"), insert(5), null],
  [
    "a quoted line that grows is not edited inside",
    (text) => text.replace("line 2\n", "line 2 of ten\n"),
    quote("line 2", "line two"),
    null,
  ],
  [
    "far away: a quotation is found",
    (text) => text.replace("line 9", "nine"),
    quote("line 2\n", "line two\n"),
    ten.replace("line 9", "nine").replace("line 2\n", "line two\n"),
  ],
  [
    "a copy of the quoted text: the one that was served is meant",
    (text) => `line 2\n${text}`,
    quote("line 2\n", "line two\n"),
    `line 2\n${ten.replace("line 2\n", "line two\n")}`,
  ],
  [
    "a line beside the change of a hunk",
    (text) => text.replace("line 6\n", "six\n"),
    patch("@@ -4,3 +4,3 @@\n line 4\n-line 5\n+five\n line 6\n"),
    null,
  ],
  [
    "lines above: a hunk follows its lines",
    (text) => `line 4\nline 5\nline 6\n${text}`,
    patch("@@ -4,3 +4,3 @@\n line 4\n-line 5\n+five\n line 6\n"),
    `line 4\nline 5\nline 6\n${ten.replace("line 5", "five")}`,
  ],
];

describe("a file that another program has changed since", () => {
  test.each(rows)("the session has read it: %s", async (_, change, [tool, input], after) => {
    const desk = await openSession(ten);
    desk.disk.put("f.txt", change(ten));
    const result = await desk.call(tool, { path: "f.txt", ...input });
    expect(result).toMatchObject(after === null ? { success: false, code: "stale" } : { success: true });
    expect(desk.text("f.txt")).toBe(after ?? change(ten));
  });

  test.each(rows)("the caller names the version that it has read: %s", async (_, change, call, after) => {
    const desk = await openDesk({ "f.txt": `${ten}x\n` }, { strict: true });
    // The journal knows a version that an entry has found or written.
    const { version } = await desk.call("edit_file", { path: "f.txt", old_content: "x\n", new_content: "" });
    desk.disk.put("f.txt", change(ten));
    for (const base_version of [version, version?.slice(0, 16)]) {
      desk.disk.put("f.txt", change(ten));
      const result = await desk.call(call[0], { path: "f.txt", ...call[1], base_version });
      expect(result).toMatchObject(after === null ? { success: false } : { success: true });
      expect(desk.text("f.txt")).toBe(after ?? change(ten));
    }
  });

  test("a session may quote the present text, a caller that names an older version may not", async () => {
    const desk = await openSession(ten);
    desk.disk.put("f.txt", ten.replace("line 2\n", "two\n"));
    const edit = { path: "f.txt", old_content: "two\n", new_content: "zwei\n" };
    const { version } = await desk.call("edit_file", edit);
    desk.disk.put("f.txt", ten.replace("line 2\n", "two\n"));
    const named = { ...edit, base_version: version };
    expect(await desk.call("edit_file", named)).toMatchObject({ success: false, code: "stale" });
  });

  test("a refusal tells what the line was and what it is", async () => {
    const desk = await openSession(ten);
    desk.disk.put("f.txt", ten.replace("line 2\n", "line 2 of ten\n"));
    const result = await desk.call("edit_file", { path: "f.txt", old_content: "line 2", new_content: "two" });
    expect(result.hint).toContain('Line 2 was "line 2" and is now "line 2 of ten".');
  });
});

describe("what a session knows", () => {
  test("its own edits, so that the next number counts in the new text", async () => {
    const desk = await openSession(ten);
    await desk.call("insert_at", { path: "f.txt", line: 0, content: "top" });
    await desk.call("insert_at", { path: "f.txt", line: 6, content: "NEW" });
    expect(desk.text("f.txt")).toBe(`top\n${ten.replace("line 5\n", "line 5\nNEW\n")}`);
    desk.disk.put("f.txt", `first\n${desk.text("f.txt")}`);
    await desk.call("insert_at", { path: "f.txt", line: 7, content: "NEXT" });
    expect(desk.text("f.txt")).toContain("line 5\nNEW\nNEXT\n");
  });

  test("lines that it was not shown are taken as they are", async () => {
    const desk = await openDesk({ "f.txt": ten }, { strict: true, memory: new SessionMemory() });
    await desk.call("read_file", { path: "f.txt", start_line: 1, end_line: 3 });
    desk.disk.put("f.txt", ten.replace("line 9\n", "line 9 of ten\n"));
    const edit = { path: "f.txt", old_content: "line 9", new_content: "nine" };
    expect(await desk.call("edit_file", edit)).toMatchObject({ success: true });
  });

  test("an older view of some lines, after it has read others", async () => {
    const desk = await openDesk({ "f.txt": ten }, { strict: true, memory: new SessionMemory() });
    await desk.call("read_file", { path: "f.txt", start_line: 1, end_line: 3 });
    desk.disk.put("f.txt", ten.replace("line 2\n", "line 2 of ten\n"));
    await desk.call("read_file", { path: "f.txt", start_line: 8, end_line: 10 });
    const edit = { path: "f.txt", old_content: "line 2", new_content: "two" };
    expect(await desk.call("edit_file", edit)).toMatchObject({ success: false, code: "stale" });
    await desk.call("read_file", { path: "f.txt", start_line: 1, end_line: 3 });
    expect(await desk.call("edit_file", edit)).toMatchObject({ success: true });
  });

  test("after an undo it may edit what it has restored", async () => {
    const desk = await openSession(ten);
    const edit = { path: "f.txt", old_content: "line 2\n", new_content: "two\n" };
    await desk.call("edit_file", edit);
    await desk.call("undo", {});
    expect(await desk.call("edit_file", edit)).toMatchObject({ success: true });
  });
});

test("the text of a page shows its version, and an edit may name it", async () => {
  const desk = await openDesk({ "f.txt": ten });
  const read = await desk.call("read_file", { path: "f.txt" });
  const [, shown] = /\(version (\w+)\)$/.exec(read.output)!;
  expect(read.version).toContain(shown);
  const edit = { path: "f.txt", old_content: "line 2\n", new_content: "two\n", base_version: shown };
  expect(await desk.call("edit_file", edit)).toMatchObject({ success: true });
  expect(
    await desk.call("edit_file", { ...edit, old_content: "line 3\n", base_version: "0123456789abcdef" }),
  ).toMatchObject({ success: false, code: "stale" });
});
