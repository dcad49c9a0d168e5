import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { contain } from "../../text/model/region.ts";
import type { Outline } from "./document.ts";
import { formatOf, outlineDocument } from "./outline.ts";

const PATHS = ["a.md", "a.mdx", "a.rst", "a.adoc", "a.txt", "a.html", "a.1"];

/** Pieces that mean something in one of the formats, so that random texts are full of near misses. */
const piece = fc.constantFrom(
  ..."a|b c|# |## |- |* |1. |2) |> |```|~~~|`|``|---|===|***|[x](y)|[|]|(|)|![|<b>|<div>|</div>|<!-- |-->|\\|_|:::|:::tip|!!! note|[!NOTE]|{|}|<A b=|import x|[r]: /u|[^1]: |:ref:`x <y>`|`z`_|.. code:: py|.. note::|::|+--+--+|==  ==|.. _t: u|:field: v|-a, --all  x|----|====|\\|===|[source,js]|NOTE: q|link:a[b]|<<c>>|term:: d|é|😀|https://a.b|".split(
    /(?<!\\)\|/,
  ),
  ...`.TH A 1~.SH ~.TP~.It ~.B ~.nf~.fi~\\fB~\\fR~.\\" ~.`.split("~").map((macro) => `\n${macro}`),
  ...`<h2>~</h2>~<h3 id='x'>~<p>~<li>~<ul>~</ul>~<pre>~</pre>~<td>~<tr>~<table>~<code>~</code>~<a href='y'>~</a>~<script>~</script>`.split(
    "~",
  ),
  "|",
  " ",
  "    ",
  "\t",
  "\n",
  "\n\n",
  "\r\n",
  "\uFEFF",
);
const soup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("").replaceAll("\\|", "|"));

test("the name of a file decides its format", () => {
  expect(["README.md", "x/Y.MDX", "i.rst", "g.adoc", "CHANGES", "AGENTS.md", "r.mdc"].map(formatOf)).toEqual([
    "markdown",
    "mdx",
    "rst",
    "asciidoc",
    "plain",
    "markdown",
    "markdown",
  ]);
});

describe.each(PATHS)("%s", (path) => {
  test("every region is inside the text, and inside the block that holds it", () => {
    fc.assert(
      fc.property(soup, (text) => checkRegions(outlineDocument(path, text), text)),
      { numRuns: 2000 },
    );
  });

  test("a byte order mark moves every region by one and changes nothing else", () => {
    fc.assert(
      fc.property(
        soup.filter((text) => !text.startsWith("\uFEFF")),
        (text) => {
          expect(kindsAt(outlineDocument(path, `\uFEFF${text}`), -1)).toEqual(
            kindsAt(outlineDocument(path, text), 0),
          );
        },
      ),
      { numRuns: 400 },
    );
  });

  test("line endings of another kind give the same outline", () => {
    fc.assert(
      fc.property(
        soup.map((text) => text.replaceAll("\r", "")),
        (text) => {
          const windows = text.replaceAll("\n", "\r\n");
          expect(words(outlineDocument(path, windows), windows)).toEqual(
            words(outlineDocument(path, text), text),
          );
        },
      ),
      { numRuns: 400 },
    );
  });
});

function checkRegions({ blocks, spans }: Outline, text: string): void {
  const whole = { start: 0, end: text.length };
  let last = 0;
  blocks.forEach(({ kind, region, content, parent, section, depth }, index) => {
    expect(region.start).toBeLessThanOrEqual(region.end);
    expect(content.start).toBeLessThanOrEqual(content.end);
    expect(contain(whole, region)).toBe(true);
    expect(contain(region, content)).toBe(true);
    expect(region.start).toBeGreaterThanOrEqual(last);
    last = region.start;
    expect(section).toBeLessThan(index);
    if (section >= 0) expect(blocks[section]!.kind).toBe("heading");
    if (parent !== undefined) {
      expect(parent).toBeLessThan(index);
      expect(contain(blocks[parent]!.region, region)).toBe(true);
    }
    if (kind === "heading") {
      expect(depth).toBeGreaterThan(0);
      expect(text.slice(content.start, content.end)).not.toMatch(/^[\t-\r ]|[\t-\r ]$/);
    }
  });
  for (const { region, content, destination, block } of spans) {
    expect(contain(blocks[block]!.region, region)).toBe(true);
    expect(contain(region, content)).toBe(true);
    if (!destination) continue;
    expect(contain(region, destination.region)).toBe(true);
    expect(text.slice(destination.region.start, destination.region.end)).toBe(destination.value);
  }
}

