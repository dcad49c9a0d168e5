import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutHunks, excerptDiff, type FilePatch } from "./diff-excerpt.ts";
import { findNeighbours } from "./neighbours.ts";
import { describeProject } from "./project-brief.ts";
import { cutPassages, rankPassages } from "./ranking.ts";
import type { RepositoryIndex } from "./repository-index.ts";
import { skeletonOf } from "./skeleton.ts";
import { contextBudget, gatherSources, type Sources } from "./source-context.ts";

function sourcesOf(files: Record<string, string>): Sources {
  return { paths: Object.keys(files).sort(), read: async (path) => files[path] ?? null };
}

test("a project is described without the marks and the empty lines of its page", async () => {
  const readme = "<div>\n\t<p>\n\t\t<b>Sponsors.</b><br>Thanks.\n\t</p>\n\t\n</div>\n\n\nAcme sends mail.\n";
  const index = { ...sourcesOf({ "README.md": readme }) } as RepositoryIndex;
  expect(await describeProject("acme", index)).toBe(
    "Project: acme\n\nSponsors.  Thanks.\n\nAcme sends mail.",
  );
});

describe("skeletons", () => {
  test("keep signatures and comments and drop bodies", async () => {
    const code =
      "/** Adds. */\nexport function add(a: number, b = 2): number {\n  const secret = 1;\n  return a + b;\n}\nclass Box {\n  open(force?: boolean) {\n    inner();\n  }\n}\n";
    const skeleton = await skeletonOf("src/a.ts", code);
    expect(skeleton).toContain("/** Adds. */\nexport function add(a: number, b = 2): number { … }");
    expect(skeleton).toMatch(/open\(force\?: boolean\) \{ … \}/);
    expect(skeleton).not.toMatch(/secret|inner/);
  });

  test("keep a docstring, which is part of the body", async () => {
    const code = 'def get(url):\n    """Fetch a page."""\n    hidden = 1\n    return hidden\n';
    const skeleton = await skeletonOf("a.py", code);
    expect(skeleton).toContain('"""Fetch a page."""');
    expect(skeleton).not.toContain("hidden");
  });

  test("a file in an unknown language stays unchanged", async () => {
    expect(await skeletonOf("a.cobol", "MOVE A TO B.")).toBe("MOVE A TO B.");
  });
});

describe("context", () => {
  const files = {
    "src/client.ts": 'import { wait } from "./wait.js";\nexport function get() { return wait(); }\n',
    "src/wait.ts": "export const wait = () => 1;\n",
    "src/other.ts": "export const other = 1;\n",
    "test/client.test.ts": "test('get', () => get());\n",
  };

  test("takes what is named, what that imports, and its test as an example", async () => {
    const { text, sources } = await gatherSources(sourcesOf(files), ["src/client.ts", "src/gone.ts"]);
    expect(sources).toEqual(["src/client.ts", "test/client.test.ts", "src/wait.ts"]);
    expect(text).toContain("test/client.test.ts (a test, as an example of usage)");
    expect(text).not.toContain("other");
  });

  test("names the sources that there is no room for", async () => {
    const two = {
      "src/a.ts": "export const a = 1;\n".repeat(900),
      "src/b.ts": "export const b = 1;\n".repeat(900),
    };
    const budget = { ...contextBudget({ callsTools: false }, 1000), named: 1000 };
    const { text } = await gatherSources(sourcesOf(two), Object.keys(two), { budget });
    expect(text).toContain("sources that are not shown =====\nsrc/b.ts");
  });

  test("follows Python's imports from the root of the project", async () => {
    const python = {
      "acme/__init__.py": "from acme.core import Client\n",
      "acme/core.py": "class Client:\n    pass\n",
    };
    const { sources } = await gatherSources(sourcesOf(python), ["acme/__init__.py"]);
    expect(sources).toEqual(["acme/__init__.py", "acme/core.py"]);
  });

  test("takes no helper of the tests for an example", async () => {
    const index = {
      "src/index.ts": "export const a = 1;\n",
      "test/helpers/index.ts": "export const wait = 1;\n",
    };
    const { sources } = await gatherSources(sourcesOf(index), ["src/index.ts"]);
    expect(sources).toEqual(["src/index.ts"]);
  });

  test.each([
    ["a model of one's own server", { callsTools: false }, null, 20_000],
    ["a model of a large provider", { callsTools: true }, null, 60_000],
    ["the user's own limit", { callsTools: true }, 5000, 5000],
  ])("has the size for %s", (_, model, length, total) => {
    expect(contextBudget(model, length).total).toBe(total);
  });

  test("a file of 5 MB gets only its share of the context, and the selection is deterministic", async () => {
    const huge = { ...files, "src/client.ts": `${"// steer\n".repeat(600_000)}` };
    const named = ["src/client.ts", "src/other.ts", "src/wait.ts"];
    const { text, sources } = await gatherSources(sourcesOf(huge), named);
    expect(sources).toEqual(expect.arrayContaining(["src/other.ts", "src/wait.ts"]));
    expect(text.length).toBeLessThan(21_000);
    expect((await gatherSources(sourcesOf(huge), named)).text).toBe(text);
  });

  test("never passes its budget", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `src/f${i}.ts`,
        `export const v${i} = 1; // ${"x".repeat(900)}\n`,
      ]),
    );
    const { text } = await gatherSources(sourcesOf(many), Object.keys(many));
    expect(text.length).toBeLessThanOrEqual(20_500);
  });
});

