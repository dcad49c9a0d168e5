import { describe, expect, test } from "vitest";
import { codeFrom, openTestBench, value } from "../testing.ts";

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
