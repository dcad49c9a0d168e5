import { describe, expect, test } from "vitest";
import { findDrift } from "../find-drift.ts";
import { type Case, type ChangedFiles, toInput } from "../test-case.ts";
import { sourcesOf } from "./translations.ts";

const RENAMED: ChangedFiles = {
  "src/client.ts": [
    "export function fetchUser(id: string) {\n  return id;\n}\n",
    "export function loadUser(id: string) {\n  return id;\n}\n",
  ],
};

describe("a translation of a page that became false", () => {
  const rows: [name: string, one: Case, lagging: [string, number][]][] = [
    [
      "is named once, where it has the words",
      {
        files: RENAMED,
        docs: { "README.md": "`fetchUser`\n`fetchUser`\n", "README.zh-CN.md": "# 一\n\n`fetchUser`\n" },
      },
      [["README.zh-CN.md", 3]],
    ],
    [
      "in a folder of its language",
      { files: RENAMED, docs: { "docs/en/a.md": "`fetchUser`\n", "docs/fr/a.md": "Autre chose.\n" } },
      [["docs/fr/a.md", 1]],
    ],
    [
      "of a page that the change itself edits",
      { files: {}, docs: { "docs/a.md": "new\n", "docs/ja/a.md": "old\n" }, was: { "docs/a.md": "old\n" } },
      [["docs/ja/a.md", 1]],
    ],
    [
      "is not named when the change edits it too",
      {
        files: {},
        docs: { "docs/a.md": "new\n", "docs/ja/a.md": "new\n" },
        was: { "docs/a.md": "old\n", "docs/ja/a.md": "old\n" },
      },
      [],
    ],
    [
      "is not named for a page that stays true",
      { files: RENAMED, docs: { "README.md": "a\n", "README.fr.md": "b\n" } },
      [],
    ],
  ];
  test.each(rows)("%s", async (_, one, lagging) => {
    const { findings } = await findDrift(toInput(one));
    const found = findings.filter(({ kind }) => kind === "translation");
    expect(found.map(({ path, startLine }) => [path, startLine])).toEqual(lagging);
    expect(found.every(({ tier, edits }) => tier === "possible" && edits.length === 0)).toBe(true);
  });
});

test.each([
  ["i18n/fr/docusaurus-plugin-content-docs/current/a/b.md", "docs/a/b.md"],
  ["docs/zh-CN/guide.md", "docs/guide.md"],
  ["docs/zh-CN/guide.md", "docs/en/guide.md"],
  ["translations/de/README.md", "README.md"],
  ["guide_ja.md", "guide.md"],
])("%s may translate %s", (path, source) => {
  expect(sourcesOf(path)).toContain(source);
});

test("possible findings come last, pages that often changed with these files first", async () => {
  const files: ChangedFiles = {
    "src/client.ts": [
      "export function fetchUser() {}\nexport function reload() {}\n",
      "export function loadUser() {}\n",
    ],
  };
  const docs = {
    "a.md": "Then `reload` it.\n",
    "b.md": "Then `reload` it.\n",
    "c.md": "Call `fetchUser`.\n",
  };
  const order = async (paths: string[][]) => {
    const past = async () => paths.map((one) => ({ paths: one }));
    return (await findDrift({ ...toInput({ files, docs }), past })).findings.map(({ path }) => path);
  };
  expect(await order([])).toEqual(["c.md", "a.md", "b.md"]);
  expect(
    await order([
      ["src/client.ts", "b.md"],
      ["src/client.ts", "b.md"],
    ]),
  ).toEqual(["c.md", "b.md", "a.md"]);
});
