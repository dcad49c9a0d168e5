import { asciidoc } from "./asciidoc/asciidoc.ts";
import type { Format } from "./format.ts";
import { html } from "./html/html.ts";
import { man } from "./man/man.ts";
import { markdown, mdx } from "./markdown/markdown.ts";
import { notebook } from "./notebook/notebook.ts";
import { plain } from "./plain/plain.ts";
import { rst } from "./rst/rst.ts";

/** Every format of documents. All lists of document endings are derived from this one. */
export const FORMATS: readonly Format[] = [markdown, mdx, rst, asciidoc, notebook, man, html];

/** The format of a file by its name alone; plain text where no other format claims the name. */
export function formatAt(path: string): Format {
  const name = fileName(path);
  return formatOf(name, extensionOf(name));
}

function formatOf(name: string, extension: string): Format {
  return (
    BY_NAME.get(name) ??
    BY_EXTENSION.get(extension) ??
    SHARING_NAMES.find(({ sharedNames }) => sharedNames?.test(name)) ??
    plain
  );
}

/** Whether a file is documentation by its name and place: a page, or instructions for agents. */
export function isDocumentPath(path: string): boolean {
  const name = fileName(path);
  const extension = extensionOf(name);
  if (DOCUMENT_EXTENSIONS.has(extension) || DOCUMENT_NAMES.has(name)) return true;
  const { sharedFolders } = formatOf(name, extension);
  return sharedFolders?.test(path) ?? false;
}

/** Whether a name has an ending that only documents have. */
export function hasDocumentEnding(path: string): boolean {
  return DOCUMENT_EXTENSIONS.has(extensionOf(fileName(path)));
}

/** Whether a file is a page in Markdown or one of its dialects, by its ending. */
export function isMarkdownPath(path: string): boolean {
  return MARKDOWN_EXTENSIONS.has(extensionOf(fileName(path)));
}

/** The formats of documentation for a sentence, in the order of the registry. */
export const DOCUMENT_TITLES: readonly string[] = FORMATS.flatMap(({ title, extensions }) =>
  extensions.length > 0 ? [title] : [],
);

/** Words by which people label a text in one of the formats: their names and usual endings. */
export const FORMAT_WORDS: readonly string[] = FORMATS.flatMap(({ name, extensions }) =>
  extensions.length > 0 ? [name, extensions[0]!] : [],
);

/** The usual ending of each format, without the dot: the endings that a link may leave out. */
export const USUAL_EXTENSIONS: readonly string[] = FORMATS.flatMap(({ extensions }) =>
  extensions.slice(0, 1),
);

const DOCUMENT_EXTENSIONS: ReadonlySet<string> = new Set(FORMATS.flatMap(({ extensions }) => extensions));
const MARKDOWN_EXTENSIONS: ReadonlySet<string> = new Set(
  FORMATS.flatMap(({ isMarkdown, extensions }) => (isMarkdown ? extensions : [])),
);
const DOCUMENT_NAMES: ReadonlySet<string> = new Set(FORMATS.flatMap(({ fileNames = [] }) => fileNames));

const SHARING_NAMES: readonly Format[] = FORMATS.filter(({ sharedNames }) => sharedNames !== undefined);

const BY_NAME: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) => (format.fileNames ?? []).map((name) => [name, format] as const)),
);
const BY_EXTENSION: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) =>
    [...format.extensions, ...(format.sharedExtensions ?? [])].map(
      (extension) => [extension, format] as const,
    ),
  ),
);

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

/** The ending of a file name without its dot; empty where there is none. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1);
}
