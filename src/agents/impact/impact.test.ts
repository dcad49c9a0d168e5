import { describe, expect, test } from "vitest";
import { type Article, indexArticles, local } from "../../drift/pages/attention.ts";
import { extractChange, queryPrompt } from "./extract.ts";
import { Propagation } from "./propagate.ts";

const article = (path: string, ...patterns: string[]): Article => ({
  path,
  jrn: null,
  rules: patterns.map((pattern) => ({ pattern, source: local, by: "attention" })),
});

describe("propagation", () => {
  const chain = Array.from({ length: 9 }, (_, i) => article(`docs/${i + 1}.md`, `docs/${i}.md`));
  const follow = (articles: readonly Article[], start: string, maxDepth: number) => {
    const propagation = new Propagation({ select: indexArticles(articles), maxDepth, visited: [start] });
    const levels: string[][] = [];
    let updated: { path: string }[] = [{ path: start }];
    for (let depth = 0; ; depth++) {
      const { impacted } = propagation.next(updated, depth);
      if (impacted.length === 0) return { levels, cut: propagation.wasCut(updated, depth) };
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
