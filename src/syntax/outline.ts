import type { DocumentFormat, Outline } from "./document.ts";
import { outlineMarkdown } from "./markdown.ts";

/** A document as named regions, by the format its name says. Never throws; `trouble` says what was not understood. */
export function outlineDocument(path: string, text: string): Outline {
  switch (formatOf(path)) {
    case "mdx":
      return outlineMarkdown(text, { mdx: true });
    default:
      return outlineMarkdown(text, { mdx: false });
  }
}

/** The format of a document by its name alone. */
export function formatOf(path: string): DocumentFormat {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf(".") + 1);
  return FORMATS[extension] ?? "plain";
}

const FORMATS: Readonly<Record<string, DocumentFormat>> = Object.assign(Object.create(null), {
  md: "markdown",
  markdown: "markdown",
  mdown: "markdown",
  mkd: "markdown",
  mdc: "markdown",
  mdx: "mdx",
  rst: "rst",
  adoc: "asciidoc",
  asciidoc: "asciidoc",
  asc: "asciidoc",
});
