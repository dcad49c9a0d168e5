import { describe, expect, test } from "vitest";
import { intersectRoots } from "./scope.ts";

describe("roots that a client sends", () => {
  test.each<[string, string[], string[]]>([
    ["the same", ["file:///home/me/repo"], [""]],
    ["with a slash at the end", ["file:///home/me/repo/"], [""]],
    ["wider", ["file:///home"], [""]],
    ["all there is", ["file:///"], [""]],
    ["narrower", ["file:///home/me/repo/docs"], ["docs"]],
    ["two narrower ones", ["file:///home/me/repo/docs", "file:///home/me/repo/a%20b/c"], ["docs", "a b/c"]],
    ["one narrower and one wider", ["file:///home/me/repo/docs", "file:///home/me"], [""]],
    ["elsewhere", ["file:///etc"], []],
    ["a twin by prefix", ["file:///home/me/repo-two", "file:///home/me/rep"], []],
    ["a way out", ["file:///home/me/repo/../../other"], []],
    ["an encoded way out", ["file:///home/me/repo/%2e%2e/%2e%2e/other"], []],
    ["another host", ["file://server/home/me/repo"], []],
    ["no file", ["https://example.com/home/me/repo"], []],
    ["no address at all", ["repo", ""], []],
    ["broken encoding", ["file:///home/%zz"], []],
    ["none", [], [""]],
  ])("%s", (_, uris, scope) => {
    expect(intersectRoots("/home/me/repo", uris)).toEqual(scope);
  });

  test("a drive letter", () => {
    expect(intersectRoots("C:\\repo", ["file:///C:/repo/docs"])).toEqual(["docs"]);
  });
});
