import { formatAt } from "../../syntax/formats/registry.ts";
import { gateText } from "../../wording/agents.ts";
import { findCode } from "./markup.ts";
import type { DraftedPage, GateVerdict, Objection } from "./objection.ts";

/**
 * Marks by which a format or a site builder takes in raw HTML, other files, remote content or code. None of them may be
 * new in a model's text: the builder follows them with its own rights, before any reader sees the page.
 */
export function checkEmbedding(draft: DraftedPage): Partial<GateVerdict> {
  const { path, before, after } = draft;
  const old = new Set(before === null ? [] : embeddingsOf(path, before).map(({ text }) => text));
  const fresh = embeddingsOf(path, after).filter(({ text }) => !old.has(text));
  const objections = fresh.slice(0, 5).map(
    ({ what, text }): Objection => ({
      gate: "safety",
      path,
      detail: gateText.active(what, text.slice(0, 60)),
    }),
  );
  return { objections };
}

type Embedding = { readonly what: string; readonly text: string };
type Mark = { readonly what: string; readonly shape: RegExp };

function embeddingsOf(path: string, text: string): Embedding[] {
  const format = /\.mdx$/i.test(path) ? "mdx" : formatAt(path).name;
  const own = MARKS[format] ?? [];
  // A JSX expression in code is code. The other formats follow their marks inside code spans too.
  const prose = format === "mdx" ? withoutCode(path, text) : text;
  return [...EVERYWHERE, ...own].flatMap(({ what, shape }) =>
    Array.from(prose.matchAll(shape), ([found]) => ({ what, text: found.trim() })),
  );
}

function withoutCode(path: string, text: string): string {
  let [prose, at] = ["", 0];
  for (const { start, end } of findCode(path, text)) {
    if (start < at) continue;
    prose += `${text.slice(at, start)} `;
    at = end;
  }
  return prose + text.slice(at);
}

const takesFile = "a mark that takes in a file from elsewhere";
const takesHtml = "raw HTML of the format";
const runsCode = "code that the site builder runs";

/** Jekyll and Liquid, VitePress, and the snippets of MkDocs: only paths that leave the folder, or the page's own. */
const EVERYWHERE: readonly Mark[] = [
  {
    what: takesFile,
    shape:
      /\{%-?\s*(?:include|include_relative|include_cached|render|import|from|extends)\s+["']?(?:\/|[^%\n]{0,60}\.\.)[^%\n]{0,80}/g,
  },
  { what: takesFile, shape: /^<<<[ \t]*(?:\/|[^\n]{0,80}\.\.\/)[^\n]{0,80}/gm },
  { what: takesFile, shape: /-{1,8}8<-{1,8}[ \t]*["']?(?:\/|https?:|[^\n"']{0,80}\.\.\/)[^\n]{0,80}/g },
];

const MARKS: Readonly<Record<string, readonly Mark[]>> = {
  asciidoc: [
    {
      what: takesHtml,
      shape:
        /\bpass:[a-z,+-]*\[[^\]\n]{0,80}|\+{3}[^\n]{0,80}|^\[pass\b[^\n]{0,40}|\bsubs\s*=[^\n\]]{0,60}/gm,
    },
    { what: takesFile, shape: /^include::(?:[a-z][a-z0-9+.-]*:|\/|[^\n[]{0,80}\.\.\/)[^\n]{0,80}/gim },
  ],
  rst: [
    { what: takesHtml, shape: /^[ \t]*\.\.[ \t]+(?:raw|role)::[^\n]{0,80}/gm },
    {
      what: takesFile,
      shape: /^[ \t]*:(?:url|file):[ \t]*(?:[a-z][a-z0-9+.-]*:|\/|[^\n]{0,80}\.\.\/)[^\n]{0,80}/gim,
    },
    {
      what: runsCode,
      shape:
        /^[ \t]*\.\.[ \t]+(?:eval|exec|execute_code|program-output|command-output|jupyter-execute|ipython|plot|automodule)::[^\n]{0,80}/gim,
    },
  ],
  mdx: [
    { what: runsCode, shape: /^(?:import|export)\b[^\n]{0,120}/gm },
    { what: runsCode, shape: /\{(?!\s*\/\*|#)[^{}\n]{0,40}(?:[(`=]|\.\w|\.\.\.|=>)[^{}\n]{0,80}\}?/g },
  ],
};
