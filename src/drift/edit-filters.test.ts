import { describe, expect, test } from "vitest";
import { type Case, type ChangedFiles, fixed, reported } from "./test-case.ts";

const RENAMED: ChangedFiles = {
  "src/client.ts": [
    "export function fetchUser(id: string) {\n  return id;\n}\nfetchUser('1');\n",
    "export function loadUser(id: string) {\n  return id;\n}\nloadUser('1');\n",
  ],
};
const PAGE = "docs/page.md";

describe("a passage is pointed at, and its words are left to a person", () => {
  const rows: [name: string, files: ChangedFiles, page: string][] = [
    ["where the line tells of the past", RENAMED, "The deprecated `fetchUser` takes an id.\n"],
    ["where the line has the new name too", RENAMED, "Use `loadUser`, not `fetchUser`.\n"],
    [
      "where a record of a run shows a value under the name",
      RENAMED,
      "```\n2024-09-28 17:27:41 call fetchUser=Fetch(1)\n```\n",
    ],
    [
      "where a list of installed packages has a version beside the name",
      RENAMED,
      "```console\n$ packages list\nclick        6.7\nfetchUser    2.10\n```\n",
    ],
    [
      "where a tree of installed packages has a version beside the name",
      RENAMED,
      "```console\n$ packages tree\n├── click@6.7.0\n└── fetchUser@2.10.0\n```\n",
    ],
    [
      "where the code fills in a value now",
      {
        "src/messages.js": [
          "export const backup = `stash h0a0s0h0 On main: automatic backup`;\n",
          `export const backup = \`stash \${hash} On main: automatic backup\`;\n`,
        ],
      },
      "```\nstash h0a0s0h0 On main: automatic backup\n```\n",
    ],
    [
      "where one of several choices is said to be the default",
      {
        "src/options.ts": [
          "export const options = {\n  provider: 'webdriver',\n};\n",
          "export const options = {\n  provider: 'preview-one',\n};\n",
        ],
      },
      "The `provider` is `'webdriver'` (default) or something of your own.\n",
    ],
  ];
  test.each(rows)("%s", async (_, files, page) => {
    const one: Case = { files, docs: { [PAGE]: page } };
    const findings = await reported(one);
    expect(findings.map(({ path }) => path)).toEqual([PAGE]);
    expect(await fixed(one, PAGE)).toBe(page);
  });
});

test("a line with more texts than anyone can pair gives no default", async () => {
  const data = (last: string): string =>
    `export const schema = {${Array.from({ length: 14 }, (_, i) => `"k${i}":"v${i}"`).join(",")},"name":"${last}"};\n`;
  const one: Case = {
    files: { "src/schema.ts": [data("alpha-value"), data("other-value").replace('"k0":"v0",', "")] },
    docs: { [PAGE]: 'Default `name`: `"alpha-value"`\n' },
  };
  expect((await reported(one)).filter(({ kind }) => kind === "value")).toEqual([]);
});

test("a default in a comment belongs to the thing that the comment describes", async () => {
  const source = (value: string): string =>
    `export interface Options {\n  /**\n   * How long to wait.\n   * @default ${value}\n   */\n  waitTime: number;\n}\n`;
  const page = "| Option | Default |\n| --- | --- |\n| `waitTime` | `1500` |\n| `default` | `1500` |\n";
  const one: Case = { files: { "src/options.ts": [source("1500"), source("2500")] }, docs: { [PAGE]: page } };
  expect(await fixed(one, PAGE)).toBe(page.replace("`waitTime` | `1500`", "`waitTime` | `2500`"));
});
