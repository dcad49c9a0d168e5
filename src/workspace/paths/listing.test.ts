import { describe, expect, test } from "vitest";
import { codeFrom, openTestBench, value } from "../testing.ts";
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

describe("listing", () => {
  test("every file is listed, sorted by code unit, without state folders", async () => {
    const { workspace } = await openTestBench({
      "b.md": "",
      "a/z.md": "",
      "B.md": "",
      ".git/config": "",
      "x/.GIT/config": "",
      ".suture/journal/1": "",
      "node_modules/m/x.js": "",
      ".hidden": "",
    });
    expect(value(await workspace.list()).paths).toEqual([".hidden", "B.md", "a/z.md", "b.md"]);
  });

  test("ignored files are left out unless requested, and the inner .gitignore decides", async () => {
    const { workspace } = await openTestBench({
      ".gitignore": "*.log\n/build/\n",
      "x.log": "",
      "build/a.md": "",
      "docs/.gitignore": "!x.log\n",
      "docs/x.log": "",
      "docs/build/a.md": "",
    });
    expect(value(await workspace.list()).paths).toEqual([
      ".gitignore",
      "docs/.gitignore",
      "docs/build/a.md",
      "docs/x.log",
    ]);
    expect(value(await workspace.list({ ignored: true })).paths).toHaveLength(6);
    expect(value(await workspace.list({ under: "docs/build" })).paths).toEqual(["docs/build/a.md"]);
  });

  test("a listing can be limited to a folder, follows no links, and refuses paths out of the root", async () => {
    const bench = await openTestBench({ "docs/a.md": "", "x.md": "" });
    bench.disk.putLink("docs/link", "..");
    expect(value(await bench.workspace.list({ under: "./docs/" })).paths).toEqual(["docs/a.md"]);
    expect(codeFrom(await bench.workspace.list({ under: "../x" }))).toBe("outside");
    expect(codeFrom(await bench.workspace.list({ under: "docs/link" }))).toBe("outside");
    expect(codeFrom(await bench.workspace.list({ under: ".git" }))).toBe("protected");
    expect(codeFrom(await bench.workspace.list({ under: "none" }))).toBe("not-found");
  });
});
