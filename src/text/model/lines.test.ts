import { describe, expect, test } from "vitest";
import { contentEnd, endingAt, indexLines, insertLines, lineAt, lineContent, lineNumber } from "./lines.ts";
import { applySplices } from "./splice.ts";

describe("lines keep every ending", () => {
  const rows: [string, string, string[]][] = [
    ["empty", "", []],
    ["one without ending", "a", ["a"]],
    ["LF", "a\nb\n", ["a", "b"]],
    ["CRLF", "a\r\nb\r\n", ["a", "b"]],
    ["mixed", "a\r\nb\nc", ["a", "b", "c"]],
    ["lone CR is data beside LF", "10%\r20%\nend\n", ["10%\r20%", "end"]],
    ["lone CR ends lines where there is no LF", "a\rb\r", ["a", "b"]],
    ["blank lines", "\n\n", ["", ""]],
    ["a line that is only CR", "\r\n\r\n", ["", ""]],
  ];
  test.each(rows)("%s", (_, text, contents) => {
    const lines = indexLines(text);
    expect(lines.starts.map((_, i) => lineContent(lines, i))).toEqual(contents);
    for (let i = 0; i < lines.starts.length; i++) {
      expect(lineAt(lines, lines.starts[i]!)).toBe(i);
      expect(lineAt(lines, contentEnd(lines, i))).toBe(i);
      expect(lineNumber(text, lines.starts[i]!)).toBe(i + 1);
    }
  });
});

describe("the ending of a place", () => {
  const rows: [string, string, number, string][] = [
    ["of its own line", "a\r\nb\nc\n", 0, "\r\n"],
    ["of its own line, further on", "a\r\nb\nc\n", 3, "\n"],
    ["of the line before at the end", "a\r\nb", 3, "\r\n"],
    ["LF where there is none", "a", 0, "\n"],
    ["CR in a text of CR lines", "a\rb\r", 0, "\r"],
  ];
  test.each(rows)("%s", (_, text, offset, ending) => {
    expect(endingAt(text, offset)).toBe(ending);
  });
});

describe("inserting whole lines", () => {
  const rows: [string, string, number, string, string][] = [
    ["line 0 is the beginning", "a\nb\n", 0, "x", "x\na\nb\n"],
    ["line -1 is the end", "a\nb\n", -1, "x\n", "a\nb\nx\n"],
    ["line n is after line n", "a\nb\n", 1, "x", "a\nx\nb\n"],
    ["content that ends with a newline", "a\nb\n", 1, "x\n", "a\nx\nb\n"],
    ["a blank line", "a\nb\n", 1, "\n", "a\n\nb\n"],
    ["lines are not joined, and no final newline is added", "a\nb", -1, "x", "a\nb\nx"],
    ["a line number after the last line", "a\nb", 2, "x\n", "a\nb\nx"],
    ["an empty file", "", 0, "x", "x\n"],
    ["an empty file at its end", "", -1, "x\n", "x\n"],
    ["CRLF line endings", "a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"],
    ["mixed line endings: the ending of the line above", "a\r\nb\nc\n", 2, "x", "a\r\nb\nx\nc\n"],
    ["after a byte order mark", "\uFEFFa\n", 0, "x", "\uFEFFx\na\n"],
    ["a file that is only a byte order mark", "\uFEFF", -1, "x", "\uFEFFx\n"],
  ];
  test.each(rows)("%s", (_, text, line, content, after) => {
    const inserted = insertLines(text, line, content);
    expect(inserted.ok && applySplices(text, [inserted.value])).toBe(after);
  });

  test.each([3, -2, 1.5, Number.NaN, 1e21])("the refusal of line %s states the valid range", (line) => {
    expect(insertLines("a\nb\n", line, "x")).toMatchObject({
      ok: false,
      refusal: { code: "out-of-range", lowest: -1, highest: 2 },
    });
  });
});
