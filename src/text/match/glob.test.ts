import { expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { matcher } from "./glob.ts";

const rows: [string, string, boolean][] = [
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/aXts", false],
  ["src/*.ts", "src/b/a.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/b/c/a.ts", true],
  ["**/a.ts", "a.ts", true],
  ["src/**", "src/x/y", true],
  ["*.md", "docs/deep/a.md", true],
  ["src/c++/*.ts", "src/c++/a.ts", true],
  ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
  ["app/[id]/page.tsx", "app/i/page.tsx", false],
  ["src/{a,b}.ts", "src/b.ts", true],
  ["src/{a,b}.ts", "src/c.ts", false],
  ["src/{a,{b,c}/x}.ts", "src/c/x.ts", true],
  ["a{b", "a{b", true],
  ["a{b}c", "a{b}c", true],
  ["?.md", "a.md", true],
  ["?.md", "ab.md", false],
  ["a(b)$", "a(b)$", true],
];
test.each(rows)("pattern %s and path %s: %s", (pattern, path, expected) => {
  expect(matcher(pattern)(path)).toBe(expected);
});

test("matching stays linear for every pattern", () => {
  const work = measureWork(() => {
    matcher(`${"*a".repeat(200)}b`)("a".repeat(5000));
    matcher(`${"**/a/".repeat(100)}b`)("a/".repeat(3000));
    matcher("{a,b}".repeat(100))("ab".repeat(100));
  });
  expect(work).toBeLessThan(25);
});
