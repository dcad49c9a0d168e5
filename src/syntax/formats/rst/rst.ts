import { defined } from "../../../text/model/defined.ts";
import { lineNumber } from "../../../text/model/lines.ts";
import type { Block, Outline, Span } from "../document.ts";
import type { Format } from "../format.ts";
import { scanRst } from "./blocks.ts";
import { scanRstInline } from "./inline.ts";

/** The directives of docutils and Sphinx that only show their text. Those that take in more are among the marks. */
const SHOWING = [
  "attention caution danger error hint important note tip warning admonition topic sidebar line-block math table list-table",
  "contents sectnum section-numbering header footer rubric epigraph highlights pull-quote compound container class rst-class",
  "replace unicode date image figure target-notes title toctree versionadded versionchanged versionremoved deprecated seealso",
  "centered hlist index only highlight glossary productionlist codeauthor sectionauthor tabularcolumns option envvar confval",
  "program describe object default-domain currentmodule module function method attribute data exception decorator property",
  "staticmethod classmethod decoratormethod variable macro type enum enumerator struct cmdoption code code-block sourcecode",
  "tab tabs tab-set tab-item tab-set-code group-tab code-tab dropdown card grid grid-item grid-item-card button-link",
  "button-ref details todo todolist parsed-literal csv-table include literalinclude",
  // The marks above judge them by the module that they name.
  "auto[a-z]{1,20} click typer",
].flatMap((names) => names.split(" "));

const UNKNOWN_DIRECTIVE = new RegExp(
  String.raw`^[ \t]*\.\.[ \t]+(?:\|[^|\n]{1,60}\|[ \t]+)?(?!(?:${SHOWING.join("|")})::)(?<name>[a-z][\w-]{0,40}::)[^\n]{0,80}`,
  "gim",
);

export const rst: Format = {
  name: "rst",
  title: "reStructuredText",
  extensions: ["rst"],
  // Roles such as `:ref:` have labels as destinations.
  hasLabels: true,
  // The target of a role or a link: `words <target>`.
  angleReference: /^[\s\S]<[^<>="'`]{1,200}>`/,
  embeds: {
    marks: [
      {
        takesIn: "html",
        shape: /^[ \t]*\.\.[ \t]+(?:\|[^|\n]{1,60}\|[ \t]+)?(?:raw|role|default-role|meta)::[^\n]{0,80}/gim,
      },
      {
        takesIn: "file",
        shape: /^[ \t]*:(?:url|file):[ \t]*(?:[a-z][a-z0-9+.-]*:|\/|[^\n]{0,80}\.\.\/)[^\n]{0,80}/gim,
      },
      {
        takesIn: "code",
        shape:
          /^[ \t]*\.\.[ \t]+(?:eval|exec|exec_code|execute_code|runblock|jinja|pyexec|program-output|command-output|jupyter-execute|jupyter-kernel|thebe-button|ipython|plot|matplotlib|altair-plot|bokeh-plot|pyvista-plot|doctest|testcode|testsetup|testcleanup|ifconfig|autosummary|inheritance-diagram|autoclasstree|django-admin-output|argparse|sphinx_argparse_cli|nbgallery)::[^\n]{0,80}/gim,
      },
      { takesIn: "code", shape: /^[ \t]*\.\.[ \t]+automodule::[ \t]*(?<module>[\w.]{0,200})[^\n]{0,80}/gim },
      {
        takesIn: "code",
        shape:
          /^[ \t]*\.\.[ \t]+auto[a-z]{1,20}::[ \t]*(?<module>[a-z_][\w.]{0,200})\.\w{1,100}[^\n]{0,80}/gm,
      },
      {
        takesIn: "code",
        shape:
          /^[ \t]*(?:\.\.[ \t]+(?:click|typer|autoprogram)::|:module:)[ \t]*(?<module>[\w.]{0,200})[^\n]{0,80}/gim,
      },
      // Drawings and descriptions from a file.
      {
        takesIn: "file",
        shape:
          /^[ \t]*\.\.[ \t]+(?:graphviz|uml|plantuml|mermaid|ditaa|aafig|blockdiag|seqdiag|drawio-image|openapi|swagger|datatemplate[\w:]*|csv-table)::[ \t]*[^\s"'][^\n]{0,80}\.[^\n]{0,20}|^[ \t]*\.\.[ \t]+(?:graphviz|uml|plantuml|mermaid)::[ \t]*\/[^\n]{0,80}/gim,
      },
      // Text with links that looks like code.
      {
        takesIn: "html",
        shape:
          /^([ \t]*)\.\.[ \t]+parsed-literal::[^\n]*\n(?:[ \t\r]*\n|\1[ \t]+\S[^\n]*\n){0,40}?\1[ \t]+[^\n]*<(?:[a-z][a-z0-9+.-]*:|\/\/)[^\n]{0,60}/gim,
      },
      // A program draws or typesets them, and TeX reads the files that they name.
      {
        takesIn: "file",
        shape:
          /^[ \t]*\.\.[ \t]+math::[^\n]*\n(?:[^\n]*\n){0,40}?[^\n]{0,200}\\(?:input|include|openin|openout|write18)\b[^\n]{0,40}/gim,
      },
      // Extensions decide what any other directive does. A page that uses one may use it again.
      { takesIn: "code", shape: UNKNOWN_DIRECTIVE },
      {
        takesIn: "file",
        shape:
          /^[ \t]*\.\.[ \t]+[\w-]{0,20}include::[ \t]*(?<file>\/[^\s]{1,200}|[^\n]{0,80}\.\.\/[^\n]{0,80})/gim,
      },
    ],
  },
  comments: [
    /^([ \t]*)\.\.(?:[ \t]+(?![[|_]|[\w:.+-]+::)|[ \t]*\n\1[ \t]+)(?<text>\S[^\n]*(?:\n(?:[ \t]*\n)*\1[ \t]+\S[^\n]*)*)/gm,
  ],
  outline: outlineRst,
};

/** A reStructuredText page as blocks and spans. Never fails: text without structure is a paragraph. */
export function outlineRst(text: string): Outline {
  const { list, targets, tooDeep } = scanRst(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const spans: Span[] = list.blocks.flatMap((block, index) =>
    hasInline(block) ? scanRstInline(text, block.content, index) : [],
  );
  for (const { kind, block, target, label } of targets)
    spans.push({
      kind,
      region: list.blocks[block]!.region,
      content: target,
      destination: { value: text.slice(target.start, target.end), region: target },
      ...defined({ label }),
      block,
    });
  nameHeadings(text, list.blocks);
  return {
    format: "rst",
    blocks: list.blocks,
    spans: spans.sort((a, b) => a.region.start - b.region.start || b.region.end - a.region.end),
    trouble:
      tooDeep === undefined
        ? []
        : [{ line: lineNumber(text, tooDeep), why: "nested too deep, read as text" }],
  };
}

function hasInline({ kind }: Block): boolean {
  return kind === "paragraph" || kind === "heading" || kind === "table-cell";
}

/** Anchors as docutils makes them. */
function nameHeadings(
  text: string,
  blocks: readonly { kind: string; content: Block["content"]; slug?: string }[],
): void {
  const seen = new Set<string>();
  let repeated = 0;
  for (const block of blocks) {
    if (block.kind !== "heading") continue;
    const words = text.slice(block.content.start, Math.min(block.content.end, block.content.start + 1000));
    const plain = words
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^[-0-9]+|-$/g, "");
    let slug = plain;
    while (seen.has(slug)) slug = `id${++repeated}`;
    seen.add(slug);
    block.slug = slug;
  }
}
