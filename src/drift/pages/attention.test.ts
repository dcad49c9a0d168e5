import { describe, expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import {
  type Article,
  findAttention,
  indexArticles,
  local,
  readArticle,
  type TouchedFile,
} from "./attention.ts";

const page = (rules: string): { path: string; text: string } => ({
  path: "docs/login.md",
  text: `---\njrn: jrn:docs:login\nattention:\n${rules}---\n\n# Login\n`,
});
const file = (path: string): string => `  - op: file\n    path: ${path}\n`;
const select = (rules: string, ...touched: TouchedFile[]) => findAttention([page(rules)], touched).selected;
const article = (path: string, ...patterns: string[]): Article => ({
  path,
  jrn: null,
  rules: patterns.map((pattern) => ({ pattern, source: local, by: "attention" })),
});

describe("attention", () => {
  test("front matter holds an id and a list of files; evidence names file, pattern and match", () => {
    expect(select(file("src/login.ts"), { path: "src/login.ts" })).toMatchObject([
      {
        article: { path: "docs/login.md", jrn: "jrn:docs:login" },
        evidence: [
          {
            changedFile: "src/login.ts",
            pattern: "src/login.ts",
            matchType: "exact",
            source: "local",
            by: "attention",
          },
        ],
      },
    ]);
  });

  test("source, id and kind of a rule are optional; unknown kinds are ignored", () => {
    const text =
      "---\njrn: DOC_1\nattention:\n  - op: file\n    path: ./src/a.ts\n  - op: file\n    path: lib/**\n    source: core\n  - op: symbol\n    path: x\n  - 42\n  - path: b.ts\n  - c.ts\n---\n# T\n";
    expect(readArticle("docs/a.md", text)).toEqual({
      article: {
        path: "docs/a.md",
        jrn: "DOC_1",
        rules: [
          { pattern: "src/a.ts", source: "local", by: "attention" },
          { pattern: "lib/**", source: "core", by: "attention" },
          { pattern: "b.ts", source: "local", by: "attention" },
          { pattern: "c.ts", source: "local", by: "attention" },
        ],
      },
    });
  });

  test.each([
    "# T",
    "---\njrn: x\n---\n",
    "---\nattention: yes\n---\n",
    "---\nattention: []\n---\n",
    "---js\nprocess.exit(1)\n---\n",
  ])("%j is no article, and no trouble", (text) => {
    expect(readArticle("docs/c.md", text)).toEqual({});
  });

  const globs: [pattern: string, path: string, fits: boolean][] = [
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/aXts", false],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/*.ts", "lib/a.ts", false],
    ["src/**/*.ts", "src/deep/er/a.ts", true],
    ["src/**", "src/a/b", true],
    ["src/c++/*.ts", "src/c++/a.ts", true],
    ["src/c++/*.ts", "src/ccc/a.ts", false],
    ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
    ["app/[id]/page.tsx", "app/i/page.tsx", false],
    ["app/[id]/*.tsx", "app/[id]/page.tsx", true],
    ["app/[id]/*.tsx", "app/i/page.tsx", false],
    ["src/{a,b}.ts", "src/b.ts", true],
    ["src/{a,b}.ts", "src/c.ts", false],
    ["src/?.ts", "src/a.ts", true],
    ["src/(group)/a.$b.ts", "src/(group)/a.$b.ts", true],
    ["src/(group)/*.ts", "src/(group)/a.ts", true],
  ];
  test.each(globs)("a watched path matches literally: %s and %s: %s", (pattern, path, fits) => {
    expect(select(file(JSON.stringify(pattern)), { path }).length > 0).toBe(fits);
  });

  test("both names of a renamed file match, and the list is sorted by path", () => {
    const moved = { path: "src/new.ts", from: "src/old.ts" };
    const all = indexArticles([article("docs/b.md", "src/new.ts"), article("docs/a.md", "src/old.ts")]);
    expect(all([moved], local).map(({ article }) => article.path)).toEqual(["docs/a.md", "docs/b.md"]);
  });

  test("deleted, binary and empty files select documents by name", () => {
    expect(select(file("assets/logo.png"), { path: "assets/logo.png" })).toHaveLength(1);
  });

  test("a rule without a source means this repository; rules about one source do not see another", () => {
    const rules = "  - op: file\n    path: src/a.ts\n    source: other\n  - path: src/b.ts\n";
    const found = (path: string, source?: string) =>
      findAttention([page(rules)], [{ path }], source === undefined ? {} : { source }).selected.length;
    expect(found("src/a.ts")).toBe(0);
    expect(found("src/a.ts", "other")).toBe(1);
    expect(found("src/b.ts")).toBe(1);
    expect(found("src/b.ts", "other")).toBe(0);
  });

  test("a document does not watch itself", () => {
    expect(indexArticles([article("docs/a.md", "docs/**")])([{ path: "docs/a.md" }], local)).toEqual([]);
  });

  test("a file named twice is evidence once for each rule", () => {
    const [found] = select(file("src/a.ts") + file("./src/a.ts") + file('"src/*"'), { path: "src/a.ts" });
    expect(found!.evidence.map(({ pattern }) => pattern)).toEqual(["src/a.ts", "src/*"]);
  });

  test("lineage selects a page without front matter", () => {
    const pages = [{ path: "docs/a.md", text: "# A\n" }];
    const { selected } = findAttention(pages, [{ path: "src/a.ts" }], {
      lineage: { "docs/a.md": ["src/a.ts"] },
    });
    expect(selected[0]!.evidence).toEqual([
      { changedFile: "src/a.ts", pattern: "src/a.ts", matchType: "exact", source: "local", by: "lineage" },
    ]);
  });

  test("rules that cannot be read are unknown, not unconcerned; other broken front matter is none of ours", () => {
    const unknown = (text: string) =>
      findAttention([{ path: "a.md", text }], [{ path: "src/a.ts" }]).unknown.map(({ path }) => path);
    expect(unknown("---\nattention: [1\n---\n")).toEqual(["a.md"]);
    expect(unknown("---\na: [1\n---\n")).toEqual([]);
  });

  test("many documents with the same glob test each changed file once and report a limited number of matches", () => {
    const articles = Array.from({ length: 5000 }, (_, i) => article(`docs/${i}.md`, "src/**", "**/*.ts"));
    const touched = Array.from({ length: 5000 }, (_, i) => ({ path: `src/${i}.ts` }));
    const work = measureWork(() => {
      const found = indexArticles(articles)(touched, local);
      expect(found).toHaveLength(5000);
      expect(found[0]!.evidence).toHaveLength(50);
    });
    expect(work).toBeLessThan(300);
  });

  test("a thousand articles and ten thousand files are looked up, not compared one by one", () => {
    const articles = Array.from({ length: 1000 }, (_, i) => article(`docs/${i}.md`, `src/${i}.ts`));
    const touched = Array.from({ length: 10_000 }, (_, i) => ({ path: `src/${i}.ts` }));
    const work = measureWork(() => expect(indexArticles(articles)(touched, local)).toHaveLength(1000));
    expect(work).toBeLessThan(50);
  });
});
