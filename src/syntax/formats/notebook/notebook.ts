import { blank } from "../../../text/characters/blank.ts";
import { defined } from "../../../text/model/defined.ts";
import { lineNumber } from "../../../text/model/lines.ts";
import type { Region } from "../../../text/model/region.ts";
import { type DataNode, dataAt } from "../../data/data.ts";
import { scanJson } from "../../data/json.ts";
import { BlockList } from "../block-list.ts";
import type { Outline, Span } from "../document.ts";
import type { Format } from "../format.ts";
import { outlineMarkdown } from "../markdown/markdown.ts";
import { createSlugger } from "../slug.ts";
import { CellText } from "./cell-text.ts";

/** Jupyter notebooks: pages whose text is strings of JSON, so that nothing but names may be edited in them as text. */
export const notebook: Format = {
  name: "notebook",
  title: "Jupyter notebooks",
  extensions: [],
  sharedExtensions: ["ipynb"],
  sharedFolders: /./,
  outline: outlineNotebook,
};

export type NotebookCell = {
  readonly kind: "markdown" | "code" | "raw";
  readonly source: CellText;
  /** The language of the kernel, for code. */
  readonly language?: string;
};

/** The cells of a notebook in order, and the first thing wrong with its JSON. */
export function readNotebook(text: string): {
  readonly cells: readonly NotebookCell[];
  readonly trouble?: { readonly offset: number; readonly why: string };
} {
  const { root, trouble } = scanJson(text);
  const metadata = dataAt(root, "metadata");
  const language =
    dataAt(metadata, "language_info", "name")?.value ?? dataAt(metadata, "kernelspec", "language")?.value;
  const list = dataAt(root, "cells");
  const cells = (list?.items ?? []).flatMap((node) => readCell(text, node, language) ?? []);
  const why = trouble ?? (list ? undefined : { offset: 0, why: "a notebook has a list of cells" });
  return { cells, ...defined({ trouble: why }) };
}

/**
 * The cells of a notebook at their offsets in its JSON, and spaces for everything else: as long as the file, line for
 * line, so that a place in it is a place in the file.
 */
export function maskNotebook(text: string): string {
  const cells = dataAt(scanJson(text).root, "cells")?.items ?? [];
  let masked = "";
  for (const { start, end } of cells.flatMap(sourceRegions)) {
    masked += blank(text.slice(masked.length, start));
    // An escape writes one character in two places or more: the last one shows it.
    masked += text
      .slice(start, end)
      .replace(/\\(?:u[\da-f]{4}|.)/gi, (written) =>
        /^\\["\\/]$/.test(written) ? ` ${written[1]}` : " ".repeat(written.length),
      );
  }
  return masked + blank(text.slice(masked.length));
}

function sourceRegions(node: DataNode): Region[] {
  const written = dataAt(node, "source");
  return (written?.items ?? (written ? [written] : [])).flatMap(({ kind, region }) =>
    kind === "scalar" ? [region] : [],
  );
}

function readCell(text: string, node: DataNode, language: string | undefined): NotebookCell | undefined {
  const kind = dataAt(node, "cell_type")?.value;
  if (kind !== "markdown" && kind !== "code" && kind !== "raw") return undefined;
  const written = dataAt(node, "source");
  const source = new CellText();
  for (const string of written?.items ?? (written ? [written] : []))
    if (string.kind === "scalar") source.append(text, string.region);
  return {
    kind,
    source,
    ...defined({ language: kind === "code" && language !== undefined ? language : undefined }),
  };
}

/** A notebook as blocks and spans whose regions lie in its JSON. Markdown cells have the blocks of their Markdown. */
export function outlineNotebook(text: string): Outline {
  const { cells, trouble } = readNotebook(text);
  const list = new BlockList();
  const spans: Span[] = [];
  const slug = createSlugger();
  for (const cell of cells) {
    if (cell.kind === "markdown") addMarkdown(cell.source, list, spans);
    else addCell(cell, list);
  }
  for (const block of list.blocks) if (block.slug !== undefined) block.slug = slug(block.slug);
  return {
    format: "notebook",
    blocks: list.blocks,
    spans,
    trouble: trouble ? [{ line: lineNumber(text, trouble.offset), why: trouble.why }] : [],
    editable: false,
  };
}

function addCell({ kind, source, language }: NotebookCell, list: BlockList): void {
  const region = source.locate({ start: 0, end: source.text.length });
  if (!region || source.text === "") return;
  const block = list.blocks[list.add(kind === "code" ? "code-fence" : "html", region)]!;
  if (kind === "code") block.fence = "";
  if (language !== undefined) block.language = language;
}

function addMarkdown(source: CellText, list: BlockList, spans: Span[]): void {
  const outline = outlineMarkdown(source.text, { mdx: false });
  const before = list.blocks.length;
  // Every region of the cell's outline lies inside its text, which has at least one segment then.
  const place = (region: Region): Region => source.locate(region) ?? { start: 0, end: 0 };
  for (const block of outline.blocks) {
    const parent = block.parent === undefined ? undefined : block.parent + before;
    const added = list.blocks[list.add(block.kind, place(block.region), parent)]!;
    const { section } = added;
    Object.assign(added, block, {
      region: added.region,
      content: place(block.content),
      section,
      ...defined({ parent, table: block.table === undefined ? undefined : block.table + before }),
    });
    if (block.kind === "heading") list.beginSection(list.blocks.length - 1);
  }
  for (const span of outline.spans) spans.push(placeSpan(span, source, before, place));
}

function placeSpan(span: Span, source: CellText, before: number, place: (region: Region) => Region): Span {
  const { region, content, destination, block } = span;
  return {
    ...span,
    region: place(region),
    content: place(content),
    value: source.text.slice(content.start, content.end),
    ...(destination && { destination: { value: destination.value, region: place(destination.region) } }),
    block: block + before,
  };
}