describe("neighbours", () => {
  const texts: Record<string, string> = {
    "src/client.ts": "export class HttpClient { getJson() {} }\nexport const retryLimit = 3;\n",
    "src/uses.ts": 'import { HttpClient } from "./client.ts";\nnew HttpClient().getJson();\n',
    "src/other.ts": "export function unrelatedThing() {}\n",
  };
  const sources = { code: Object.keys(texts), read: async (path: string) => texts[path] ?? null };

  test("are the files that declare what the page writes as code, not those that only use it", async () => {
    const page = "Use `HttpClient` and `client.getJson()`; see `unrelatedThing` and the word value.";
    expect(await findNeighbours(sources, page, 5)).toEqual(["src/client.ts", "src/other.ts"]);
    expect(await findNeighbours(sources, page, 1)).toEqual(["src/client.ts"]);
  });

  test("plain words and undeclared names find none", async () => {
    expect(await findNeighbours(sources, "HttpClient in prose, `value`, `notDeclaredHere`.", 5)).toEqual([]);
  });
});

describe("the diff of a page", () => {
  const hunk = (n: number, size: number): string =>
    `@@ -${n},1 +${n},1 @@\n-${"a".repeat(size)}\n+${"b".repeat(size)}\n`;
  const patch = (path: string, sizes: readonly number[]): FilePatch => ({
    path,
    patch: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${sizes.map((size, i) => hunk(i + 1, size)).join("")}`,
  });

  test("is never cut inside a hunk, and says what it leaves out", () => {
    const size = fc.integer({ min: 1, max: 3000 });
    const change = fc.array(fc.array(size, { maxLength: 6 }), { maxLength: 6 });
    fc.assert(
      fc.property(change, fc.integer({ min: 0, max: 12_000 }), (files, budget) => {
        const patches = files.map((sizes, i) => patch(`src/f${i}.ts`, sizes));
        const { text, hunksLeftOut } = excerptDiff(patches, budget);
        const whole = files.flatMap((sizes) => sizes.map((size, i) => hunk(i + 1, size)));
        const shown = text.match(/^@@ /gm)?.length ?? 0;
        expect(shown + hunksLeftOut).toBe(whole.length);
        for (const start of text.matchAll(/^@@ /gm))
          expect(whole.some((one) => text.startsWith(one.trimEnd(), start.index))).toBe(true);
      }),
    );
  });

  test("later files are still seen when an early one is huge", () => {
    const { text, shown } = excerptDiff(
      [patch("src/a.ts", Array(50).fill(500)), patch("src/z.ts", [10])],
      15_000,
    );
    expect(shown).toEqual(["src/a.ts", "src/z.ts"]);
    expect(text).toMatch(/more hunks of this file not shown/);
  });

  test("product code comes first, and generated files and tests do not displace it", () => {
    const generated = patch("lib/a-validator.js", [2500]);
    const marked = { ...generated, patch: `${generated.patch}+// This file is autogenerated, do not edit\n` };
    const { shown, text } = excerptDiff(
      [marked, patch("test/b.test.js", [2500]), patch("lib/route.js", [2500])],
      6000,
    );
    expect(shown).toEqual(["lib/route.js"]);
    expect(text).toMatch(/not shown[\s\S]*a-validator/);
  });

  test("a pure rename shows its header", () => {
    expect(cutHunks("diff --git a/x b/y\nrename from x\nrename to y\n")).toEqual({
      header: "diff --git a/x b/y\nrename from x\nrename to y\n",
      hunks: [],
    });
    expect(
      excerptDiff([{ path: "y", from: "x", patch: "rename from x\nrename to y\n" }], 1000).text,
    ).toContain("x → y");
  });
});

describe("retrieval", () => {
  const passages = [
    ...cutPassages("docs/retry.md", "# Retries\n\nSet max retries to try again.\n"),
    ...cutPassages("docs/other.md", "# Colours\n\nNothing about it.\n"),
  ];

  test("names in any style meet the words of the page", () => {
    expect(rankPassages(passages)("maxRetries", 1)).toMatchObject([{ path: "docs/retry.md", line: 1 }]);
    expect(rankPassages(passages)("zebra", 5)).toEqual([]);
    expect(rankPassages([])("x", 5)).toEqual([]);
  });

  test("passages hold every line of a file once", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("word", "", "more words"), { maxLength: 200 }), (lines) => {
        const words = lines.filter((line) => line !== "").length;
        const cut = cutPassages("a.md", lines.join("\n"));
        expect(cut.flatMap(({ text }) => text.split("\n")).filter((line) => line !== "")).toHaveLength(words);
      }),
    );
  });
});
