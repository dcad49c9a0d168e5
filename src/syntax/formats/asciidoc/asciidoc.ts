import { lineNumber } from "../../../text/model/lines.ts";
import type { Outline } from "../document.ts";
import type { Format } from "../format.ts";
import { createSlugger } from "../slug.ts";
import { scanAsciiDoc } from "./blocks.ts";
import { scanAsciiDocInline } from "./inline.ts";

export const asciidoc: Format = {
  name: "asciidoc",
  title: "AsciiDoc",
  // Without an equals sign it has no attribute, whichever program reads it.
  angleReference: /^<<[\w.:/#-]{1,200},[^<>="'`]{1,200}>>/,
  embeds: {
    marks: [
      {
        takesIn: "html",
        shape:
          /\bpass:[a-z,+-]*\[[^\]\n]{0,80}|\+{3}[^\n]{0,80}|^\[pass\b[^\n]{0,40}|\bsubs\s*=[^\n\]]{0,60}/gm,
      },
      {
        takesIn: "html",
        shape:
          /^(?:video|audio)::[^\n]{0,80}|^:(?:docinfo[\w-]*|stylesheet|stylesdir|scriptsdir|linkcss|copycss|webfonts|allow-uri-read|template[\w-]*|highlightjsdir|prettifydir|mathjaxdir|source-highlighter|stem)!?:[^\n]{0,40}|\{set:[^\n}]{0,60}/gm,
      },
      // A value with a quotation mark ends the attribute of HTML that it is written into.
      {
        takesIn: "html",
        shape:
          /\[[^\]\n]{0,200}?(?:\\"|=\s{0,3}'[^'\n\]]{0,100}"|[^\s=,"[]"[^\s,\]][^\]\n]{0,60}=|\bon[a-z]{2,20}\s{0,3}=)[^\]\n]{0,100}/gi,
      },
      { takesIn: "html", shape: /^:[\w-]{1,60}:[^\n]{0,80}"\s{0,9}[\w-]{1,30}\s{0,3}=[^\n]{0,60}/gm },
      // Extensions decide what any other block macro does: drawings from a file, code, parts of other sites.
      {
        takesIn: "file",
        shape:
          /^(?!(?:image|include|toc|ifdef|ifndef|ifeval|endif|link|xref)::)(?<name>\w[\w-]{0,40}::)[^\n[]{0,80}\[/gm,
      },
      // Drawings that name a file, and tables that are read from one.
      {
        takesIn: "file",
        shape:
          /^\[[^\]\n]{0,80}\b(?:plantuml|graphviz|ditaa|mermaid|vega|d2|gnuplot|csv|tsv|dsv)\b[^\]\n]{0,80}\]\n(?:[^\n]*\n){0,40}?[^\n]{0,80}(?:!include|image\s?=|\bfile\s?=)[^\n]{0,60}/gm,
      },
      { takesIn: "file", shape: /^\[[^\]\n]{0,80}\bfile\s?=[^\]\n]{0,80}/gm },
      { takesIn: "file", shape: /(?:^|\[)(?<name>include::\{[\w-]{1,60}\})[^\n]{0,80}/gim },
      {
        takesIn: "file",
        shape: /(?:^|\[)include::(?:[a-z][a-z0-9+.-]*:|\/|[^\n[]{0,80}\.\.\/)[^\n]{0,80}/gim,
      },
    ],
  },
  comments: [
    /^\/{4,}[ \t]*\n(?<text>[\s\S]*?)(?:^\/{4,}[ \t]*$|$(?![\s\S]))/gm,
    /(?<text>(?:^\/\/(?!\/)[^\n]*\n?)+)/gm,
  ],
  extensions: ["adoc", "asciidoc"],
  hasHeadingIds: true,
  imageFolder: /^:imagesdir:\s*(\S+)\s*$/gm,
  // Signatures and keys end in it too.
  sharedExtensions: ["asc"],
  outline: outlineAsciiDoc,
};

/** Whether a cell is a sample: `|[source]` and lines of code. */
function isListing(text: string, start: number): boolean {
  return /^\[(?:source|listing|literal)\b[^\]\n]*\]\r?\n/.test(text.slice(start, start + 80));
}

/** An AsciiDoc page as blocks and spans. Never fails: text without structure is a paragraph. */
export function outlineAsciiDoc(text: string): Outline {
  const { list, tooDeep } = scanAsciiDoc(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const slug = createSlugger();
  for (const block of list.blocks)
    if (block.kind === "heading")
      block.slug ??= slug(
        text.slice(block.content.start, Math.min(block.content.end, block.content.start + 1000)),
      );
  return {
    format: "asciidoc",
    blocks: list.blocks,
    spans: list.blocks.flatMap(({ kind, content }, index) =>
      kind === "paragraph" || kind === "heading" || (kind === "table-cell" && !isListing(text, content.start))
        ? scanAsciiDocInline(text, content, index)
        : [],
    ),
    trouble:
      tooDeep === undefined
        ? []
        : [{ line: lineNumber(text, tooDeep), why: "nested too deep, read as text" }],
  };
}
