import { describe, expect, test } from "vitest";
import { outlineRst } from "./rst.ts";

function sketch(text: string): string[] {
  return outlineRst(text).blocks.map(({ kind, depth, language, meta, content }) =>
    [kind, depth, language, meta && `(${meta})`, JSON.stringify(text.slice(content.start, content.end))]
      .filter((each) => each !== undefined)
      .join(" "),
  );
}

test.each<[string, string, string[]]>([
  [
    "titles by the order of their adornments",
    "===\nA\n===\n\nB\n-\n\nC\n~\n\nD\n-\n",
    ['heading 1 "A"', 'heading 2 "B"', 'heading 3 "C"', 'heading 2 "D"'],
  ],
  [
    "a literal block behind a double colon",
    "Like::\n\n  a\n\n    b\n\nc",
    ['paragraph "Like::"', 'code-fence "  a\\n\\n    b"', 'paragraph "c"'],
  ],
  [
    "a code block without its options",
    ".. code-block:: python\n   :linenos:\n\n   a\n\n   b\n\nc",
    ['code-fence python "   a\\n\\n   b"', 'paragraph "c"'],
  ],
  [
    "a note that speaks in its first line",
    ".. note:: Look ``here``\n\n   - a",
    [
      'admonition note (Look ``here``) "Look ``here``\\n\\n   - a"',
      'paragraph "Look ``here``"',
      'list-item 1 "a"',
      'paragraph "a"',
    ],
  ],
  [
    "an option's description",
    ".. option:: --all\n\n   Shows all.",
    ['admonition option (--all) "   Shows all."', 'paragraph "Shows all."'],
  ],
  [
    "lists of five kinds",
    "- a\n\n1. b\n\n:c: d\n\n-e, --f=G  h\n\ni\n  j",
    [
      'list-item 1 "a"',
      'paragraph "a"',
      'list-item 1 "b"',
      'paragraph "b"',
      'list-item 1 (c) "d"',
      'paragraph "d"',
      'list-item 1 "h"',
      'paragraph "h"',
      'list-item 1 "i\\n  j"',
      'paragraph "i"',
      'paragraph "j"',
    ],
  ],
  [
    "a grid table",
    "+---+---+\n| a | b |\n+===+===+\n| c | d |\n+---+---+",
    [
      'table-row "| a | b |"',
      'table-cell 0 "a"',
      'table-cell 1 "b"',
      'table-row "| c | d |"',
      'table-cell 0 "c"',
      'table-cell 1 "d"',
    ],
  ],
  [
    "a simple table",
    "==  ==\na   b\n==  ==\nc   d e\n==  ==\n",
    [
      'table-row "a   b"',
      'table-cell 0 "a"',
      'table-cell 1 "b"',
      'table-row "c   d e"',
      'table-cell 0 "c"',
      'table-cell 1 "d e"',
    ],
  ],
  [
    "a list-table",
    ".. list-table::\n   :header-rows: 1\n\n   * - a\n     - b\n",
    [
      'admonition list-table "   * - a\\n     - b"',
      'table-row "* - a\\n     - b"',
      'table-cell 0 "a"',
      'table-cell 1 "b"',
    ],
  ],
  [
    "comments, targets, doctests, quotes",
    ".. c\n   d\n\n.. _e: f\n\n>>> g\nh\n\n  i",
    [
      'comment " c\\n   d"',
      'definition ".. _e: f"',
      'code-fence pycon ">>> g\\nh"',
      'quote "i"',
      'paragraph "i"',
    ],
  ],
])("%s", (_, text, expected) => {
  expect(sketch(text)).toEqual(expected);
});

test("header rows are marked", () => {
  const headers = (text: string) =>
    outlineRst(text).blocks.flatMap(({ kind, header }) => (kind === "table-row" ? [header] : []));
  expect(headers("+---+\n| a |\n+===+\n| b |\n+---+")).toEqual([true, undefined]);
  expect(headers("+---+\n| a |\n+---+\n| b |\n+---+")).toEqual([undefined, undefined]);
  expect(headers(".. list-table::\n   :header-rows: 1\n\n   * - a\n   * - b")).toEqual([true, undefined]);
});

test("anchors are docutils'", () => {
  expect(outlineRst("A b, C!\n=======\n\nA b, C!\n=======\n").blocks.map(({ slug }) => slug)).toEqual([
    "a-b-c",
    "id1",
  ]);
});

describe("spans", () => {
  test.each<[string, string, string[]]>([
    ["literals", "``a b`` and ``c`d``", ["code a b", "code c`d"]],
    [
      "roles name code, without how to show it",
      ":func:`~pkg.foo` :py:meth:`X <A.b>`",
      ["code pkg.foo", "code A.b"],
    ],
    ["roles that point", ":ref:`Sec <target>` :doc:`/a/b`", ["link Sec → target", "link /a/b → /a/b"]],
    [
      "links, bare and named",
      "`text <http://a.b>`_ `name`_ https://c.d.",
      ["link text → http://a.b", "link name → name", "autolink https://c.d → https://c.d"],
    ],
    ["interpreted text", "`a.b`", ["code a.b"]],
    [
      "pointing directives",
      ".. image:: x.png\n\n.. literalinclude:: y.py\n",
      ["image x.png → x.png", "link y.py → y.py"],
    ],
    ["targets", ".. _the name: http://a.b", ["reference http://a.b → http://a.b"]],
    ["what is not closed is text", "``a :func:`b", []],
  ])("%s", (_, text, expected) => {
    const { spans } = outlineRst(text);
    expect(
      spans.map(({ kind, content, destination, label }) =>
        [
          kind,
          text.slice(content.start, content.end),
          ...(destination ? ["→", destination.value] : label ? ["→", label] : []),
        ].join(" "),
      ),
    ).toEqual(expected);
  });
});
