import { describe, expect, test } from "vitest";
import { findAttention, type TouchedFile } from "./attention.ts";

const page = (rules: string): { path: string; text: string } => ({
  path: "docs/login.md",
  text: `---\njrn: jrn:docs:login\nattention:\n${rules}---\n\n# Login\n`,
});
const file = (path: string): string => `  - op: file\n    path: ${path}\n`;
const select = (rules: string, ...touched: TouchedFile[]) => findAttention([page(rules)], touched).selected;

describe("attention", () => {
  test("J80 front matter holds an id and a list of files; J81 evidence names file, pattern and match", () => {
    expect(select(file("src/login.ts"), { path: "src/login.ts" })).toEqual([
      {
        path: "docs/login.md",
        jrn: "jrn:docs:login",
        evidence: [{ file: "src/login.ts", pattern: "src/login.ts", match: "exact", by: "attention" }],
      },
    ]);
  });

  const globs: [pattern: string, path: string, fits: boolean][] = [
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/aXts", false],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/**/*.ts", "src/deep/er/a.ts", true],
    ["src/**", "src/a/b", true],
    ["src/c++/*.ts", "src/c++/a.ts", true],
    ["src/c++/*.ts", "src/ccc/a.ts", false],
    ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
    ["app/[id]/*.tsx", "app/[id]/page.tsx", true],
    ["app/[id]/*.tsx", "app/i/page.tsx", false],
    ["src/{a,b}.ts", "src/b.ts", true],
    ["src/{a,b}.ts", "src/c.ts", false],
    ["src/?.ts", "src/a.ts", true],
    ["src/(group)/a.$b.ts", "src/(group)/a.$b.ts", true],
  ];
  test.each(globs)("J82 %s and %s: %s", (pattern, path, fits) => {
    expect(select(file(JSON.stringify(pattern)), { path }).length > 0).toBe(fits);
  });

  test("J83 both names of a renamed file are matched", () => {
    const moved = { path: "src/new.ts", from: "src/old.ts" };
    expect(select(file("src/old.ts"), moved)).toHaveLength(1);
    expect(select(file("src/new.ts"), moved)).toHaveLength(1);
  });

  test("J84 a file that is gone, binary or empty selects too: only its name matters", () => {
    expect(select(file("assets/logo.png"), { path: "assets/logo.png" })).toHaveLength(1);
  });

  test("J86 rules without optional fields count; entries that are not rules are passed over", () => {
    expect(select("  - path: src/a.ts\n  - op: file\n  - 3\n", { path: "src/a.ts" })).toHaveLength(1);
  });

  test("a rule for another repository does not match this one", () => {
    const rules = "  - op: file\n    path: src/a.ts\n    source: other\n";
    expect(findAttention([page(rules)], [{ path: "src/a.ts" }], { source: "this" }).selected).toEqual([]);
    expect(findAttention([page(rules)], [{ path: "src/a.ts" }], { source: "other" }).selected).toHaveLength(
      1,
    );
  });

  test("lineage selects a page without front matter", () => {
    const pages = [{ path: "docs/a.md", text: "# A\n" }];
    const { selected } = findAttention(pages, [{ path: "src/a.ts" }], {
      lineage: { "docs/a.md": ["src/*.ts"] },
    });
    expect(selected[0]!.evidence).toEqual([
      { file: "src/a.ts", pattern: "src/*.ts", match: "glob", by: "lineage" },
    ]);
  });

  test("front matter that cannot be read is unknown, not unconcerned", () => {
    const { selected, unknown } = findAttention(
      [{ path: "a.md", text: "---\na: [1\n---\n" }],
      [{ path: "src/a.ts" }],
    );
    expect(selected).toEqual([]);
    expect(unknown.map(({ path }) => path)).toEqual(["a.md"]);
  });
});
