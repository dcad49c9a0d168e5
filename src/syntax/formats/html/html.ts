import type { Outline } from "../document.ts";
import type { Format } from "../format.ts";
import { createSlugger } from "../slug.ts";
import { HtmlScanner } from "./scanner.ts";

/** HTML pages. Most files with this ending are templates, so they are not taken for documentation. */
export const html: Format = {
  name: "html",
  title: "HTML",
  extensions: [],
  sharedExtensions: ["html", "htm"],
  // Layouts, themes and assets of a site are code.
  sharedFolders:
    /^(?!(?:.*\/)?(?:_[^/]*|layouts?|partials|includes?|templates?|themes?|assets|static|public|overrides)\/)(?:.*\/)?(?:docs?|documentation|manual|guides?|book)\/[^_].*$/i,
  embeds: {
    marks: [
      // Tags of a server (PHP, ASP, JSP, ERB), conditions of old browsers, and templates.
      {
        takesIn: "code",
        shape: /<\?(?!xml\b)[^\n]{0,80}|<%[^\n]{0,80}|<!--(?:\[if\b|#)[^\n]{0,80}|\{[{%#][^\n]{0,80}/gi,
        inCode: true,
      },
      // Template Toolkit, Thymeleaf, expression languages of Java, and declarations that take in files.
      {
        takesIn: "code",
        shape:
          /\[%[^\n]{0,80}|\[[[(]\s{0,9}[$#*]\{[^\n]{0,80}|[$#*]\{[^}\n]{0,80}?\([^\n]{0,80}|<!(?:ENTITY|DOCTYPE)\b[^\n]{0,80}/gi,
        inCode: true,
      },
    ],
  },
  comments: [/<!--(?<text>[\s\S]*?)(?:-->|$(?![\s\S]))/g],
  outline: outlineHtml,
};

/** The headings, prose, code, tables and links of an HTML page. */
function outlineHtml(text: string): Outline {
  const { list, spans } = new HtmlScanner(text).read();
  const slug = createSlugger();
  for (const block of list.blocks)
    if (block.kind === "heading")
      block.slug ??= slug(
        text
          .slice(block.content.start, Math.min(block.content.end, block.content.start + LONGEST_HEADING))
          .replace(/<[^<>]*>|&\w{1,10};/g, ""),
      );
  return { format: "html", blocks: list.blocks, spans, trouble: [] };
}

const LONGEST_HEADING = 1000;
