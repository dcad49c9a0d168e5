import { describe, expect, test } from "vitest";
import { outlineMarkdown } from "./markdown.ts";

/** Each block as `kind depth language "content"`, indented by what holds it. */
function sketch(text: string, mdx = false): string[] {
  const { blocks } = outlineMarkdown(text, { mdx });
  const depthOf = (parent: number | undefined): number =>
    parent === undefined ? 0 : 1 + depthOf(blocks[parent]!.parent);
  return blocks.map(({ kind, depth, language, meta, content, parent }) =>
    [
      "  ".repeat(depthOf(parent)) + kind,
      ...(depth === undefined ? [] : [depth]),
      ...(language === undefined ? [] : [language]),
      ...(meta === undefined ? [] : [`(${meta})`]),
      JSON.stringify(text.slice(content.start, content.end)),
    ].join(" "),
  );
}

function spans(text: string, mdx = false): string[] {
  return outlineMarkdown(text, { mdx }).spans.map(({ kind, region, destination, label }) =>
    [kind, text.slice(region.start, region.end), destination?.value ?? label ?? ""]
      .filter((each) => each !== "")
      .join(" → "),
  );
}

describe("blocks", () => {
  test.each<[string, string, string[]]>([
    [
      "headings of both kinds",
      "# One #\nTwo *x*\n---\n####### no",
      ['heading 1 "One"', 'heading 2 "Two *x*"', 'paragraph "####### no"'],
    ],
    ["an own id is not part of the words", "## A b {#c}", ['heading 2 "A b"']],
    ["a heading's closing marks count only behind a space", "# C#\n# ##", ['heading 1 "C#"', 'heading 1 ""']],
    ["paragraphs end at blank lines", "a\nb\n\nc", ['paragraph "a\\nb"', 'paragraph "c"']],
    ["a fence with language and meta", "```ts {1,3} x\na\n\nb\n```", ['code-fence ts ({1,3} x) "a\\n\\nb"']],
    ["a fence's language ends at a comma", "~~~rust,ignore\nx\n~~~", ['code-fence rust (ignore) "x"']],
    ["an empty fence", "```\n```\na", ['code-fence ""', 'paragraph "a"']],
    ["a longer fence holds a shorter one", "````\n```\n````", ['code-fence "```"']],
    ["backticks in the info make no fence", "``` a`b\nx", ['paragraph "``` a`b\\nx"']],
    [
      "indented code, not inside a paragraph",
      "a\n    b\n\n    c\n\n    d",
      ['paragraph "a\\n    b"', 'code-fence "    c\\n\\n    d"'],
    ],
    [
      "items hold their blocks",
      "- a\n  b\n\n  ```\n  c\n  ```\n- d\n  1. e",
      [
        'list-item 1 "a\\n  b\\n\\n  ```\\n  c\\n  ```"',
        '  paragraph "a\\n  b"',
        '  code-fence "  c"',
        'list-item 1 "d\\n  1. e"',
        '  paragraph "d"',
        '  list-item 2 "e"',
        '    paragraph "e"',
      ],
    ],
    [
      "a number other than 1 does not interrupt a paragraph",
      "a\n2. b\n1. c",
      ['paragraph "a\\n2. b"', 'list-item 1 "c"', '  paragraph "c"'],
    ],
    ["a quote, and its lazy end", "> a\nb\n\nc", ['quote "a\\nb"', '  paragraph "a\\nb"', 'paragraph "c"']],
    [
      "an item in a quote ends before the next line's mark",
      "> - a\n>\n> b",
      ['quote "- a\\n>\\n> b"', '  list-item 1 "a"', '    paragraph "a"', '  paragraph "b"'],
    ],
    [
      "a table's rows and cells",
      "| A | B |\n|---|:-:|\n| `x\\|y` | z |\nc",
      [
        'table-row "| A | B |"',
        '  table-cell 0 "A"',
        '  table-cell 1 "B"',
        'table-row "| `x\\\\|y` | z |"',
        '  table-cell 0 "`x\\\\|y`"',
        '  table-cell 1 "z"',
        'table-row "c"',
        '  table-cell 0 "c"',
      ],
    ],
    [
      "a table after text in the same paragraph",
      "t\na|b\n-|-\n",
      ['paragraph "t"', 'table-row "a|b"', '  table-cell 0 "a"', '  table-cell 1 "b"'],
    ],
    ["a delimiter of another width makes no table", "a|b\n-|-|-", ['paragraph "a|b\\n-|-|-"']],
    ["an alert", "> [!NOTE] Look\n> a", ['admonition note (Look) "\\n> a"', '  paragraph "a"']],
    [
      "colon admonitions nest",
      ":::tip T\na\n::::x\nb\n::::\n:::\nc",
      [
        'admonition tip (T) "a\\n::::x\\nb\\n::::"',
        '  paragraph "a"',
        '  admonition x "b"',
        '    paragraph "b"',
        'paragraph "c"',
      ],
    ],
    [
      "a closing line ends the list before it",
      ":::tip\n- a\n:::",
      ['admonition tip "- a"', '  list-item 1 "a"', '    paragraph "a"'],
    ],
    ["a dotted directive opens nothing", "::: a.b\n\nc", ['paragraph "::: a.b"', 'paragraph "c"']],
    [
      "indented admonitions and tabs",
      '!!! note "T"\n    a\n\n    b\n\n=== "U"\n\n    c\nd',
      [
        'admonition note (T) "    a\\n\\n    b"',
        '  paragraph "a"',
        '  paragraph "b"',
        'admonition tab (U) "\\n    c\\nd"',
        '  paragraph "c\\nd"',
      ],
    ],
    [
      "HTML, and a comment",
      "<div>\na\n</div>\n\n<!-- x\n\ny -->\nz",
      ['html "<div>\\na\\n</div>"', 'comment "x\\n\\ny"', 'paragraph "z"'],
    ],
    [
      "definitions, also over two lines",
      '[a]: /b "c"\n[d]:\n  /e\n\n[f] g',
      ['definition "[a]: /b \\"c\\""', 'definition "[d]:\\n  /e"', 'paragraph "[f] g"'],
    ],
    [
      "a footnote holds what is indented",
      "[^1]: a\n\n    b\n\nc",
      ['definition " a\\n\\n    b"', '  paragraph "a"', '  paragraph "b"', 'paragraph "c"'],
    ],
    ["front matter of three kinds", "---\na: 1\n---\nb", ['front-matter yaml "a: 1\\n"', 'paragraph "b"']],
    ["TOML front matter", "+++\na = 1\n+++\n", ['front-matter toml "a = 1\\n"']],
    [
      "front matter behind a byte order mark",
      "\uFEFF---\na: 1\n...\nb",
      ['front-matter yaml "a: 1\\n"', 'paragraph "b"'],
    ],
    ["a rule that is not front matter", "---\na", ['paragraph "a"']],
    [
      "CRLF stays outside",
      "# a\r\n\r\nb\r\nc\r\n\r\n```\r\nd\r\n```\r\n",
      ['heading 1 "a"', 'paragraph "b\\r\\nc"', 'code-fence "d"'],
    ],
    [
      "tabs count to the next fourth column",
      "-\ta\n\n\tb",
      ['list-item 1 "a\\n\\n\\tb"', '  paragraph "a"', '  paragraph "b"'],
    ],
  ])("%s", (_, text, expected) => {
    expect(sketch(text)).toEqual(expected);
  });

  test.each<[string, string, string[]]>([
    [
      "imports and exports",
      "import a from 'b'\nexport const c = 1\n\nd",
      ["html esm \"import a from 'b'\\nexport const c = 1\"", 'paragraph "d"'],
    ],
    [
      "Markdown stands between tags",
      "<Tabs\n  a={{ b: 1 }}>\n# c\n</Tabs>",
      ['html "<Tabs\\n  a={{ b: 1 }}>"', 'heading 1 "c"', 'html "</Tabs>"'],
    ],
    ["a tag with words behind it is a paragraph", "<b>a</b> c", ['paragraph "<b>a</b> c"']],
    ["comments and expressions", "{/* a */}\n\n{b}", ['comment "a"', 'html expression "{b}"']],
    ["there is no indented code", "    a", ['paragraph "a"']],
  ])("MDX: %s", (_, text, expected) => {
    expect(sketch(text, true)).toEqual(expected);
  });

  test("a block has its section, and a heading the section that it is part of", () => {
    const { blocks } = outlineMarkdown("a\n# B\nc\n## D\ne\n# F\n> # G\n\nh", { mdx: false });
    expect(blocks.map(({ kind, section }) => `${kind} ${section}`)).toEqual([
      "paragraph -1",
      "heading -1",
      "paragraph 1",
      "heading 1",
      "paragraph 3",
      "heading -1",
      "quote 5",
      "heading 5",
      "paragraph 5",
    ]);
  });

  test("rows have their table and its header", () => {
    const { blocks } = outlineMarkdown("|a|\n|-|\n|b|\n\n|c|\n|-|\n", { mdx: false });
    expect(
      blocks.flatMap(({ kind, table, header }) => (kind === "table-row" ? [[table, header]] : [])),
    ).toEqual([
      [0, true],
      [0, undefined],
      [4, true],
    ]);
  });

  test("anchors are GitHub's, unique in the page", () => {
    const page =
      "# Hello, *World*!\n# hello world\n# `a.b()` & [c](d)\n# x_y __z__\n# É 1\n# <b>q</b>\n# hello-world-1\n# Gem [![v][b]][u] ![w][b] ok\n\n[b]: c\n[u]: d\n";
    const { blocks } = outlineMarkdown(page, { mdx: false });
    expect(blocks.flatMap(({ slug }) => slug ?? [])).toEqual([
      "hello-world",
      "hello-world-1",
      "ab--c",
      "x_y-z",
      "é-1",
      "q",
      "hello-world-1-1",
      "gem---ok",
    ]);
  });

  test("a block that is opened and never closed is reported with its line", () => {
    expect(outlineMarkdown("a\n\n```\nb", { mdx: false }).trouble).toEqual([
      { line: 3, why: "a code fence is never closed" },
    ]);
    expect(outlineMarkdown(":::tip\nb", { mdx: false }).trouble).toEqual([
      { line: 1, why: "an admonition is never closed" },
    ]);
    expect(outlineMarkdown("> ".repeat(40), { mdx: false }).trouble).toHaveLength(1);
  });
});

