import { expect, test } from "vitest";
import { outlineAsciiDoc } from "./asciidoc.ts";

test.each<[string, string, string[]]>([
  [
    "headings, with their own anchors",
    "= A\n\n[#b]\n== B c\n\n=== D ===",
    ['heading 1 a "A"', 'heading 2 b "B c"', 'heading 3 d "D"'],
  ],
  [
    "source blocks",
    "[source,ruby]\n----\na\n\nb\n----\n\n```js\nc\n```",
    ['code-fence ruby "a\\n\\nb"', 'code-fence js "c"'],
  ],
  [
    "a source block between two dashes",
    "[source,java]\n--\n// a\n\nb\n--\n\n--\nc\n--",
    ['code-fence java "// a\\n\\nb"', 'admonition open "c"', 'paragraph "c"'],
  ],
  ["literal paragraphs and blocks", " a\n\n....\nb\n....", ['code-fence " a"', 'code-fence "b"']],
  ["a literal paragraph of macros", " // a\n include::b.adoc[]", ['code-fence " // a\\n include::b.adoc[]"']],
  [
    "admonitions of both kinds",
    "NOTE: a\n\n[WARNING]\n====\nb\n====",
    ['admonition note "a"', 'paragraph "a"', 'admonition warning "b"', 'paragraph "b"'],
  ],
  [
    "a delimiter inside a listing does not count",
    "----\n====\n----\n\na",
    ['code-fence "===="', 'paragraph "a"'],
  ],
  [
    "lists and terms",
    "* a\n** b\n. c\n\nd:: e",
    [
      'list-item 1 "a"',
      'paragraph "a"',
      'list-item 2 "b"',
      'paragraph "b"',
      'list-item 1 "c"',
      'paragraph "c"',
      'list-item 1 "d:: e"',
      'paragraph "d"',
      'paragraph "e"',
    ],
  ],
  [
    "a table by its columns",
    '[cols="1,1"]\n|===\n|A |B\n\n|`c`\n|d\n|===',
    [
      'table-row "|A |B"',
      'table-cell 0 "A"',
      'table-cell 1 "B"',
      'table-row "|`c`\\n|d"',
      'table-cell 0 "`c`"',
      'table-cell 1 "d"',
    ],
  ],
  [
    "comments, quotes, attributes, titles",
    ":a: b\n// c\n\n____\nd\n____\n\n.E\nf",
    ['definition ":a: b"', 'comment "c"', 'quote "d"', 'paragraph "d"', 'paragraph "E"', 'paragraph "f"'],
  ],
])("%s", (_, text, expected) => {
  const { blocks } = outlineAsciiDoc(text);
  expect(
    blocks.map(({ kind, depth, slug, language, content }) =>
      [kind, depth, slug, language, JSON.stringify(text.slice(content.start, content.end))]
        .filter((each) => each !== undefined)
        .join(" "),
    ),
  ).toEqual(expected);
});

test.each<[string, string, string[]]>([
  ["monospace", "`a` `+b+` ``c``d", ["code a", "code b", "code c"]],
  [
    "links and cross references",
    "https://a.b[c] link:d/e.adoc[f] xref:g#h[] <<i,j>>",
    ["link c → https://a.b", "link f → d/e.adoc", "link  → g#h", "link j → i"],
  ],
  [
    "images, includes, bare addresses",
    "image::a.png[b]\n\ninclude::c.adoc[]\n\nsee https://d.e.",
    ["image b → a.png", "link  → c.adoc", "autolink https://d.e → https://d.e"],
  ],
])("spans: %s", (_, text, expected) => {
  const { spans } = outlineAsciiDoc(text);
  expect(
    spans.map(({ kind, content, destination }) =>
      [kind, text.slice(content.start, content.end), ...(destination ? ["→", destination.value] : [])].join(
        " ",
      ),
    ),
  ).toEqual(expected);
});
