import { describe, expect, test } from "vitest";
import { type Case, type ChangedFiles, fixed, reported } from "../test-case.ts";

const FILES: ChangedFiles = {
  "src/region.ts": ['export type Region = "eu" | "us";\n', 'export type Region = "eu" | "us" | "asia";\n'],
};
const LEVELS: ChangedFiles = {
  "src/log.py": [
    'parser.add_argument("--level", choices=["low", "mid", "high"])\n',
    'parser.add_argument("--level", choices=["low", "high"])\n',
  ],
  "src/level.ts": ['const levels = ["low", "mid", "high"];\n', 'const levels = ["low", "high"];\n'],
};

describe("G enumerations", () => {
  const rows: [name: string, one: Case, after: string][] = [
    [
      "a type block that copies the members",
      { files: FILES, docs: { "a.md": '```ts\ntype Region = "eu" | "us";\n```\n' } },
      '```ts\ntype Region = "eu" | "us" | "asia";\n```\n',
    ],
    [
      "a sentence under the owner's heading",
      { files: FILES, docs: { "a.md": "## Region\n\nEither `eu` or `us`.\n" } },
      "## Region\n\nEither `eu`, `us` or `asia`.\n",
    ],
    [
      "three members need no owner",
      { files: LEVELS, docs: { "a.md": "One of `low`, `mid`, or `high`.\n" } },
      "One of `low`, or `high`.\n",
    ],
  ];
  test.each(rows)("%s", async (_, one, after) => {
    expect(await fixed(one, "a.md")).toBe(after);
    expect((await reported({ ...one, docs: { "a.md": after } })).flatMap(({ edits }) => edits)).toEqual([]);
  });

  const unaffected: [name: string, text: string][] = [
    ["two members of an unnamed list", "Choose `eu` or `us`.\n"],
    ["a longer list", "## Region\n\n`eu`, `us` or `moon`.\n"],
    ["another order", "## Region\n\n`us` or `eu`.\n"],
    ["words without marks", "## Region\n\nthe eu or us offices\n"],
    ["some of the members", "## Region\n\nUse `eu`.\n"],
  ];
  test.each(unaffected)("nothing is said about %s", async (_, text) => {
    expect(await reported({ files: FILES, docs: { "a.md": text } })).toEqual([]);
  });
});