describe("spans", () => {
  test.each<[string, string, string[]]>([
    ["code by its run of backticks", "`a` ``b`c`` `d", ["code → `a`", "code → ``b`c``"]],
    [
      "code hides brackets and links",
      "`[a](b)` [`c`](d)",
      ["code → `[a](b)`", "link → [`c`](d) → d", "code → `c`"],
    ],
    [
      "links, titles, angle brackets, parentheses",
      '[a](b "c") [d](<e f>) [g](h(i)) [j](k',
      ['link → [a](b "c") → b', "link → [d](<e f>) → e f", "link → [g](h(i)) → h(i)"],
    ],
    ["images, also inside links", "[![a](b)](c)", ["link → [![a](b)](c) → c", "image → ![a](b) → b"]],
    ["links hold no links", "[a [b](c) d](e)", ["link → [b](c) → c"]],
    [
      "references by label",
      "[a][B] [b][] [b] [c]\n\n[b]: /d",
      ["link → [a][B] → b", "link → [b][] → b", "link → [b] → b", "reference → [b]: /d → /d"],
    ],
    [
      "addresses, bare and bracketed",
      "<https://a.b> (see https://c.d/e_f.) x@y",
      ["autolink → <https://a.b> → https://a.b", "autolink → https://c.d/e_f → https://c.d/e_f"],
    ],
    ["escapes", "\\`a\\` \\[b](c)", []],
    [
      "tags that point or hold code",
      "<a href=\"x\">y</a> <img src='z'> <code>c</code> <!-- d -->",
      [
        'link → <a href="x"> → x',
        "image → <img src='z'> → z",
        "code → <code>c</code>",
        "comment → <!-- d -->",
      ],
    ],
    ["in a block of HTML only tags count", "<p>\n`a` <code>b</code>\n</p>", ["code → <code>b</code>"]],
    ["in a table cell a backtick ends at the cell", "|`a|b`|\n|-|-|\n", []],
  ])("%s", (_, text, expected) => {
    expect(spans(text)).toEqual(expected);
  });

  test("MDX expressions are opaque", () => {
    expect(spans("a {`b`} `c` <D e={`f`} href='g'/>", true)).toEqual([
      "code → `c`",
      "link → <D e={`f`} href='g'/> → g",
    ]);
  });

  test("a destination has the region where it is written", () => {
    const text = "x [a](b/c.md 'd')";
    const { destination } = outlineMarkdown(text, { mdx: false }).spans[0]!;
    expect(text.slice(destination!.region.start, destination!.region.end)).toBe("b/c.md");
  });
});
