import { describe, expect, test } from "vitest";
import { planEdits } from "../model/plan.ts";
import { parseJsonEdits } from "./json-edits.ts";

describe("what JSON asks for", () => {
  test.each<[string, unknown, object]>([
    [
      "a quotation",
      { path: "f", old_string: "a", new_string: "b", reason: "why" },
      { path: "f", reason: "why", target: { quote: "a" }, text: "b" },
    ],
    [
      "in other words",
      { filePath: "f", oldText: "a", newText: "b" },
      { path: "f", target: { quote: "a" }, text: "b" },
    ],
    [
      "a snippet",
      { original_text_snippet: "a", new_text_snippet: "b", path: "f" },
      { target: { quote: "a" }, text: "b" },
    ],
    [
      "an occurrence",
      { path: "f", old_content: "a", new_content: "b", occurrence: 2 },
      { target: { quote: "a", occurrence: 2 } },
    ],
    [
      "all of them",
      { path: "f", oldString: "a", newString: "b", replaceAll: true },
      { target: { quote: "a", occurrence: 0 } },
    ],
    [
      "exactly one",
      { path: "f", old_string: "a", new_string: "b", expected_replacements: 1 },
      { target: { quote: "a" } },
    ],
    ["a deletion", { path: "f", old: "a", new: "" }, { target: { quote: "a" }, text: "" }],
    ["an insertion", { path: "f", line: 3, content: "x" }, { target: { line: 3 }, text: "x" }],
    ["a new file", { path: "f", content: "x" }, { target: { file: "create" }, text: "x" }],
    [
      "a new file by an empty quotation",
      { path: "f", old_string: "", new_string: "x" },
      { target: { file: "create" }, text: "x" },
    ],
  ])("%s", (_, value, edit) => {
    expect(parseJsonEdits(value)).toMatchObject({ ok: true, value: [edit] });
  });

  test("a list, a file with its list, and files with theirs", () => {
    const edit = { old_string: "a", new_string: "b" };
    expect(parseJsonEdits([edit, edit], { path: "f" })).toMatchObject({
      value: [{ path: "f" }, { path: "f" }],
    });
    expect(parseJsonEdits({ path: "g", edits: [edit] }, { path: "f" })).toMatchObject({
      value: [{ path: "g" }],
    });
    expect(
      parseJsonEdits({
        files: [
          { path: "g", edits: [edit] },
          { path: "h", ...edit },
        ],
      }),
    ).toMatchObject({
      value: [{ path: "g" }, { path: "h" }],
    });
  });
});

describe("what is refused", () => {
  const deep = (depth: number): unknown => (depth === 0 ? {} : [deep(depth - 1)]);
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a string", "edit"],
    ["an empty list", []],
    ["no path", { old_string: "a", new_string: "b" }],
    ["no new text", { path: "f", old_string: "a" }],
    ["two words for one thing", { path: "f", old_string: "a", oldText: "c", new_string: "b" }],
    ["a number for a text", { path: "f", old_string: 1, new_string: "b" }],
    ["a string as line number", { path: "f", line: "3", content: "b" }],
    ["edits that are no list", { path: "f", edits: 3 }],
    ["an empty quotation everywhere", { path: "f", old_string: "", new_string: "b", replace_all: true }],
    [
      "a number of replacements below one",
      { path: "f", old_string: "a", new_string: "b", expected_replacements: 0 },
    ],
    ["deep nesting", deep(5000)],
  ])("%s", (_, value) => {
    expect(parseJsonEdits(value)).toMatchObject({ ok: false, refusal: { code: "malformed" } });
  });

  test("the expected number of replacements must be the number of matches", () => {
    const planned = (text: string) => {
      const edits = parseJsonEdits({ path: "f", old_string: "a", new_string: "b", expected_replacements: 3 });
      return edits.ok ? planEdits(edits.value, [{ path: "f", text, version: "" }]) : edits;
    };
    expect(planned("a a a")).toMatchObject({ ok: true, value: { changes: [{ after: "b b b" }] } });
    expect(planned("a a")).toMatchObject({ ok: false, refusal: { code: "ambiguous", count: 2 } });
  });

  test("prototype keys are ignored", () => {
    const value = JSON.parse('{"__proto__": {"path": "f", "old_string": "a", "new_string": "b"}}');
    expect(parseJsonEdits(value)).toMatchObject({ ok: false });
    expect(parseJsonEdits(Object.create({ path: "f", old_string: "a", new_string: "b" }))).toMatchObject({
      ok: false,
    });
    expect(({} as Record<string, unknown>).path).toBeUndefined();
  });

  test("the refusal names the wrong edit", () => {
    const edits = [
      { path: "f", old: "a", new: "b" },
      { path: "f", old: "a" },
    ];
    expect(parseJsonEdits(edits)).toMatchObject({ refusal: { edit: 1 } });
  });

  test("too many edits are refused", () => {
    const many = new Array(50_001).fill({ path: "f", old: "a", new: "b" });
    expect(parseJsonEdits(many)).toMatchObject({ refusal: { code: "too-large" } });
  });
});
