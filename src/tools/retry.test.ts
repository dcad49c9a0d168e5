import { expect, test } from "vitest";
import { locateQuote } from "../text/match/locate.ts";
import { correctPair } from "./retry.ts";
import { SessionMemory } from "./session-memory.ts";
import { openDesk } from "./testing.ts";

function retryOf(text: string, old: string, now: string) {
  const located = locateQuote(text, { quote: old }, now);
  return located.ok ? null : correctPair(located.refusal, text, { old, new: now });
}

const twoAlike = "first = 1\nlast = 9\n\nsecond = 1\nlast = 9\n";

test("no corrected call is offered where two passages are equally like the quotation", () => {
  expect(retryOf(twoAlike, "third = 1\nlast = 9", "third = 1\nlast = 10")).toBeNull();
});

test("the corrected call is about the passage that is clearly meant", () => {
  const text = "first = 1\nmiddle = 4\nlast = 9\n\nsecond = 1\nother = 5\nlast = 9\n";
  expect(retryOf(text, "third = 1\nother = 5\nlast = 9", "third = 1\nother = 5\nlast = 10")).toEqual({
    old: "second = 1\nother = 5\nlast = 9",
    new: "second = 1\nother = 5\nlast = 10",
  });
});

const twelve = Array.from({ length: 12 }, (_, i) => `line ${i + 1} of twelve`);
const text = `${twelve.join("\n")}\n`;
const session = (files: Readonly<Record<string, string>>) =>
  openDesk(files, { strict: true, memory: new SessionMemory() });

/** A patch of hunks that each replace one line, with the line above and below. */
function patchOf(path: string, ...changes: readonly [line: number, above: string][]): string {
  const hunks = changes.map(
    ([line, above]) =>
      `@@ -${line - 1},3 +${line - 1},3 @@\n ${above}\n-${twelve[line - 1]}\n+LINE ${line}\n ${twelve[line]}\n`,
  );
  return `--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
}

test("all hunks that fail are named at once, and the others are kept under the handle", async () => {
  const desk = await session({ f: text, g: text });
  const patch =
    patchOf("f", [2, twelve[0]!], [5, "nothing of the kind"], [8, "nor of this"]) + patchOf("g", [11, "no"]);
  const refused = await desk.call("apply_patch", { patch: patch.replaceAll(/^-line (5|8|11)/gm, "-row $1") });
  expect(refused.failures).toMatchObject([
    { path: "f", hunk: 1 },
    { path: "f", hunk: 2 },
    { path: "g", hunk: 0 },
  ]);
  expect(refused.hint).toContain("without the 3 that failed");
  expect(await desk.call("retry_edit", refused.retry?.arguments)).toMatchObject({
    success: true,
    paths: ["f"],
  });
  expect([desk.text("f"), desk.text("g")]).toEqual([text.replace(twelve[1]!, "LINE 2"), text]);
});

test("a refusal shows the correction as a diff and not the whole call", async () => {
  const desk = await session({ f: text });
  const wrong = [`${twelve[4]}`, `${twelve[5]} (misquoted)`, `${twelve[6]} (misquoted)`].join("\n ");
  const patch = patchOf("f", [2, twelve[0]!], [8, wrong]);
  const refused = await desk.call("patch_file", { path: "f", patch });
  expect(refused.hint).toContain('retry_edit {"handle": "r1"}');
  expect(refused.hint).toContain("-line 8 of twelve\n+LINE 8");
  expect(refused.hint).not.toContain("+LINE 2");
  expect(await desk.call("retry_edit", { handle: "r1" })).toMatchObject({ success: true });
  expect(desk.text("f")).toBe(text.replace(twelve[1]!, "LINE 2").replace(twelve[7]!, "LINE 8"));
});

test.each([
  ["in a line", "row 5 of", "ROW V OF", text.replace("line 5 of", "ROW V OF")],
  [
    "from one line into the next",
    "of twelve\nrow 6",
    "of 12\nROW 6",
    text.replace("5 of twelve\nline 6", "5 of 12\nROW 6"),
  ],
  ["with fewer lines than it becomes", "row 5 of", "row 5\nof", text.replace("line 5 of", "row 5\nof")],
  ["that stands twice", "of twelve", "OF", null],
])(
  "a block that quotes parts of lines is offered with the whole lines: %s",
  async (_, search, replace, wanted) => {
    const desk = await session({ f: text.replaceAll("line", "row") });
    const patch = `f\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
    const refused = await desk.call("apply_patch", { patch });
    expect([refused.success, refused.retry === undefined]).toEqual([false, wanted === null]);
    if (wanted === null) return;
    await desk.call("retry_edit", refused.retry?.arguments);
    expect(desk.text("f")).toBe(wanted.replaceAll("line", "row"));
  },
);

