import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { intersectRoots } from "./scope.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-scope-"));
afterAll(() => rmSync(folder, { recursive: true }));

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

  test("each side may name a folder as it likes: relative, by a link, with a link above it", () => {
    mkdirSync(join(folder, "repo/docs"), { recursive: true });
    symlinkSync(join(folder, "repo"), join(folder, "link"));
    symlinkSync(folder, join(folder, "above"));
    const uri = (path: string): string => pathToFileURL(join(folder, path)).href;
    for (const root of ["repo", "link"].flatMap((name) => [
      join(folder, name),
      relative(".", join(folder, name)),
    ]))
      for (const name of ["repo", "link", "above/repo", "above/link"]) {
        expect(intersectRoots(root, [uri(name)]), `${root} ${name}`).toEqual([""]);
        expect(intersectRoots(root, [uri(`${name}/docs`)]), `${root} ${name}/docs`).toEqual(["docs"]);
        expect(intersectRoots(root, [uri("elsewhere"), uri(`${name}/docs`)])).toEqual(["docs"]);
      }
    expect(intersectRoots(".", [pathToFileURL(process.cwd()).href])).toEqual([""]);
  });

  test("a folder whose name begins with two dots lies inside", () => {
    expect(intersectRoots("/home/me/repo", ["file:///home/me/repo/..data"])).toEqual(["..data"]);
  });
});
