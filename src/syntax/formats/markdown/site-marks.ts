import type { EmbedMark } from "../format.ts";

/**
 * Marks in Markdown that a reader on GitHub sees as text, and that site builders run, follow or turn into HTML:
 * attribute lists (kramdown, MkDocs, Pandoc), directives and cells (MyST, Quarto, R Markdown), live samples (Docusaurus),
 * expressions (Vue, Liquid), shortcodes (Hugo) and templates.
 */
export const SITE_MARKS: readonly EmbedMark[] = [
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
