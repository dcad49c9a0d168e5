import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { indexLines } from "../model/lines.ts";
import { explainMiss } from "./explain.ts";

const page = [
  "# Title",
  "",
  "Install with `npm i`.",
  "",
  "    const a = 1;",
  "The “Timeout” is 30.",
  "last line",
].join("\n");

test.each([
  ["with context on both sides", "a one\nb tow\nc three\n", "a one\nc three\n"],
  ["with context above only", "a one\nb tow\n", "a one\n"],
])("a misquoted deletion of whole lines %s is not called applied", (_, quote, replacement) => {
  expect(explainMiss("a one\nb two\nc three\na one\nc three\n", quote, replacement).cause).not.toBe(
    "already-applied",
  );
});

describe("a miss is explained", () => {
  const rows: [string, string, Record<string, unknown>][] = [
    ["indentation", "const a = 1;\nThe “Timeout” is 30.", { differsAt: 5, difference: "indentation" }],
    ["white space", "Install  with `npm i`.", { differsAt: 3, difference: "white-space" }],
    ["other white space in a part of a line", "a  = 1", { differsAt: 5, difference: "white-space" }],
    [
      "a last line that is not whole, in another indentation",
      "Install with `npm i`.\n\n  const a",
      { startLine: 3, differsAt: 5, difference: "indentation" },
    ],
    [
      "a first line without its beginning",
      "with `npm i`.\n\n    const b = 1;",
      { startLine: 3, differsAt: 5, difference: "one-token" },
    ],
    ["case", "install with `npm i`.", { differsAt: 3, difference: "case" }],
    ["quotes", 'The "Timeout" is 30.', { differsAt: 6, difference: "quotes" }],
    [
      "one token",
      "The “Timeout” is 60.",
      {
        differsAt: 6,
        difference: "one-token",
        expected: "The “Timeout” is 60.",
        found: "The “Timeout” is 30.",
      },
    ],
    [
      "a line too many",
      "Install with `npm i`.\nfoo bar\n\n    const a = 1;\nThe “Timeout” is 30.",
      { startLine: 2 },
    ],
  ];
  test.each(rows)("%s", (_, quote, passage) => {
    const { cause, nearest } = explainMiss(page, quote);
    expect(cause).toBe("nearby");
    expect(nearest[0]).toMatchObject(passage);
  });

  test("already applied", () => {
    const { cause, nearest } = explainMiss(page, "Install with `yarn`.", "Install with `npm i`.");
    expect(cause).toBe("already-applied");
    expect(nearest[0]?.difference).not.toBe("white-space");
  });
  test("escaped text", () => {
    expect(explainMiss("a b\nc d\n", "a b\\nc d").cause).toBe("escaped-text");
    expect(explainMiss('say "x"\n', 'say \\"x\\"').cause).toBe("escaped-text");
  });
  test("line-number prefixes quoted", () => {
    expect(explainMiss("alpha\nbeta\n", "  1\talpha\n  2\tbeta").cause).toBe("line-number-prefixes");
    expect(explainMiss("alpha\nbeta\n", "1 | alpha\n2 | beta").cause).toBe("line-number-prefixes");
  });
  test("a blank quotation", () => {
    expect(explainMiss("a", " \t").cause).toBe("blank");
  });
  test("nothing like it", () => {
    expect(explainMiss("a\nb\n", "completely different")).toEqual({ nearest: [] });
  });
});

test("any miss is explained without throwing, and line numbers exist", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
      (text, quote) => {
        const count = Math.max(1, indexLines(text).starts.length);
        for (const passage of explainMiss(text, quote, text.slice(0, 5)).nearest) {
          expect(passage.startLine).toBeGreaterThanOrEqual(1);
          expect(passage.endLine).toBeLessThanOrEqual(count);
        }
      },
    ),
    { numRuns: 10_000 },
  );
});

describe("the explanation of a miss is bounded", () => {
  const size = 1_000_000;
  const words = Array.from({ length: 40_000 }, (_, i) => `word${i * 7919} value = ${i};`);
  const rows: [string, string, string][] = [
    ["identical lines", "same line here\n".repeat(size / 15), `${"same line here\n".repeat(5000)}other`],
    ["one line of a megabyte", "ab ".repeat(size / 3), "ab cd ef"],
    ["all near misses", words.join("\n"), words.slice(100, 20_000).join("\n").replace("value", "valeu")],
    ["all upper case", words.join("\n"), words.slice(100, 200).join("\n").toUpperCase()],
    ["periodic", "a".repeat(size), `${"a".repeat(size / 2)}b`],
    ["backslashes", "\\".repeat(size), `${"\\".repeat(size / 2)}n`],
    ["digits and bars", "1|\n".repeat(size / 3), `${"1|\n".repeat(size / 6)}x`],
    ["blank lines", "\n".repeat(size), `${"\n".repeat(size / 2)}x y z w`],
    ["white space", " \t".repeat(size / 2), `${" ".repeat(size / 2)}x`],
  ];
  test.each(rows)("%s", (_, text, quote) => {
    expect(measureWork(() => explainMiss(text, quote, quote.slice(0, 1000)))).toBeLessThan(25);
  });
});

describe("a text of many like passages", () => {
  const names = [
    "ahash",
    "anstream",
    "anstyle",
    "bitflags",
    "bytes",
    "clap",
    "either",
    "indoc",
    "itoa",
    "libc",
  ];
  const lock = names
    .map((name, i) => `[[package]]\nname = "${name}"\nversion = "0.${i}.1"\nsource = "registry"\n`)
    .join("\n");
  const passage = '[[package]]\nname = "indoc"\nversion = "0.7.1"\nsource = "registry"';
  const line = lock.slice(0, lock.indexOf(passage)).split("\n").length;

  test.each([
    ["typographic quotes", passage.replace(/"([^"]*)"/g, "“$1”")],
    ["one wrong word", passage.replace("registry", "repository")],
    ["other case", passage.replace("package", "Package").replace("version", "Version")],
  ])("the passage that is meant comes first: %s", (_, quote) => {
    expect(explainMiss(lock, quote).nearest[0]?.startLine).toBe(line);
  });
});