test("a handle works once, in its session, and only for the bytes that it was made for", async () => {
  const desk = await session({ f: "a = 1\nb = 2\n", g: "c\n" });
  const slip = { path: "f", old_content: "a = 7\nb = 2", new_content: "a = 7\nb = 3" };
  const handleOf = async () => (await desk.call("edit_file", slip)).retry!.arguments;
  const first = await handleOf();
  desk.disk.put("f", "a = 1\nb = 2\n\n");
  expect(await desk.call("retry_edit", first)).toMatchObject({ success: false, code: "stale" });
  const second = await handleOf();
  const other = await openDesk({}, { memory: new SessionMemory() }, desk.disk);
  expect(await other.call("retry_edit", second)).toMatchObject({ success: false, code: "not-found" });
  expect(await desk.call("retry_edit", second)).toMatchObject({ success: true });
  expect(await desk.call("retry_edit", second)).toMatchObject({ success: false, code: "not-found" });
  expect(desk.text("f")).toBe("a = 1\nb = 3\n\n");
});

test("a patch of ordinary files and of files that need consent is offered without the latter", async () => {
  const desk = await session({ f: text, "package.json": "{}\n", Makefile: "a:\n" });
  const add = (path: string, old: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n ${old}\n+new\n`;
  const patch = add("package.json", "{}") + add("f", twelve[0]!) + add("Makefile", "a:");
  const refused = await desk.call("apply_patch", { patch });
  expect(refused).toMatchObject({ success: false, code: "needs-consent" });
  expect(refused.failures?.map(({ path }) => path)).toEqual(["package.json", "Makefile"]);
  expect(await desk.call("retry_edit", refused.retry?.arguments)).toMatchObject({ paths: ["f"] });
});

test("an edit of what an edit that is left out would have written is left out, too", async () => {
  const desk = await session({ f: "x = 1\nelsewhere: flag = on\n", g: "flag = on\n" });
  const block = (path: string, old: string, now: string) =>
    `${path}\n<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE\n`;
  const patch =
    block("f", "no such line", "elsewhere: flag = on, and more") +
    block("f", "elsewhere: flag = on", "elsewhere: flag = off") +
    block("g", "flag = on", "flag = off");
  const refused = await desk.call("apply_patch", { patch });
  expect(await desk.call("retry_edit", refused.retry?.arguments)).toMatchObject({ success: true });
  expect([desk.text("f"), desk.text("g")]).toEqual(["x = 1\nelsewhere: flag = on\n", "flag = off\n"]);
});

test("a dry run refuses what the real call refuses", async () => {
  const desk = await session({ Makefile: "a:\n" });
  const call = { path: "Makefile", old_content: "a:", new_content: "b:" };
  expect(await desk.call("edit_file", { ...call, dry_run: true })).toMatchObject({ code: "needs-consent" });
  expect(desk.disk.tree().some((path) => path.startsWith(".suture"))).toBe(false);
});

test("without a session nothing is kept", async () => {
  const desk = await openDesk({ f: "a = 1\nb = 2\n" });
  const slip = { path: "f", old_content: "a = 7\nb = 2", new_content: "a = 7\nb = 3" };
  expect((await desk.call("edit_file", slip)).retry).toBeUndefined();
});
