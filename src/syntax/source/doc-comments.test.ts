import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dropComments, keepDocComments } from "./doc-comments.ts";

describe("the text of doc comments, at its place", () => {
  const rows: [name: string, path: string, text: string, words: string[] | null][] = [
    [
      "JSDoc",
      "a.ts",
      "/** Opens `x`.\n * @param id what\n */\nfunction open(id) {}\n",
      ["Opens `x`.", "@param id what"],
    ],
    ["a comment that documents nothing", "a.ts", "// why\nconst a = 1; /* how */\n", null],
    ["what looks like one in a text", "a.ts", 'const a = "/** no */"; const b = `/** no */`;\n', null],
    [
      "rustdoc",
      "a.rs",
      "/// Opens `x`.\n//! Of the file.\nfn open<'a>() {}\n",
      ["Opens `x`.", "Of the file."],
    ],
    ["Go", "a.go", "// Open opens.\nfunc Open() {}\n", ["Open opens."]],
    [
      "a docstring",
      "a.py",
      'def open():\n    """Opens `x`.\n\n    More.\n    """\n',
      ["Opens `x`.", "More."],
    ],
    ["a Python text that is a value", "a.py", 'sql = """select"""\n', null],
    ["Ruby", "a.rb", "# Opens `x`.\ndef open; end\n", ["Opens `x`."]],
    ["a language that is not known", "a.zzz", "/** a */", null],
  ];
  test.each(rows)("%s", (_, path, text, words) => {
    const kept = keepDocComments(path, text);
    expect(
      kept === null
        ? null
        : kept
            .split("\n")
            .map((line) => line.trim())
            .filter(Boolean),
    ).toEqual(words);
  });
});

test("text keeps its place, and each character is either in a comment or in the code", () => {
  const piece = fc.constantFrom(
    "/**",
    "*/",
    "//",
    "///",
    '"',
    "'",
    "`",
    "\\",
    "\n",
    "a",
    " ",
    '"""',
    "#",
    "é",
    "\r\n",
  );
  fc.assert(
    fc.property(fc.constantFrom("a.ts", "a.go", "a.py", "a.rb", "a.rs"), fc.array(piece), (path, pieces) => {
      const text = pieces.join("");
      const kept = keepDocComments(path, text) ?? "";
      const rest = dropComments(path, text);
      expect(rest.length).toBe(text.length);
      for (const part of [kept, rest])
        for (let at = 0; at < part.length; at++) if (part[at] !== " ") expect(part[at]).toBe(text[at]);
    }),
  );
});
