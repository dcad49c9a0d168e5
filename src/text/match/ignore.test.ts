import { describe, expect, test } from "vitest";
import { judge, parseIgnore } from "./ignore.ts";

describe("ignore rules, as git reads them", () => {
  const rows: [string, string, string, boolean | null][] = [
    ["a name anywhere", "*.log", "a/b/x.log", true],
    ["a name in another directory", "*.log", "x.md", null],
    ["a path from here", "docs/*.md", "docs/a.md", true],
    ["a path from here only", "docs/*.md", "x/docs/a.md", null],
    ["a leading slash means here", "/build", "build", true],
    ["a leading slash means here only", "/build", "x/build", null],
    ["a star stays within a name", "docs/*", "docs/a/b", null],
    ["two stars do not", "docs/**", "docs/a/b", true],
    ["two stars in front", "**/tmp", "a/b/tmp", true],
    ["two stars between", "a/**/b", "a/x/y/b", true],
    ["two stars between stand for nothing too", "a/**/b", "a/b", true],
    ["the directory itself is not inside itself", "docs/**", "docs", null],
    ["a question mark", "a?c", "abc", true],
    ["a set", "[a-c].md", "b.md", true],
    ["a negated set", "[!a-c].md", "b.md", null],
    ["a quoted star", "\\*.md", "x.md", null],
    ["a quoted hash", "\\#x", "#x", true],
    ["a comment", "# x", "# x", null],
    ["spaces at the end", "x  ", "x", true],
    ["a later rule takes in again", "*.md\n!keep.md", "keep.md", false],
    ["a set that does not close", "[ab", "[ab", true],
    ["many stars in a long name", "*a*a*a*a*a*a*a*a*b", "a".repeat(200), null],
  ];
  test.each(rows)("%s", (_name, text, path, expected) => {
    expect(judge(parseIgnore(text), path.split("/"), false)).toBe(expected);
  });

  test("a pattern with a slash at the end matches only directories", () => {
    expect(judge(parseIgnore("out/"), ["out"], true)).toBe(true);
    expect(judge(parseIgnore("out/"), ["out"], false)).toBeNull();
  });
});
