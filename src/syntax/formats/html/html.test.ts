import { expect, test } from "vitest";
import { outlineDocument } from "../outline.ts";

const sketch = (text: string) => {
  const { blocks, spans } = outlineDocument("docs/page.html", text);
  return [
    ...blocks.map(({ kind, content, depth, slug, language, parent, header }) =>
      [
        kind,
        JSON.stringify(text.slice(content.start, content.end)),
        depth ?? "",
        slug ?? "",
        language ?? "",
        parent === undefined ? "" : `in ${parent}`,
        header ? "header" : "",
      ]
        .filter((part) => part !== "")
        .join(" "),
    ),
    ...spans.map(
      ({ kind, content, destination, block }) =>
        `${kind} <${text.slice(content.start, content.end)}> ${destination?.value ?? ""} @${block}`,
    ),
  ];
};

test("the headings, prose, code, tables and links of a page", () => {
  const text = [
    "<!doctype html><html><head><title>T</title><style>p { }</style></head><body>",
    '<h1 id="top">The <code>tool</code></h1>',
    '<p>Run <code>tool --all</code>, see <a href="b.html#x">this</a>.',
    "<p>More<br>text",
    "<!-- note -->",
    '<pre><code class="language-sh">tool a',
    "tool b</code></pre>",
    "<ul><li>one<li>two <b>bold</b></ul>",
    "<table><tr><th>a<th>b<tr><td>c</td><td><code>d</code></td></tr></table>",
    "<h2>Next &amp; last</h2>",
    '<script>if (a < b) "<h1>"</script>',
    '<img src="x.png" alt="y">',
  ].join("\n");
  expect(sketch(text)).toEqual([
    'paragraph "T"',
    'html "<style>p { }</style>"',
    'heading "The <code>tool</code>" 1 top',
    'paragraph "Run <code>tool --all</code>, see <a href=\\"b.html#x\\">this</a>."',
    'paragraph "More<br>text"',
    'comment "note"',
    'code-fence "tool a\\ntool b" sh',
    'list-item "one"',
    'paragraph "one" in 7',
    'list-item "two <b>bold</b>"',
    'paragraph "two <b>bold</b>" in 9',
    'table-row "<th>a<th>b"',
    'table-cell "a" 0 in 11 header',
    'table-cell "b" 1 in 11 header',
    'table-row "<td>c</td><td><code>d</code></td>"',
    'table-cell "c" 0 in 14',
    'table-cell "<code>d</code>" 1 in 14',
    'heading "Next &amp; last" 2 next--last',
    'html "<script>if (a < b) \\"<h1>\\"</script>"',
    'paragraph "<img src=\\"x.png\\" alt=\\"y\\">"',
    "code <tool>  @2",
    "code <tool --all>  @3",
    "link <this> b.html#x @3",
    "code <d>  @16",
    'image <<img src="x.png" alt="y">> x.png @19',
  ]);
});

test("a page that ends too early is read to its end", () => {
  expect(sketch('<h1>a <b\n<ul><li>x <a href="y')).toEqual([
    'heading "a <b" 1 a-b',
    'list-item "x <a href=\\"y"',
    'paragraph "x <a href=\\"y" in 1',
  ]);
});
