import type { EmbedMark } from "../format.ts";

/**
 * Marks in Markdown that a reader on GitHub sees as text, and that site builders run, follow or turn into HTML:
 * attribute lists (kramdown, MkDocs, Pandoc), directives and cells (MyST, Quarto, R Markdown), live samples (Docusaurus),
 * expressions (Vue, Liquid), shortcodes (Hugo) and templates.
 */
export const SITE_MARKS: readonly EmbedMark[] = [
  // Raw attributes of Pandoc, Quarto and R Markdown: the builder passes the code on as it is.
  { takesIn: "html", shape: /(?:`|~{3})[ \t]*\{\s{0,9}=\s{0,9}[\w+-]{1,30}[^}\n]{0,40}\}/g, inCode: true },
  // Commands of TeX that read, write or run, and those of MathJax and KaTeX that make HTML.
  {
    takesIn: "code",
    shape:
      /\\(?:input|include|includegraphics|includepdf|verbatiminput|lstinputlisting|write18|immediate|openin|openout|newread|newwrite|catcode|csname|directlua|usepackage|special|href|require|html(?:Class|Id|Style|Data)|cssId|class|style|unicode)(?![A-Za-z])\s{0,3}[{[\\\d=][^\n]{0,60}/g,
  },
  // Settings that take in files or programs. Pandoc reads such a block anywhere on a page.
  {
    takesIn: "file",
    shape:
      /^(?:\uFEFF)?---[ \t]*\r?\n(?:(?!---)[^\n]*\n){0,80}?(?<name>[ \t]*(?:header-includes|include-(?:before|after)(?:-body)?|include-in-header|filters|lua-filter|pdf-engine(?:-opts?)?|knit|runtime|engine|css|scripts?|head|bibliography|csl|template|extends|resource_files|include)[ \t]*:[^\n]{0,60})/gm,
    inCode: true,
  },
  {
    takesIn: "html",
    shape:
      /\{:?[^{}\n]{0,200}?(?<=[\s{:"'])(?:on[a-z]{2,30}|style|src|srcset|href|ping|action|formaction|background|poster|data|srcdoc)\s{0,9}=[^{}\n]{0,80}\}?/gi,
  },
  {
    takesIn: "code",
    shape:
      /^[ \t>]*(?:`{3,}|~{3,}|:{3,})[ \t]*\{(?![.#=\s]|(?:note|tip|hint|info|important|warning|caution|danger|attention|error|seealso|admonition|code|code-block|versionadded|versionchanged|deprecated|dropdown|tab-set|tab-item|card|grid|grid-item-card|list-table|table|topic|sidebar|rubric|contents|glossary)\})[^\n]{0,60}/gm,
  },
  {
    takesIn: "code",
    shape: /\{(?:raw|eval|include|r|python|julia|code-cell|download)\b[^}\n]{0,40}\}`[^`\n]{0,60}/g,
  },
  {
    takesIn: "code",
    shape:
      /^[ \t>]*(?:`{3,}|~{3,})[^\n`]{0,400}(?:\blive\b|\bexec\s{0,3}=|\{[^}\n]{0,60}\.(?:cb-)?(?:run|exec)\b)[^\n]{0,60}/gm,
  },
  {
    takesIn: "code",
    shape:
      /\{\{(?![<%#])[^{}\n]{0,200}?(?:[()[\]=`]|__\w|\b(?:env|tokens?|secrets?|passwords?|credentials?|api_?keys?)\b)[^{}\n]{0,80}/gi,
  },
  // Texts and players of other sites, and files of the machine (Jekyll, Forem, markdown-include, remark-directive).
  {
    takesIn: "file",
    shape:
      /\{%-?\s*(?:youtube|vimeo|gist|embed|tweet|twitter|codepen|jsfiddle|replit|github|link_preview|raw_html|html)\b[^%\n]{0,80}|\{!\s{0,9}(?:\/|[^!\n]{0,80}\.\.)[^!\n]{0,80}|^:{2,3}(?:youtube|vimeo|iframe|embed|video|html|raw)\b[^\n]{0,60}/gim,
  },
  // Statements of templates that call something.
  {
    takesIn: "code",
    shape: /\{%-?\s*(?:set|do|call|assign|capture|macro|exec)\b[^%\n]{0,200}?[([][^%\n]{0,80}/g,
  },
  // Shortcodes that take in HTML, other sites, or files from elsewhere.
  {
    takesIn: "code",
    shape:
      /\{\{[<%]\s{0,9}(?:[\w/-]{0,30}(?:raw|html|unsafe|script|exec|eval|iframe|embed)[\w-]{0,30}|gist|youtube|vimeo|tweet|twitter|x|instagram)(?=[\s>%])[^}\n]{0,80}|\{\{[<%](?!\s{0,9}(?:(?:rel)?ref\s|\/[\w-]{1,40}\s{0,9}[>%]\}\}))[^}\n]{0,80}?(?:(?:(?<!\b(?:link|href)=)["'\s]|(?<!\b(?:link|href))=)\/(?!>)|\.\.\/|:\/\/)[^}\n]{0,80}/gi,
  },
  { takesIn: "code", shape: /<(?:\?(?:php\b|=)|%(?!\d))[^\n]{0,60}/gi },
];
