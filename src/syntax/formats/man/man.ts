import type { Outline } from "../document.ts";
import type { Format } from "../format.ts";
import { outlinePlain } from "../plain/plain.ts";
import { createSlugger } from "../slug.ts";
import { ManScanner } from "./blocks.ts";
import { plainRoff } from "./inline.ts";

/** Manual pages in the macros of man(7) and mdoc(7). A number at the end of a name may also be a version or a log. */
export const man: Format = {
  name: "man",
  title: "man pages",
  extensions: [],
  sharedFolders: /^[^/]+$|(?:^|\/)(?:man\d?|manpages?|docs?|documentation)\//i,
  sharedNames: /^(?!v?\d)[\w][\w.:+-]*(?<!\.(?:so|log|dylib|gz|bak))(?<![-_.]\d+)\.[1-8](?:[a-z]{1,4})?$/,
  embeds: {
    marks: [
      // Requests of groff(7) that run programs, read or write files, end the page, or change what a request is.
      {
        takesIn: "code",
        shape:
          /^[.'][ \t]*(?:[a-z]{2,5}\b[^\n]{0,200}?[.'][ \t]*|do[ \t]+)?(?:sy|pi|pso|open|opena|close|write|writem|writec|device|output|cc|c2|ec|eo|de1?|am1?|dei1?|ami1?|als|rn|rm|di|da|box|boxa|wh|ch|itc?|blm|lsm|em|ab|ex|hpfa?|fp|do)\b[^\n]{0,80}/gm,
      },
      {
        takesIn: "file",
        shape:
          /^[.'][ \t]*(?:[a-z]{2,5}\b[^\n]{0,200}?[.'][ \t]*|do[ \t]+)?(?:so|soquiet|mso|msoquiet|cf|trf|nx|rd|psbb|PSPIC|PDFPIC|IMG)\b[^\n]{0,80}/gm,
      },
      // Escapes that reach the output device or a variable of the environment.
      { takesIn: "code", shape: /\\(?:X['([]|V['([]|Y['([]|O\d|O\[|!)[^\n]{0,80}/g },
    ],
  },
  comments: [
    /\\["#](?<text>[^\n]*)/g,
    /^[.'][ \t]*ig\b[^\n]*\n(?<text>[\s\S]*?)(?:^\.\.[ \t]*$|$(?![\s\S]))/gm,
  ],
  outline: outlineMan,
};

/** A manual page as blocks and spans; a text without the macros of one is plain. */
function outlineMan(text: string): Outline {
  if (!/^\ufeff?[.'][ \t]*(?:TH|Dd|SH|Sh|\\")/m.test(text.slice(0, LONGEST_HEAD)))
    return { ...outlinePlain(text), format: "man" };
  const { list, spans } = new ManScanner(text).read();
  const slug = createSlugger();
  for (const block of list.blocks)
    if (block.kind === "heading")
      block.slug = slug(plainRoff(text.slice(block.content.start, block.content.end)));
  return { format: "man", blocks: list.blocks, spans, trouble: [] };
}

/** The first macro of a manual page follows its comments. */
const LONGEST_HEAD = 10_000;
