import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applySplices } from "../model/splice.ts";
import { locateQuote } from "./locate.ts";

const laid = (text: string, quote: string, replacement: string): string | undefined => {
  const located = locateQuote(text, { quote, fit: "layout" }, replacement);
  return located.ok ? applySplices(text, located.value.splices) : undefined;
};

describe("the layout fit", () => {
  const rows: [string, string, string, string, string | undefined][] = [
    [
      "indentation shifted, new text shifted along",
      "class A:\n    def f(self):\n        x = 1\n        return x\n",
      "def f(self):\n    x = 1\n    return x",
      "def f(self):\n    x = 2\n    if x:\n        return y\n    return x",
      "class A:\n    def f(self):\n        x = 2\n        if x:\n            return y\n        return x\n",
    ],
    [
      "new text that is indented like the file stays as it is",
      "class A:\n    def f(self):\n        x = 1\n        return x\n",
      "def f(self):\n    x = 1\n    return x",
      "    def f(self):\n        x = 2\n        if x:\n            return y\n        return x",
      "class A:\n    def f(self):\n        x = 2\n        if x:\n            return y\n        return x\n",
    ],
    [
      "a line that moved into a block looks like the file by chance",
      "def f():\n    x = a()\n\n    yield x\n",
      "def f():\n  x = a()\n\n  yield x",
      "def f():\n  with a() as x:\n    yield x",
      undefined,
    ],
    [
      "lines of a comment whose depth may have been lost leave it open",
      "import a\n\nmake({\n  b,\n});\n",
      "import a\n\nmake({\n b,\n});",
      "import a\n\n/**\n* Makes.\n*/\nmake({\n b,\n});",
      undefined,
    ],
    [
      "a line in the place of a blank line is indented like those beside it",
      "a {\n  b;\n\n  d;\n}\n",
      "b;\n\nd;",
      "b;\n// c\nd;",
      "a {\n  b;\n  // c\n  d;\n}\n",
    ],
    [
      "a blank line in the place of a line gets no blanks",
      "a {\n  b;\n  // c\n  d;\n}\n",
      "b;\n// c\nd;",
      "b;\n\nd;",
      "a {\n  b;\n\n  d;\n}\n",
    ],
    [
      "a comment one blank short at the margin gets its blank from the quoted comment",
      "a;\n\n/**\n * B.\n */\nfunction b() {\n    c;\n}\n",
      "/**\n* B.\n*/\nfunction b() {\n   c;\n}",
      "/**\n* B.\n*\n* Twice.\n*/\n#[D]\nfunction b() {\n   c;\n   d;\n}",
      "a;\n\n/**\n * B.\n *\n * Twice.\n */\n#[D]\nfunction b() {\n    c;\n    d;\n}\n",
    ],
    [
      "items of a list at the margin are no comment",
      ".. a::\n    :b:\n\n* c\n",
      ".. a::\n   :b:\n\n* c",
      ".. a::\n   :b:\n\n* d\n   * e\n\n* c",
      ".. a::\n    :b:\n\n* d\n    * e\n\n* c\n",
    ],
    [
      "of two readings the one that keeps to the units of the file",
      "def f():\n    a()\n\n\ndef g():\n    b()\n",
      "  a()\n\n\ndef g():",
      "  a()\n\n\ndef h():\n  if x:\n    c()\n\n\ndef g():",
      "def f():\n    a()\n\n\ndef h():\n    if x:\n        c()\n\n\ndef g():\n    b()\n",
    ],
    [
      "lines that go deeper one unit at a time",
      "<a>\n    <b>\n        c\n    </b>\n</a>\n",
      "<a>\n  <b>\n    c\n  </b>\n</a>",
      "<a>\n  <b>\n    <d>\n      <e>\n        f\n      </e>\n    </d>\n    c\n  </b>\n</a>",
      "<a>\n    <b>\n        <d>\n            <e>\n                f\n            </e>\n        </d>\n        c\n    </b>\n</a>\n",
    ],
    [
      "a line that is aligned by hand leaves other units open",
      "<a>\n    <b>\n        c\n    </b>\n</a>\n",
      "<a>\n  <b>\n    c\n  </b>\n</a>",
      "<a>\n  <b>\n    d(x,\n        y)\n    c\n  </b>\n</a>",
      undefined,
    ],
    [
      "a new line of blanks leaves its depth open",
      "a {\n    b;\n    c;\n}\n",
      "a {\n  b;\n  c;\n}",
      "a {\n  b;\n  \n  d;\n  c;\n}",
      undefined,
    ],
    [
      "a line of blanks in the place of a line leaves its depth open",
      "a {\n    b;\n    c;\n}\n",
      "a {\n  b;\n  c;\n}",
      "a {\n  \n  c;\n}",
      undefined,
    ],
    [
      "new lines with other blanks than the quotation leave it open",
      "a {\n    b;\n}\n",
      "   b;\n}",
      "   b;\n}\nc {\n\td;\n}",
      undefined,
    ],
    [
      "a line with other blanks in the place of a line leaves it open",
      "a (\n  b\n  c\n)\n",
      "a (\n b\n c\n)",
      "a (\n\td\n c\n)",
      undefined,
    ],
    [
      "a byte order mark that the caller quotes is not written twice",
      "\uFEFFa:\n    b\n",
      "\uFEFFa:\n  b",
      "\uFEFFa:\n  b\n  c",
      "\uFEFFa:\n    b\n    c\n",
    ],
    [
      "a byte order mark that the new text begins with is written",
      "a:\n    b\n",
      "a:\n  b",
      "\uFEFFa:\n    b\n    c",
      "\uFEFFa:\n    b\n    c\n",
    ],
    [
      "tabs for the quotation's spaces stay as they are",
      "f {\n\tif x {\n\t\ty\n\t}\n}\n",
      "    if x {\n        y\n    }",
      "\tif x {\n\t\tz\n\t\tw\n\t}",
      "f {\n\tif x {\n\t\tz\n\t\tw\n\t}\n}\n",
    ],
    [
      "shared lines that are indented here like the quotation and there like the file leave it open",
      "class A:\n    def f(self):\n        x = 1\n        return x\n",
      "def f(self):\n    x = 1\n    return x",
      "def f(self):\n    x = 2\n    if x:\n        return x",
      undefined,
    ],
    [
      "a line that is put into a block, and then is indented like the file by chance, leaves it open",
      "def f():\n    a()\n",
      "a()\n",
      "if x:\n    a()\n",
      undefined,
    ],
    [
      "a line that is taken out of a block, and then is indented like the quotation by chance, leaves it open",
      "def f():\n    if x:\n        a()\n",
      "if x:\n    a()",
      "    a()",
      undefined,
    ],
    [
      "new text that only adds blank lines, and is indented like the file, leaves it open",
      "```\n@a\ndef f():\n   pass\n```\n",
      "@a\ndef f():\n  pass\n```",
      "@a\n\ndef f():\n   pass\n```",
      undefined,
    ],
    [
      "lines that replace others in their place get the indentation of those, whatever it is",
      '[dep]\nversion = 1\nlist = [\n "a",\n]\n',
      '[dep]\nversion = 1\nlist = [\n"a",\n]',
      '[dep]\nversion = 2\nlist = [\n"a",\n]',
      '[dep]\nversion = 2\nlist = [\n "a",\n]\n',
    ],
    [
      "no shared line leaves it open",
      "class A:\n    def f(self):\n        x = 1\n",
      "def f(self):\n    x = 1",
      "  def g(self):\n    pass\n\n  def h(self):\n    pass",
      undefined,
    ],
    [
      "a new line at the margin, where the quotation has none, leaves it open",
      "def f():\n    a()\n    b()\n",
      "   a()\n   b()",
      "   a()\n   b()\n\ndef g():\n   c()",
      undefined,
    ],
    [
      "lines at the margin stay there while the others are one space short",
      "def f():\n    a()\n\ndef g():\n    b()\n",
      "   a()\n\ndef g():\n   b()",
      "   a()\n\ndef g():\n   if x:\n       c()\n   b()",
      "def f():\n    a()\n\ndef g():\n    if x:\n        c()\n    b()\n",
    ],
    [
      "a changed blank at the end of a shared line is a change",
      "a:\n    - x \n    - y\n",
      "  - x \n  - y",
      "    - x\n    - y",
      "a:\n    - x\n    - y\n",
    ],
    [
      "a quotation that begins inside the indentation of its line",
      "f:\n    a\nb\n",
      "  a\nb",
      "    a\nc\nb",
      "f:\n    a\nc\nb\n",
    ],
    ["trailing blanks", "a  \nb\n", "a\nb\n", "a\nc\n", "a  \nc\n"],
    [
      "look-alikes stay where the text stays",
      "say(‘x’)  \nend\n",
      "say('x')\nend",
      "say('y')\nend",
      "say(‘y’)\nend\n",
    ],
    [
      "spaces quoted for tabs",
      "f {\n\tif x {\n\t\ty\n\t}\n}\n",
      "    if x {\n        y\n    }",
      "    if x {\n        z\n    }",
      "f {\n\tif x {\n\t\tz\n\t}\n}\n",
    ],
    [
      "tabs quoted for spaces",
      "f:\n  if x:\n    y\n",
      "\tif x:\n\t\ty",
      "\tif x:\n\t\tz",
      "f:\n  if x:\n    z\n",
    ],
    [
      "lines repeated around an insertion keep the file's characters",
      'a("x");\nb("y");\nc("z");\n',
      "a(“x”);\nb(“y”);\nc(“z”);",
      "a(1);\nextra();\nb(“y”);\nc(2);",
      'a(1);\nextra();\nb("y");\nc(2);\n',
    ],
    [
      "a changed line with quotes of its own is the caller's",
      "Use the “a” flag, or don’t.\n",
      'Use the "a" flag, or don\'t.',
      'Use the "b" or "c" flag, or don\'t.',
      'Use the "b" or "c" flag, or don\'t.\n',
    ],
    ["a changed dash is the caller's", "break—here\n", "break-here", "break--here", "break--here\n"],
    [
      "a blank last line of the quotation",
      "x\na\nb\n\nz\n",
      "a  \nb  \n  ",
      "c  \nb  \n  ",
      "x\nc\nb\n\nz\n",
    ],
    ["a blank last line and CRLF", "a\r\nb\r\n\r\n", "a  \nb  \n  ", "c  \nb  \n  ", "c\r\nb\r\n\r\n"],
    [
      "blanks that the caller put at the end of every line",
      "a\n\nb\n",
      "a  \n  \nb  ",
      "a  \n  \nc  \n  \nb  ",
      "a\n\nc\n\nb\n",
    ],
    ["mixed endings kept", "  a\r\n  b\n  c\r\n", "a\nb\nc\n", "a\nb\nd\n", "  a\r\n  b\n  d\r\n"],
    ["a lone CR is data", "  a\rb\nc\n", "a\rb", "z\rb", "  z\rb\nc\n"],
    ["CRLF kept", "  a  \r\n  b\r\n", "a\nb", "a\nc", "  a  \r\n  c\r\n"],
    ["a byte order mark kept", "\uFEFF  a\n  b\n", "a\nb", "c\nb", "\uFEFF  c\n  b\n"],
    ["a differing token never matches", "  x = 1\n  y = 2\n", "x = 1\ny = 3", "z", undefined],
    ["another word order never matches", "  a b\n", "b a", "z", undefined],
    ["white space inside a line never matches", "  a  b\n", "a b", "z", undefined],
    ["lines that disagree about the shift", "  a\n   b\n", "a\nb", "z", undefined],
    ["twice is ambiguous", "  a\n  b\n    a\n    b\n", "a\nb", "z", undefined],
    ["blank text", " \n \n", "\n\n", "z", undefined],
  ];
  test.each(rows)("%s", (_, text, quote, replacement, after) => {
    expect(laid(text, quote, replacement)).toBe(after);
  });

  test("layout matching is off by default", () => {
    expect(locateQuote("  a\n  b\n", { quote: "a\nb" }, "c").ok).toBe(false);
  });

  test("the replaced text has the tokens of the quotation", () => {
    const line = fc
      .array(fc.constantFrom("a", "b", "(", "'", "’", "x1", " "), { maxLength: 5 })
      .map((parts) => parts.join(""));
    const block = fc.array(fc.tuple(fc.constantFrom("", " ", "  ", "\t", "    "), line), {
      minLength: 1,
      maxLength: 6,
    });
    const print = (lines: [string, string][]): string =>
      lines.map(([indent, body]) => indent + body).join("\n");
    const tokens = (text: string): string => text.replace(/[\s\u00a0]/g, "").replaceAll("’", "'");
    fc.assert(
      fc.property(block, block, (text, quote) => {
        const located = locateQuote(
          print(text),
          { quote: print(quote), fit: "layout", occurrence: 1 },
          "NEW",
        );
        if (!located.ok || located.value.fit !== "layout") return true;
        const { start, end } = located.value.splices[0]!.region;
        return tokens(print(text).slice(start, end)) === tokens(print(quote));
      }),
      { numRuns: 10_000 },
    );
  });
});
