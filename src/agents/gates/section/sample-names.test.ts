import { describe, expect, test } from "vitest";
import { findNewNames } from "./sample-names.ts";

function namesIn(lines: readonly string[], { page = "", shown = "" } = {}): string[] {
  const added = lines.map((text, line) => ({ text, line, block: 1, kind: "code" as const }));
  return findNewNames({ added, shown, above: page, knows: () => false });
}

describe("a key that a sample declares", () => {
  test("is its own where the sample uses it in another way", () => {
    expect(namesIn(["{ getPost: one(),", "getPost: { a } }"])).toEqual([]);
    expect(namesIn(["{ getPost: one(),", "getPosts: { a } }"])).toEqual(["getPost", "getPosts"]);
    expect(namesIn(["{ getPost: one(),", "getPost: one() }"])).toEqual(["getPost"]);
    expect(namesIn(["{ getPost: 1,", "getPost: { a } }"])).toEqual(["getPost"]);
  });

  test("is the author's where samples of the page have others before the same call", () => {
    const page = "getUser: build.query({\ngetPosts: build.query<Post>({\nlimit: read(1),\n";
    expect(namesIn(["getPost: build.query({"], { page })).toEqual([]);
    expect(namesIn(["getPost: build.mutation({"], { page, shown: "mutation" })).toEqual(["getPost"]);
    expect(namesIn(["most: read(2)"], { page })).toEqual(["most"]);
    const types = "reducer: Reducer<A>;\nother: Reducer<B>;\n";
    expect(namesIn(["third: Reducer<C>;"], { page: types })).toEqual(["third"]);
  });

  test("is not the author's before a plain value", () => {
    const page = "retries: 3,\nlimit: 4,\nstrict: true,\n";
    expect(namesIn(["most: 5,"], { page })).toEqual(["most"]);
    expect(namesIn(["loud: true,"], { page })).toEqual(["loud"]);
  });
});

test("keys of a manifest and of a compiler's settings are no inventions", () => {
  const prose = (text: string) =>
    findNewNames({ added: [{ text, line: 0, block: 1, kind: "prose" }], shown: "", knows: () => false });
  expect(prose("Put it into `optionalDependencies`, and set `isolatedModules`.")).toEqual([]);
  expect(prose("Put it into `optionalPackages`.")).toEqual(["optionalPackages"]);
});
