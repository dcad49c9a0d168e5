import { expect, test } from "vitest";
import { formatOf } from "./outline.ts";
import { FORMATS, isDocumentPath, isMarkdownPath, USUAL_EXTENSIONS } from "./registry.ts";

test.each<[path: string, format: string, isDocument: boolean, isMarkdown: boolean]>([
  ["README.md", "markdown", true, true],
  ["docs/Guide.MDX", "mdx", true, true],
  ["a.markdown", "markdown", true, true],
  ["a.mdc", "markdown", true, true],
  ["report.qmd", "markdown", true, true],
  ["report.Rmd", "markdown", true, true],
  ["page.mdoc", "markdown", true, true],
  ["public/llms.txt", "markdown", true, false],
  [".cursorrules", "markdown", true, false],
  ["sub/.windsurfrules", "markdown", true, false],
  ["index.rst", "rst", true, false],
  ["a.adoc", "asciidoc", true, false],
  ["a.asciidoc", "asciidoc", true, false],
  ["release.asc", "asciidoc", false, false],
  ["notes.txt", "plain", false, false],
  ["tour.ipynb", "notebook", true, false],
  ["docs/manual/index.html", "html", true, false],
  ["docs/_layouts/page.html", "html", false, false],
  ["src/templates/page.html", "html", false, false],
  ["man/tool.1", "man", true, false],
  ["tool.8", "man", true, false],
  ["lib/data.1", "man", false, false],
  ["md", "plain", false, false],
  ["a.ts", "plain", false, false],
])(
  "the name %s says the format and whether the file is a document",
  (path, format, isDocument, isMarkdown) => {
    expect([formatOf(path), isDocumentPath(path), isMarkdownPath(path)]).toEqual([
      format,
      isDocument,
      isMarkdown,
    ]);
  },
);

test("no two formats claim one name or one ending", () => {
  const names = FORMATS.map(({ name }) => name);
  const endings = FORMATS.flatMap(({ extensions, sharedExtensions = [], fileNames = [] }) => [
    ...extensions,
    ...sharedExtensions,
    ...fileNames,
  ]);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(endings).size).toBe(endings.length);
  expect(endings).toEqual(endings.map((ending) => ending.toLowerCase()));
});

test("the endings that a link may leave out are the usual ones", () => {
  expect(USUAL_EXTENSIONS).toEqual(["md", "mdx", "rst", "adoc"]);
});
