import { describe, expect, test } from "vitest";
import { crashAt, faultFiles } from "../workspace/files/faulty-files.ts";
import { createMemoryDisk } from "../workspace/files/memory-files.ts";
import { createFileEditTracker } from "../workspace/tasks/tasks.ts";
import { openDesk } from "./testing.ts";

const hundred = Array.from({ length: 100 }, (_, i) => `line ${i + 1}`)
  .join("\n")
  .concat("\n");

/** Two tasks of one run over the same folder, as two processes would have it. */
async function twoTasks(text: string) {
  const disk = createMemoryDisk();
  const first = await openDesk({ f: text }, { task: "a", run: "r" }, disk);
  const second = await openDesk({}, { task: "b", run: "r" }, disk);
  const third = await openDesk({}, { task: "c", run: "r" }, disk);
  return { first, second, third };
}

const edit = (old_content: string, new_content: string) => ({ path: "f", old_content, new_content });

describe("tasks and conflicts through the tools", () => {
  test("lines outside 45–60 stay after another task edits 45–60", async () => {
    const { first, second } = await twoTasks(hundred);
    await first.call("edit_file", edit("line 1\n", "LINE ONE\n"));
    const old = Array.from({ length: 16 }, (_, i) => `line ${45 + i}`).join("\n");
    expect((await second.call("edit_file", edit(old, "forty-five to sixty"))).success).toBe(true);
    expect(second.text("f")).toBe(
      hundred.replace("line 1\n", "LINE ONE\n").replace(old, "forty-five to sixty"),
    );
  });

  test("the changes of three tasks are all kept", async () => {
    const { first, second, third } = await twoTasks(hundred);
    const results = await Promise.all([
      first.call("edit_file", edit("line 10\n", "ten\n")),
      second.call("edit_file", edit("line 50\n", "fifty\n")),
      third.call("edit_file", edit("line 90\n", "ninety\n")),
    ]);
    expect(results.map(({ success }) => success)).toEqual([true, true, true]);
    for (const word of ["ten", "fifty", "ninety"]) expect(first.text("f")).toContain(`\n${word}\n`);
  });

  test("a conflict shows both edits; skip leaves the file unchanged, force writes it", async () => {
    const { first, second } = await twoTasks(hundred);
    await first.call("edit_file", { ...edit("line 10", "ten"), reason: "spell it out" });
    const refused = await second.call("edit_file", edit("ten", "X"));
    expect(refused).toMatchObject({
      success: false,
      code: "conflict",
      with: [{ task: "a", reason: "spell it out", startLine: 10 }],
    });
    expect(refused.error).toContain("Task a edited line 10");
    expect(second.text("f")).toContain("\nten\n");
    const forced = await openDesk({}, { task: "b", run: "r", force: true }, second.disk);
    expect((await forced.call("edit_file", edit("ten", "X"))).success).toBe(true);
    expect(second.text("f")).toContain("\nX\n");
  });

  test("a task conflicts neither with itself nor with other runs", async () => {
    const { first, second } = await twoTasks(hundred);
    await first.call("edit_file", edit("line 10", "ten"));
    expect((await first.call("edit_file", edit("ten", "TEN"))).success).toBe(true);
    const other = await openDesk({}, { task: "b", run: "another" }, second.disk);
    expect((await other.call("edit_file", edit("TEN", "X"))).success).toBe(true);
  });

  test("regions move with the lines above them", async () => {
    const { first, second } = await twoTasks(hundred);
    await first.call("edit_file", edit("line 10\n", "ten\n"));
    await first.call("insert_at", { path: "f", line: 0, content: "one\ntwo\nthree" });
    expect(await second.call("edit_file", edit("ten", "X"))).toMatchObject({
      code: "conflict",
      with: [{ startLine: 13 }],
    });
    expect((await second.call("edit_file", edit("line 7\n", "seven\n"))).success).toBe(true);
  });

  test("a sibling backup is kept beside the file until the run succeeds", async () => {
    const desk = await openDesk({ "docs/a.md": "one\n" }, { backup: "sibling", run: "r" });
    await desk.call("edit_file", { path: "docs/a.md", old_content: "one", new_content: "two" });
    await desk.call("edit_file", { path: "docs/a.md", old_content: "two", new_content: "three" });
    expect(desk.text("docs/a.md.bak")).toBe("one\n");
    await desk.context.workspace!.finishRun("r", { succeeded: false });
    expect(desk.text("docs/a.md.bak")).toBe("one\n");
    await desk.context.workspace!.finishRun("r", { succeeded: true });
    expect(desk.text("docs/a.md.bak")).toBe(null);
  });
});

describe("the tracker in memory", () => {
  const tracker = createFileEditTracker();
  tracker.recordEdit({ path: "src/a.py", task: "one", startLine: 10, endLine: 20 });
  const tasks = (path: string, startLine: number, endLine: number, task?: string): string[] =>
    tracker.checkConflicts(path, { startLine, endLine }, task).map((record) => record.task);

  const rows: [string, string, number, number, string | undefined, string[]][] = [
    ["an overlap names the other task and its lines", "src/a.py", 15, 30, "two", ["one"]],
    ["one shared line is an overlap", "src/a.py", 20, 25, "two", ["one"]],
    ["adjacent lines are no overlap", "src/a.py", 21, 25, "two", []],
    ["another path is no conflict", "src/b.py", 10, 20, "two", []],
    ["another spelling of the path is the same path", "./src//a.py", 10, 10, "two", ["one"]],
    ["a task does not conflict with itself", "src/a.py", 10, 20, "one", []],
  ];
  test.each(rows)("%s", (_, path, start, end, task, expected) => {
    expect(tasks(path, start, end, task)).toEqual(expected);
  });

  test("earlier records move with later edits above them", () => {
    tracker.recordEdit({ path: "src/a.py", task: "two", startLine: 1, endLine: 1, linesAfter: 6 });
    expect(tracker.checkConflicts("src/a.py", { startLine: 25, endLine: 25 }, "three")).toMatchObject([
      { task: "one", startLine: 15, endLine: 25 },
    ]);
  });
});

test("a crash at any step leaves the old page or the new one", async () => {
  const edits = [{ old_string: "old", new_string: "new", reason: "the code changed" }];
  const outcomes = new Set<string | null>();
  for (let at = 0; ; at++) {
    const disk = createMemoryDisk();
    const files = faultFiles(disk.process(), crashAt(at)).files;
    disk.put("docs/a.md", "old\n");
    const finished = await openDesk({}, { profile: "docs", files }, disk)
      .then((desk) => desk.call("edit_article", { path: "docs/a.md", edits }))
      .catch(() => null);
    disk.cutPower();
    const after = await openDesk({}, { profile: "docs" }, disk);
    await after.call("read_file", { path: "docs/a.md" });
    outcomes.add(after.text("docs/a.md"));
    expect(after.files()).toEqual(["docs/a.md"]);
    if (finished) break;
  }
  expect([...outcomes].sort()).toEqual(["new\n", "old\n"]);
});
