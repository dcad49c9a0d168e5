import { describe, expect, test } from "vitest";
import { type Case, fixed, reported } from "../test-case.ts";

const scripts = (entries: Record<string, string>): string =>
  `${JSON.stringify({ name: "a", scripts: entries }, null, 2)}\n`;
const RENAMED = {
  "package.json": [
    scripts({ build: "tsc", "test:unit": "node --test" }),
    scripts({ build: "tsc", test: "node --test" }),
  ] as [string, string],
};

describe("I scripts", () => {
  const rows: [name: string, one: Case, after: string][] = [
    [
      "npm run in a code span",
      { files: RENAMED, docs: { "README.md": "Run `npm run test:unit`.\n" } },
      "Run `npm run test`.\n",
    ],
    [
      "other package managers in a sample, arguments kept",
      {
        files: RENAMED,
        docs: { "README.md": "```sh\nyarn test:unit --watch\npnpm run test:unit\n```\n" },
      },
      "```sh\nyarn test --watch\npnpm run test\n```\n",
    ],
    [
      "a target of a makefile",
      {
        files: {
          Makefile: [
            "lint:\n\tbiome check\ncheck-all: lint\n\tvitest\n",
            "lint:\n\tbiome check\nverify: lint\n\tvitest\n",
          ],
        },
        docs: { "README.md": "`make check-all`\n" },
      },
      "`make verify`\n",
    ],
  ];
  test.each(rows)("%s", async (_, one, after) => {
    expect(await fixed(one, Object.keys(one.docs)[0]!)).toBe(after);
  });

  const untouched: [name: string, one: Case, said: number][] = [
    [
      "a makefile that takes any target",
      {
        files: { Makefile: ["html:\n\tsphinx-build\n", "%:\n\tsphinx-build -M $@\n"] },
        docs: { "README.md": "`make html`\n" },
      },
      0,
    ],
    ["a longer name", { files: RENAMED, docs: { "README.md": "`npm run test:unit:watch`\n" } }, 0],
    ["another command", { files: RENAMED, docs: { "README.md": "`deno task test:unit`\n" } }, 0],
    [
      "a package beside it that has the script still",
      {
        files: RENAMED,
        docs: { "README.md": "`npm run test:unit`\n" },
        rest: { "packages/b/package.json": scripts({ "test:unit": "x" }) },
      },
      0,
    ],
    [
      "two scripts with the same command: no edit",
      {
        files: { "package.json": [scripts({ "test:unit": "x" }), scripts({ one: "x", two: "x" })] },
        docs: { "README.md": "`npm run test:unit`\n" },
      },
      1,
    ],
    [
      "a removed script: no edit",
      {
        files: { "package.json": [scripts({ build: "tsc", bench: "node b" }), scripts({ build: "tsc" })] },
        docs: { "README.md": "`npm run bench`\n" },
      },
      1,
    ],
  ];
  test.each(untouched)("no edit: %s", async (_, one, said) => {
    const findings = await reported(one);
    expect(findings.flatMap(({ edits }) => edits)).toEqual([]);
    expect(findings).toHaveLength(said);
  });
});
