import type { EmbedMark } from "../../syntax/formats/format.ts";
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

function embeddingsOf(path: string, text: string): Embedding[] {
  const { embeds } = formatAt(path);
  const prose = embeds?.notInCode ? withoutCode(path, text) : text;
  return [...EVERYWHERE, ...(embeds?.marks ?? [])].flatMap(({ takesIn, shape }) =>
    Array.from(prose.matchAll(shape), ([found]) => ({ what: WORDS[takesIn], text: found.trim() })),
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

const WORDS: Readonly<Record<EmbedMark["takesIn"], string>> = {
  file: "a mark that takes in a file from elsewhere",
  html: "raw HTML of the format",
  code: "code that the site builder runs",
};

/** Jekyll and Liquid, VitePress, and the snippets of MkDocs: only paths that leave the folder, or the page's own. */
const EVERYWHERE: readonly EmbedMark[] = [
  {
    takesIn: "file",
    shape:
      /\{%-?\s*(?:include|include_relative|include_cached|render|import|from|extends)\s+["']?(?:\/|[^%\n]{0,60}\.\.)[^%\n]{0,80}/g,
  },
  { takesIn: "file", shape: /^<<<[ \t]*(?:\/|[^\n]{0,80}\.\.\/)[^\n]{0,80}/gm },
  { takesIn: "file", shape: /-{1,8}8<-{1,8}[ \t]*["']?(?:\/|https?:|[^\n"']{0,80}\.\.\/)[^\n]{0,80}/g },
];