function kindsAt({ blocks, spans }: Outline, shift: number): string[] {
  return [...blocks, ...spans].map(
    ({ kind, region }) => `${kind} ${region.start + shift}-${region.end + shift}`,
  );
}

function words({ blocks, spans }: Outline, text: string): string[] {
  return [...blocks, ...spans].map(
    ({ kind, content }) => `${kind} ${text.slice(content.start, content.end).replaceAll("\r\n", "\n")}`,
  );
}

/** Each is one stretch repeated; a path that is not linear in one of them is a way to stall a check. */
const ADVERSE =
  '`|`a |[|]|![[|[a](b |[](a[](|[a](b "c |[a](<b |[a][b]|<|<a b="c |<a b=\'<a c=" |<!-- |<!-- x\n|<code>|<div\n|> |> > > > a\n|- |- - - -\n|1. a\n|*|a\n-\\|-\n|\\|a|a\\|b\n|# |# a\n|a\n=\n|=\n|```\n|```a\n~~~b\n|:::a\n|:::\n|!!! a\n| |\t|\n|\r|a\r\n|[a]: b\n|[a]:\n|[^a]: |http://|https://a.|{|{a\n|<A b={|<A\n|<A b="\n|<A>\n|import a\n|---\n|_|&amp;|\\\\|``|:a:`|:a:|a\n-\n|.. a::\n|+-+\n\\|a\\|\n|== ==\n|:a: b\n|-a, |a::\n\n b\n|.. _a: b\n|..\n|----\n|====\n--\n|a::|link:|<<|https://a[|[a]\n|h|.|.SH a\n|.TH\n.TP\n|.TH\n.nf\n|.TH\n.B a\n|.TH\n\\\\fBa|<h1>|<li>|<ul><li>|<td>|<tr><td>|<pre>|<code><a>|</code></a>|<script>|<!|</p>|<a href="b" '.split(
    /(?<!\\)\|/,
  );

test.each(ADVERSE.map((each) => each.replaceAll("\\|", "|").replaceAll("\\\\", "\\")))(
  "work is linear in repetitions of %j",
  (unit) => {
    for (const path of PATHS) {
      // Eight times the text: eight times the work, with room for a busy machine; sixty-four times would be quadratic.
      // A collection of garbage may fall into one measurement, not into three.
      const isLinear = ["", "a", "b"].some((end) => {
        const [small, large] = [12_000, 96_000].map((length) =>
          workOf(path, unit.repeat(Math.ceil(length / unit.length)) + end),
        );
        return large! < Math.max(15, 32 * small!);
      });
      expect(isLinear).toBe(true);
    }
  },
);

test("a table of many columns, steep nesting and many unlike fences are linear too", () => {
  const texts = [
    `${"|a".repeat(40_000)}|\n${"|-".repeat(40_000)}|\n`,
    Array.from({ length: 800 }, (_, i) => `${" ".repeat(i)}- a`).join("\n"),
    Array.from({ length: 800 }, (_, i) => "`".repeat(i)).join(" "),
    Array.from({ length: 800 }, (_, i) => `${" ".repeat(i)}.. a::`).join("\n"),
    Array.from({ length: 800 }, (_, i) => "=".repeat(i)).join("\n"),
    `${"[".repeat(150_000)}${"](x)".repeat(40_000)}`,
    `${"{".repeat(150_000)}${"}".repeat(150_000)}`,
    `${"- ".repeat(31)}a${"\n".repeat(300_000)}`,
  ];
  for (const text of texts) for (const path of PATHS) expect(workOf(path, text)).toBeLessThan(100);
});

function workOf(path: string, text: string): number {
  return measureWork(() => outlineDocument(path, text));
}
