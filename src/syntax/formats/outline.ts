import { outlineAsciiDoc } from "./asciidoc/asciidoc.ts";
import type { DocumentFormat, Outline } from "./document.ts";
import { outlineMarkdown } from "./markdown/markdown.ts";
import { outlinePlain } from "./plain/plain.ts";
import { outlineRst } from "./rst/rst.ts";

/** A document as named regions, by the format its name says. Never throws; `trouble` says what was not understood. */
export function outlineDocument(path: string, text: string): Outline {
  switch (formatOf(path)) {
    case "markdown":
      return outlineMarkdown(text, { mdx: false });
    case "mdx":
      return outlineMarkdown(text, { mdx: true });
    case "rst":
      return outlineRst(text);
    case "asciidoc":
      return outlineAsciiDoc(text);
    case "plain":
      return outlinePlain(text);
  }
}

/** The format of a document by its name alone. */
export function formatOf(path: string): DocumentFormat {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return FORMATS.get(name.slice(name.lastIndexOf(".") + 1)) ?? "plain";
}

const FORMATS: ReadonlyMap<string, DocumentFormat> = new Map([
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["mdown", "markdown"],
  ["mkd", "markdown"],
  ["mdc", "markdown"],
  ["cursorrules", "markdown"],
  ["mdx", "mdx"],
  ["rst", "rst"],
  ["adoc", "asciidoc"],
  ["asciidoc", "asciidoc"],
  ["asc", "asciidoc"],
]);
