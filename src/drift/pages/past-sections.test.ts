import { expect, test } from "vitest";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { findPastRegions } from "./past-sections.ts";

const pastOf = (text: string): string[] =>
  findPastRegions(text, outlineDocument("a.md", text)).map(({ start, end }) => text.slice(start, end).trim());

test.each([
  "Changelog",
  "Release notes",
  "What's new in 3.0",
  "Migrating from v1",
  "Migration guide",
  "Breaking changes",
  "Upgrading from 2.x",
  "Updating to MiniLayout 3",
  "[1.4.0] - 2024-03-01",
  "v2.1.0",
  "2024-03-01",
  "Unreleased",
])("a section %j describes the past up to the next heading of its depth", (title) => {
  const section = `## ${title}\n\n### Added\n\n- \`a\``;
  expect(pastOf(`# A\n\nText.\n\n${section}\n\n## Use\n\nText.\n`)).toEqual([section]);
});

test.each([
  "Migrations",
  "Upgrade",
  "History",
  "2.1 Installing",
  "Changing the port",
  "Releasing memory",
  "Portable builds",
  "Updating to a new address",
])("a section %j is about today", (title) => {
  expect(pastOf(`# A\n\n## ${title}\n\nText.\n`)).toEqual([]);
});

test("a sample that its label calls old describes the past", () => {
  expect(pastOf("# A\n\nv2 code:\n\n```js\nold();\n```\n\nNow:\n\n```js\nnow();\n```\n")).toEqual([
    "```js\nold();\n```",
  ]);
});

test("a table of old and new names describes the past", () => {
  const table = "| Old path | New path |\n|---|---|\n| `a` | `b` |\n";
  const versions = "| 3.x | main |\n|---|---|\n| `c` | `d` |\n";
  const plain = "| Option | Default |\n|---|---|\n| `e` | `f` |\n";
  const text = `# T\n\n${table}\nText.\n\n${versions}\nText.\n\n${plain}`;
  // The region ends with the last cell, before the mark that closes its row.
  expect(pastOf(text)).toEqual([table, versions].map((one) => one.slice(0, -" |\n".length)));
});
