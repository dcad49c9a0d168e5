import { expect, test } from "vitest";
import { formatOf, outlineDocument } from "../outline.ts";

const sketch = (text: string) => {
  const { blocks, spans } = outlineDocument("man/tool.1", text);
  return [
    ...blocks.map(({ kind, content, depth, slug }) =>
      [kind, JSON.stringify(text.slice(content.start, content.end)), depth ?? "", slug ?? ""]
        .join(" ")
        .trim(),
    ),
    ...spans.map(
      ({ kind, content, value }) => `${kind} <${value ?? text.slice(content.start, content.end)}>`,
    ),
  ];
};

test("a page in the macros of man", () => {
  const text = [
    '.\\" A comment',
    '.TH TOOL 1 "May 2024"',
    ".SH NAME",
    "tool \\- does things",
    '.SH "SEE ALSO"',
    "Use \\fB\\-\\-all\\fR or",
    ".BR other (1)",
    "now.",
    ".PP",
    ".TP",
    ".B \\-q",
    "Be quiet.",
    ".nf",
    "tool \\-q",
    ".fi",
    ".SS Examples",
    ".EX",
    "tool a",
    "tool b",
    ".EE",
  ].join("\n");
  expect(sketch(text)).toEqual([
    'comment "A comment"',
    'heading "TOOL" 1 tool',
    'heading "NAME" 2 name',
    'paragraph "tool \\\\- does things"',
    'heading "SEE ALSO" 2 see-also',
    'paragraph "Use \\\\fB\\\\-\\\\-all\\\\fR or\\n.BR other (1)\\nnow."',
    'list-item "\\n.B \\\\-q\\nBe quiet.\\n.nf\\ntool \\\\-q\\n.fi" 1',
    'paragraph ".B \\\\-q\\nBe quiet."',
    'code-fence "tool \\\\-q"',
    'heading "Examples" 3 examples',
    'code-fence "tool a\\ntool b"',
    "code <--all>",
    "code <other>",
    "code <-q>",
  ]);
});

test("a page in the macros of mdoc", () => {
  const text = [
    ".Dd May 1, 2024",
    ".Dt TOOL 1",
    ".Os",
    ".Sh SYNOPSIS",
    ".Nm tool",
    ".Bl -tag",
    ".It Fl q",
    "Be quiet.",
    ".It Fl v",
    "Be loud.",
    ".El",
    ".Bd -literal",
    "tool -q",
    ".Ed",
  ].join("\n");
  expect(sketch(text)).toEqual([
    'heading "TOOL" 1 tool',
    'heading "SYNOPSIS" 2 synopsis',
    'paragraph ".Nm tool"',
    'list-item "\\nBe quiet." 1',
    'paragraph "Fl q"',
    'paragraph "Be quiet."',
    'list-item "\\nBe loud." 1',
    'paragraph "Fl v"',
    'paragraph "Be loud."',
    'code-fence "tool -q"',
    "code <tool>",
    "code <-q>",
    "code <-v>",
  ]);
});

test("a name that ends in a number is a manual page only where nothing else is likelier", () => {
  expect(
    ["git-add.1", "printf.3p", "libx.so.1", "v1.2", "app.log.1", "release-1.2", "1.1", "bzip2.1"].map(
      formatOf,
    ),
  ).toEqual(["man", "man", "plain", "plain", "plain", "plain", "plain", "man"]);
  expect(sketch("just text\n\nmore")).toEqual(['paragraph "just text"', 'paragraph "more"']);
});
