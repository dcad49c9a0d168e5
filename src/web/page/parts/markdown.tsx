import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Block, Outline, Span } from "../../../syntax/formats/document.ts";
import { outlineMarkdown } from "../../../syntax/formats/markdown/markdown.ts";
import { ShownText } from "./shown-text.tsx";

export type MarkdownProps = {
  readonly text: string;
  /** The other version; blocks that it does not have are marked. */
  readonly other: string;
  readonly label: string;
};

/**
 * A preview of Markdown, made from the outline of the page. HTML stays text, pictures are named
 * and not fetched, and links do nothing.
 */
export function MarkdownPreview({ text, other, label }: MarkdownProps): VNode {
  const page = useMemo(() => openOutline(text), [text]);
  const known = useMemo(() => {
    const { outline } = openOutline(other);
    return new Set(outline.blocks.map(({ region }) => other.slice(region.start, region.end)));
  }, [other]);
  return (
    <figure class="markdown" aria-label={label}>
      {drawBlocks(page, page.roots, known)}
    </figure>
  );
}

type RenderedPage = {
  readonly text: string;
  readonly outline: Outline;
  readonly roots: readonly number[];
  readonly children: ReadonlyMap<number, readonly number[]>;
  readonly spans: ReadonlyMap<number, readonly Span[]>;
};

function openOutline(text: string): RenderedPage {
  const outline = outlineMarkdown(text, { mdx: false });
  const children = Map.groupBy(outline.blocks.keys(), (index) => outline.blocks[index]!.parent ?? -1);
  const spans = Map.groupBy(outline.spans, ({ block }) => block);
  return { text, outline, roots: children.get(-1) ?? [], children, spans };
}

function drawBlocks(
  page: RenderedPage,
  indices: readonly number[],
  known: ReadonlySet<string>,
): ComponentChildren {
  const drawn: ComponentChildren[] = [];
  for (let i = 0; i < indices.length; ) {
    const block = page.outline.blocks[indices[i]!]!;
    if (block.kind === "table-row") {
      const rows = takeWhile(indices, i, (index) => page.outline.blocks[index]!.table === block.table);
      drawn.push(drawTable(page, rows, known));
      i += rows.length;
    } else drawn.push(drawBlock(page, indices[i++]!, known));
  }
  return drawn;
}

function drawBlock(page: RenderedPage, index: number, known: ReadonlySet<string>): ComponentChildren {
  const block = page.outline.blocks[index]!;
  const inner = page.children.get(index) ?? [];
  const source = page.text.slice(block.region.start, block.region.end);
  const fresh = known.has(source) ? "" : " fresh";
  const content = page.text.slice(block.content.start, block.content.end);
  switch (block.kind) {
    case "heading":
      return <p class={`heading h${block.depth ?? 1}${fresh}`}>{drawInline(page, index, block)}</p>;
    case "paragraph":
      return <p class={fresh}>{drawInline(page, index, block)}</p>;
    case "list-item":
      return (
        <div class={`item${inner.length > 0 ? "" : fresh}`}>
          <span class="bullet">{/^\d+/.exec(source)?.[0] ?? "•"}</span>
          <div>{inner.length > 0 ? drawBlocks(page, inner, known) : drawInline(page, index, block)}</div>
        </div>
      );
    case "quote":
    case "admonition":
      return (
        <blockquote>
          {inner.length > 0 ? drawBlocks(page, inner, known) : <ShownText text={content} />}
        </blockquote>
      );
    case "code-fence":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre class={fresh} tabIndex={0}>
          <ShownText text={content} />
        </pre>
      );
    case "table-row":
    case "table-cell":
      return null;
    default:
      return (
        <p class={`source${fresh}`}>
          <ShownText text={source} />
        </p>
      );
  }
}

function drawTable(page: RenderedPage, rows: readonly number[], known: ReadonlySet<string>): VNode {
  return (
    <table>
      <tbody>
        {rows.map((row) => {
          const { region, header } = page.outline.blocks[row]!;
          const fresh = known.has(page.text.slice(region.start, region.end)) ? "" : "fresh";
          return (
            <tr class={fresh}>
              {(page.children.get(row) ?? []).map((cell) => {
                const inline = drawInline(page, cell, page.outline.blocks[cell]!);
                return header ? <th scope="col">{inline}</th> : <td>{inline}</td>;
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function drawInline({ text, spans }: RenderedPage, index: number, { content }: Block): ComponentChildren {
  const drawn: ComponentChildren[] = [];
  let at = content.start;
  for (const span of spans.get(index) ?? []) {
    if (span.region.start < at) continue;
    drawn.push(drawWords(text.slice(at, span.region.start)));
    drawn.push(drawSpan(text, span));
    at = span.region.end;
  }
  drawn.push(drawWords(text.slice(at, content.end)));
  return drawn;
}

function drawSpan(text: string, { kind, region, content, destination }: Span): ComponentChildren {
  const words = text.slice(content.start, content.end);
  if (kind === "code")
    return (
      <code>
        <ShownText text={words} />
      </code>
    );
  if (kind === "link" || kind === "autolink") {
    const to = destination?.value ?? "";
    return (
      <span class="link">
        <ShownText text={words.replaceAll("`", "")} />
        {to !== "" && to !== words && (
          <span class="destination">
            <ShownText text={to} />
          </span>
        )}
      </span>
    );
  }
  if (kind === "image")
    return (
      <span class="picture">
        picture: <ShownText text={words} />
      </span>
    );
  return (
    <span class="source">
      <ShownText text={text.slice(region.start, region.end)} />
    </span>
  );
}

const longestEmphasis = 2000;

/** Plain words with their emphasis. */
function drawWords(text: string): ComponentChildren {
  const bare = text.replace(/\\(?=[!-/:-@[-`{-~])/g, "").replace(/\r?\n/g, " ");
  if (bare.length > longestEmphasis || !/[*_]/.test(bare)) return <ShownText text={bare} />;
  const parts = bare.split(
    /(\*\*[^*]+\*\*|__[^_]+__|\*[^*\s][^*]*\*|(?<![\p{L}\p{N}])_[^_\s][^_]*_(?![\p{L}\p{N}]))/u,
  );
  return parts.map((part, i) => {
    if (i % 2 === 0) return <ShownText text={part} />;
    const strong = part.startsWith("**") || part.startsWith("__");
    const inner = <ShownText text={strong ? part.slice(2, -2) : part.slice(1, -1)} />;
    return strong ? <strong>{inner}</strong> : <em>{inner}</em>;
  });
}

function takeWhile<T>(list: readonly T[], from: number, fits: (item: T) => boolean): T[] {
  let end = from;
  while (end < list.length && fits(list[end]!)) end++;
  return list.slice(from, end);
}
