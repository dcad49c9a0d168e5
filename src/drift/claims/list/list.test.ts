import { describe, expect, test } from "vitest";
import { type Case, type ChangedFiles, fixed, reported } from "../../test-case.ts";

const options = ["region", "timeout", "retries"];
const declare = (extra: string): string =>
  `export interface Options {\n${options.map((name) => `  /** About ${name}. */\n  ${name}?: number;\n`).join("")}${extra}}\n`;
const table = (header: string, row: (name: string) => string): string =>
  `# Options\n\n${header}\n${header.replace(/[^|]+/g, " --- ")}\n${options.map((name) => `${row(name)}\n`).join("")}`;
const full = table(
  "| Option | Type | Default | Meaning |",
  (name) => `| \`${name}\` | \`number\` | \`1\` | About ${name}. |`,
);

function addition(declaration: string, page: string, rest = "const defaults = {};\n"): Case {
  const fresh = rest === "" ? "const defaults = {};\n" : rest;
  return {
    files: { "src/options.ts": [`${declare("")}const defaults = {};\n`, declare(declaration) + fresh] },
    docs: { "docs/options.md": page },
  };
}

describe("the row of something new", () => {
  const said = "  /** How many redirects to follow. */\n  maxRedirects?: number;\n";
  test("is written when the code says all that goes in it", async () => {
    const plain = full
      .replace(/ `1` \|/g, "")
      .replace(" Default |", "")
      .replace(" --- |", "");
    const one = addition(said, plain);
    const after = `${plain}| \`maxRedirects\` | \`number\` | How many redirects to follow. |\n`;
    expect(await fixed(one, "docs/options.md")).toBe(after);
    expect(await reported({ ...one, docs: { "docs/options.md": after } })).toEqual([]);
  });

  test("keeps the width of the columns and hides a bar", async () => {
    const page = table(
      "| Name           | Type             |",
      (name) => `| ${name.padEnd(14)} | number           |`,
    );
    const one = addition("  maxMoves?: 1 | Few;\n", page);
    expect(await fixed(one, "docs/options.md")).toBe(`${page}| maxMoves       | 1 \\| Few         |\n`);
  });

  const pointed: [name: string, one: Case][] = [
    ["no default is known", addition(said, full)],
    [
      "no comment is known",
      addition("  maxRedirects?: number;\n", full, "const defaults = { maxRedirects: 5 };\n"),
    ],
    [
      "a column is not understood",
      addition(
        said,
        table("| Option | Since |", (name) => `| \`${name}\` | 1.0 |`),
      ),
    ],
  ];
  test.each(pointed)("is only pointed at when %s", async (_, one) => {
    expect(await reported(one)).toMatchObject([{ kind: "list", edits: [] }]);
  });
});

test("a sample in a doc comment declares nothing: neither an entry nor a place", async () => {
  const page = `# Options\n\n${["json", ...options].map((name) => `## ${name}\n\nAbout ${name}.\n\n`).join("")}`;
  const sample =
    "  /**\n  How many redirects to follow.\n\n  const json = await send({ maxRedirects: 5 });\n  */\n";
  const after = declare(`${sample}  maxRedirects?: number;\n`).replace("{\n", "{\n  json?: unknown;\n");
  const one: Case = {
    files: { "src/options.ts": [declare("").replace("{\n", "{\n  json?: unknown;\n"), after] },
    docs: { "docs/options.md": page },
  };
  const line = page.split("\n").indexOf("## retries") + 1;
  expect(await reported(one)).toMatchObject([{ kind: "list", startLine: line }]);
  const commented = declare(`  /**\n  maxRedirects: 5,\n  */\n`);
  expect(await reported({ ...one, files: { "src/options.ts": [declare(""), commented] } })).toEqual([]);
});

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

describe("an enumeration in a sentence", () => {
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
      "One of `low` or `high`.\n",
    ],
  ];
  test.each(rows)("%s", async (_, one, after) => {
    expect(await fixed(one, "a.md")).toBe(after);
    expect((await reported({ ...one, docs: { "a.md": after } })).flatMap(({ edits }) => edits)).toEqual([]);
  });

  const unaffected: [name: string, text: string][] = [
    ["two members of an unnamed list", "Choose `eu` or `us`.\n"],
    ["two other names of these letters", "## Region\n\nEither `EU` or `Us`.\n"],
    ["a longer list", "## Region\n\n`eu`, `us` or `moon`.\n"],
    ["words without marks", "## Region\n\nthe eu or us offices\n"],
    ["some of the members", "## Region\n\nUse `eu`.\n"],
  ];
  test.each(unaffected)("nothing is said about %s", async (_, text) => {
    expect(await reported({ files: FILES, docs: { "a.md": text } })).toEqual([]);
  });
});

test("flags that a library may add to the parser now are not gone", async () => {
  const flags = ["colour", "depth", "context"].map(
    (name) => `\tfs.StringVar(&o.${name}, "${name}", "", "The ${name}")\n`,
  );
  const code = (lines: readonly string[]): string =>
    `package cmd\n\nfunc (o *options) add(fs *pflag.FlagSet) {\n${lines.join("")}}\n`;
  const docs = {
    "README.md":
      "# Gull\n\n| Flag | Use |\n| --- | --- |\n| `--colour` | a |\n| `--depth` | b |\n| `--context` | c |\n",
  };
  const change = (after: readonly string[]): Case => ({
    files: { "cmd/cmd.go": [code(flags), code(after)] },
    docs,
  });
  expect(await reported(change(flags.slice(0, 2)))).not.toEqual([]);
  expect(await reported(change([...flags.slice(0, 2), "\to.configFlags.AddFlags(fs)\n"]))).toEqual([]);
});
