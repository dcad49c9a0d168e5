import { describe, expect, test } from "vitest";
import { type Case, fixed, reported } from "../test-case.ts";

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

describe("N the row of something new", () => {
  const said = "  /** How many redirects to follow. */\n  maxRedirects?: number;\n";
  test("is written when the code says all that goes in it", async () => {
    const one = addition(said, full, "const defaults = { maxRedirects: 5 };\n");
    const after = `${full}| \`maxRedirects\` | \`number\` | \`5\` | How many redirects to follow. |\n`;
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
    expect(await reported(one)).toMatchObject([{ kind: "sibling", edits: [] }]);
  });
});

test("a constant beside options is no option", async () => {
  expect(await reported(addition("  DEFAULT_DEPTH?: number;\n", full))).toEqual([]);
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
  expect(await reported(one)).toMatchObject([{ kind: "sibling", startLine: line }]);
  const commented = declare(`  /**\n  maxRedirects: 5,\n  */\n`);
  expect(await reported({ ...one, files: { "src/options.ts": [declare(""), commented] } })).toEqual([]);
});
