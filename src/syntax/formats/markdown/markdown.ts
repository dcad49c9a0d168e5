import { lineNumber } from "../../../text/model/lines.ts";
import type { OpenBlock } from "../block-list.ts";
import type { Block, Outline, Span } from "../document.ts";
import type { Format } from "../format.ts";
import { findFrontMatter } from "../front-matter-fence.ts";
import { createSlugger } from "../slug.ts";
import { type LinkDefinition, scanBlocks } from "./blocks.ts";
import { labelOf, scanInline } from "./inline.ts";
import { SITE_MARKS } from "./site-marks.ts";

/** Comments, also without an end; definitions that are no links, which people use as comments; comments of templates. */
const COMMENTS: readonly RegExp[] = [
  /<!--(?<text>[\s\S]*?)(?:-->|$(?![\s\S]))/g,
  /^[ \t>]{0,9}\[[^\]\n]{1,80}\]:[ \t]*(?:#|<>|<#>)[ \t]*\n?[ \t]*(?<text>["'(][^\n]{1,400})/gm,
  /\{%-?\s*comment\b[^%]{0,80}%\}(?<text>[\s\S]*?)(?:\{%-?\s*endcomment|$(?![\s\S]))/g,
  /\{::comment\}(?<text>[\s\S]*?)(?:\{:\/|$(?![\s\S]))/g,
  /\{#(?=[\s-])(?<text>[\s\S]{1,2000}?)#\}/g,
  /\{\{-?\s*\/\*(?<text>[\s\S]*?)(?:\*\/|$(?![\s\S]))/g,
  /^[ \t]*%%[ \t](?<text>[^\n]*(?:\n(?![ \t]*%%)[^\n]+){0,40})/gm,
];

/** CommonMark and GFM, and the dialects that add to them without changing how a block begins. */
export const markdown: Format = {
  name: "markdown",
  title: "Markdown",
  extensions: ["md", "markdown", "mdown", "mkd", "mdc", "mdoc", "qmd", "rmd"],
  fileNames: ["llms.txt", "llms-full.txt", ".cursorrules", ".windsurfrules"],
  isMarkdown: true,
  embeds: { marks: SITE_MARKS, notInCode: true },
  comments: COMMENTS,
  outline: (text) => outlineMarkdown(text, { mdx: false }),
};

export const mdx: Format = {
  name: "mdx",
  title: "MDX",
  extensions: ["mdx"],
  isMarkdown: true,
  embeds: {
    marks: [
      ...SITE_MARKS,
      // A page that imports names of a module may import others of it.
      {
        takesIn: "code",
        shape:
          /^import \{[\w$ ,]{1,200}\} (?<name>from ["'][^"'\n]{1,120}["']);?[ \t]*$|^(?:import|export)\b[^\n]{0,120}/gm,
      },
      // An expression that does something, after comments. A name after a dot is none: a template fills it in.
      {
        takesIn: "code",
        shape:
          /\{(?:\s|\/\*(?:[^*]|\*(?!\/)){0,400}\*\/){0,20}(?!\s|\/\*|#|\.\w{1,60}\s{0,9}\})[^{}]{0,80}?(?:[(`=]|\.\w|\.\.\.|=>)[^{}]{0,80}\}?/g,
      },
    ],
    notInCode: true,
  },
  comments: [...COMMENTS, /\{\s*\/\*(?<text>[\s\S]*?)(?:\*\/|$(?![\s\S]))/g],
  outline: (text) => outlineMarkdown(text, { mdx: true }),
};

/** A Markdown or MDX page as blocks and spans. Never fails: text without structure is a paragraph. */
export function outlineMarkdown(text: string, { mdx }: { readonly mdx: boolean }): Outline {
  const front = findFrontMatter(text);
  const blocks: OpenBlock[] = front ? [{ kind: "front-matter", ...front, section: -1 }] : [];
  const body = front ? front.region.end : text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const { definitions, trouble } = scanBlocks(text, { from: body, blocks, mdx });
  const spans = findSpans(text, blocks, definitions, mdx);
  nameHeadings(text, blocks, spans);
  return {
    format: mdx ? "mdx" : "markdown",
    blocks,
    spans,
    trouble: trouble.map(({ offset, why }) => ({ line: lineNumber(text, offset), why })),
  };
}

function findSpans(
  text: string,
  blocks: readonly Block[],
  definitions: readonly LinkDefinition[],
  mdx: boolean,
): Span[] {
  const labels = new Set(definitions.map(({ label }) => labelOf(text.slice(label.start, label.end))));
  const defines = (label: string) => labels.has(label);
  const spans: Span[] = [];
  let next = 0;
  blocks.forEach((block, index) => {
    if (definitions[next]?.block === index) spans.push(definitionSpan(text, block, definitions[next++]!));
    else if (hasInline(block)) {
      const html = block.kind === "html" && !mdx;
      for (const span of scanInline(text, block.content, { block: index, mdx, html, defines }))
        spans.push(span);
    }
  });
  return spans;
}

// A row's words are its cells', and what holds blocks has its words in them.
function hasInline({ kind, language }: Block): boolean {
  return (
    kind === "paragraph" ||
    kind === "heading" ||
    kind === "table-cell" ||
    (kind === "html" && language === undefined)
  );
}

function definitionSpan(
  text: string,
  { region }: Block,
  { block, label, destination }: LinkDefinition,
): Span {
  return {
    kind: "reference",
    region,
    content: label,
    destination: { value: text.slice(destination.start, destination.end), region: destination },
    label: labelOf(text.slice(label.start, label.end)),
    block,
  };
}

/** Gives each heading its anchor: its own `{#id}` where it has one, else the one its words make. */
function nameHeadings(text: string, blocks: readonly OpenBlock[], spans: readonly Span[]): void {
  const slug = createSlugger();
  let next = 0;
  blocks.forEach((block, index) => {
    while (next < spans.length && spans[next]!.block < index) next++;
    if (block.kind !== "heading") return;
    const { start, end } = block.content;
    const id =
      text[end - 1] === "}"
        ? /[ \t]*\{#([^{}\s]+)\}$/.exec(text.slice(Math.max(start, end - 200), end))
        : null;
    if (id) block.content = { start, end: end - id[0].length };
    block.slug = id ? id[1]! : slug(visibleWords(text, block, spans, next));
  });
}

/** More of a heading than this never reaches its anchor; it bounds the work on one. */
const LONGEST_HEADING = 1000;

/** A heading's words as they are read: code without its marks, links by their words, no tags, no emphasis marks. */
function visibleWords(text: string, { content }: Block, spans: readonly Span[], first: number): string {
  const end = Math.min(content.end, content.start + LONGEST_HEADING);
  let words = "";
  let at = content.start;
  for (let i = first; i < spans.length && spans[i]!.region.start < end; i++) {
    const { kind, region, content: inner } = spans[i]!;
    if (region.start < at) continue;
    words += plainWords(text.slice(at, region.start));
    if (kind === "code") words += text.slice(inner.start, inner.end);
    else if (kind === "link" && text.charCodeAt(region.start) === 91)
      words += linkWords(text.slice(inner.start, inner.end));
    else if (kind === "autolink") words += text.slice(inner.start, inner.end);
    at = region.end;
  }
  return words + plainWords(text.slice(at, Math.max(at, end)));
}

function linkWords(words: string): string {
  return plainWords(words.replace(/!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])?/g, "").replaceAll("`", ""));
}

function plainWords(markup: string): string {
  if (!/[<&\\_]/.test(markup)) return markup;
  return markup
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:[a-z]{2,8}|#\d{1,6});/gi, "")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replace(
      /(?<![\p{L}\p{N}_])_{1,3}(?=[\p{L}\p{N}*`])|(?<=[\p{L}\p{N}*`.!?)])_{1,3}(?![\p{L}\p{N}_])/gu,
      "",
    );
}
