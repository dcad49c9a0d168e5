import { describe, expect, test } from "vitest";
import type { Article } from "./attention.ts";
import { indexArticles, local, readArticle } from "./attention.ts";
import { extractChange, queryPrompt } from "./extract.ts";
import { planPropagation } from "./propagate.ts";

const article = (path: string, ...patterns: string[]): Article => ({
  path,
  jrn: null,
  rules: patterns.map((pattern) => ({ pattern, source: local })),
});

describe("attention", () => {
  test("J80 J86 rules are read from the front matter; a source, an id and other kinds of rules are optional", () => {
    const text =
      "---\njrn: DOC_1\nattention:\n  - op: file\n    path: ./src/a.ts\n  - op: file\n    path: lib/**\n    source: core\n  - op: symbol\n    path: x\n  - 42\n---\n# T\n";
    expect(readArticle("docs/a.md", text)).toEqual({
      path: "docs/a.md",
      jrn: "DOC_1",
      rules: [
        { pattern: "src/a.ts", source: "local" },
        { pattern: "lib/**", source: "core" },
      ],
    });
    expect(
      readArticle("docs/b.md", "---\nattention:\n  - {op: file, path: a.ts}\n  - b.ts\n---\n"),
    ).toMatchObject({ jrn: null, rules: [{ pattern: "a.ts" }, { pattern: "b.ts" }] });
    for (const none of [
      "# T",
      "---\njrn: x\n---\n",
      "---\nattention: yes\n---\n",
      "---\nattention: []\n---\n",
      "---js\nprocess.exit(1)\n---\n",
    ])
      expect(readArticle("docs/c.md", none)).toBeNull();
  });

  test.each([
    ["exact", "src/a.ts", "src/a.ts", true],
    ["a star within a name", "src/*.ts", "src/a.ts", true],
    ["J82 a dot is a dot", "src/*.ts", "src/aXts", false],
    ["J82 a plus is a plus", "src/c++/*.ts", "src/c++/a.ts", true],
    ["J82 a route with brackets", "app/[id]/page.tsx", "app/[id]/page.tsx", true],
    ["J82 brackets are no class", "app/[id]/page.tsx", "app/i/page.tsx", false],
    ["any depth", "src/**", "src/a/b/c.ts", true],
    ["one of several", "src/{a,b}.ts", "src/b.ts", true],
    ["J82 parentheses", "src/(x)/*.ts", "src/(x)/a.ts", true],
    ["another folder", "src/*.ts", "lib/a.ts", false],
  ])("J81 %s: %s and %s", (_, pattern, path, fits) => {
    const found = indexArticles([article("docs/a.md", pattern)])([{ path }], local);
    expect(found.length === 1).toBe(fits);
    if (fits) expect(found[0]!.evidence).toMatchObject([{ changedFile: path, pattern, source: local }]);
  });

  test("J83 both names of a moved file count, and the list is in order of path", () => {
    const select = indexArticles([article("docs/b.md", "src/new.ts"), article("docs/a.md", "src/old.ts")]);
    expect(
      select([{ path: "src/new.ts", from: "src/old.ts" }], local).map(({ article }) => article.path),
    ).toEqual(["docs/a.md", "docs/b.md"]);
  });

  test("rules about one source do not see another, and a document does not watch itself", () => {
    const select = indexArticles([
      {
        ...article("docs/a.md", "docs/**"),
        rules: [
          { pattern: "docs/**", source: local },
          { pattern: "x.ts", source: "core" },
        ],
      },
    ]);
    expect(select([{ path: "docs/a.md" }, { path: "x.ts" }], local)).toEqual([]);
    expect(select([{ path: "x.ts" }], "core")).toHaveLength(1);
  });
});

describe("propagation", () => {
  const chain = Array.from({ length: 9 }, (_, i) => article(`docs/${i + 1}.md`, `docs/${i}.md`));
  const follow = (articles: readonly Article[], start: string, maxDepth: number) => {
    const walk = planPropagation({ articles, select: indexArticles(articles), maxDepth, visited: [start] });
    const levels: string[][] = [];
    let updated: { path: string }[] = [{ path: start }];
    for (let depth = 0; ; depth++) {
      const { impacted } = walk(updated, depth);
      if (impacted.length === 0) return { levels, cut: walk.wasCut(updated, depth) };
      levels.push(impacted.map(({ article }) => article.path));
      updated = impacted.map(({ article }) => ({ path: article.path }));
    }
  };

  test("goes as deep as it may and says when there was more", () => {
    expect(follow(chain, "docs/0.md", 5)).toEqual({
      levels: [["docs/1.md"], ["docs/2.md"], ["docs/3.md"], ["docs/4.md"], ["docs/5.md"]],
      cut: true,
    });
    expect(follow(chain, "docs/6.md", 5)).toEqual({
      levels: [["docs/7.md"], ["docs/8.md"], ["docs/9.md"]],
      cut: false,
    });
    expect(follow(chain, "docs/0.md", 0)).toEqual({ levels: [], cut: true });
  });

  test("a circle ends where it began, and what watches itself is not set off by itself", () => {
    const circle = [
      article("docs/a.md", "docs/c.md", "docs/a.md"),
      article("docs/b.md", "docs/a.md"),
      article("docs/c.md", "docs/b.md"),
    ];
    expect(follow(circle, "docs/a.md", 50).levels).toEqual([["docs/b.md"], ["docs/c.md"]]);
  });

  test("an article that two others lead to is looked at once", () => {
    const diamond = [
      article("docs/b.md", "docs/a.md"),
      article("docs/c.md", "docs/a.md"),
      article("docs/d.md", "docs/*.md"),
    ];
    expect(follow(diamond, "docs/a.md", 5).levels.flat().sort()).toEqual([
      "docs/b.md",
      "docs/c.md",
      "docs/d.md",
    ]);
  });
});

test("an extract names files, hunks and the words a search would use", () => {
  const patch =
    "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n-const maxRetries = 1;\n+const retryLimit = 1; // --retry-limit\n";
  const change = {
    base: "b",
    head: "h",
    commits: [],
    files: [{ path: "src/a.ts", status: "changed" as const, patch }],
  };
  expect(extractChange(change)).toMatchObject({
    files: [
      {
        path: "src/a.ts",
        hunks: [
          {
            removed: 1,
            added: 1,
            names: expect.arrayContaining(["maxRetries", "retryLimit", "--retry-limit"]),
          },
        ],
      },
    ],
    queries: expect.arrayContaining(["maxRetries"]),
  });
  expect(queryPrompt(change)).toContain("maxRetries");
});
