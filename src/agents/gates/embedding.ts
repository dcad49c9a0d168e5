import { posix } from "node:path";
import type { EmbedMark } from "../../syntax/formats/format.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import { gateText } from "../../wording/agents.ts";
import type { KnownFacts } from "./known-facts.ts";
import { findCode } from "./markup.ts";
import type { DraftedPage, GateVerdict, Objection } from "./objection.ts";

/**
 * Marks by which a format or a site builder takes in raw HTML, other files, remote content or code. None of them may be
 * new in a model's text: the builder follows them with its own rights, before any reader sees the page.
 */
export function checkEmbedding(draft: DraftedPage, facts: KnownFacts): Partial<GateVerdict> {
  const { path, before, after } = draft;
  const old = new Set(before === null ? [] : embeddingsOf(path, before).map(({ key }) => key));
  const fresh = embeddingsOf(path, after).filter(
    ({ key, file, module }) => !old.has(key) && !isOwnFile(file, path, facts) && !isOwnModule(module, facts),
  );
  const objections = fresh.slice(0, 5).map(
    ({ what, text }): Objection => ({
      gate: "safety",
      path,
      detail: gateText.active(what, text.slice(0, 60)),
    }),
  );
  return { objections };
}

type Embedding = {
  readonly what: string;
  readonly text: string;
  /** Two marks with the same key take in the same. */
  readonly key: string;
  /** The file or the Python module that the mark names, where it is no danger if the repository has it. */
  readonly file?: string | undefined;
  readonly module?: string | undefined;
};

function embeddingsOf(path: string, text: string): Embedding[] {
  const { embeds } = formatAt(path);
  const prose = embeds?.notInCode ? withoutCode(path, text) : text;
  const everywhere = /\.[qr]md$/i.test(path) ? [...EVERYWHERE, RUN_IN_SPANS] : EVERYWHERE;
  const { inCode = [], inProse = [] } = Object.groupBy(embeds?.marks ?? [], (mark) =>
    mark.inCode ? "inCode" : "inProse",
  );
  return [...findMarks([...everywhere, ...inCode], text), ...findMarks(inProse, prose)];
}

function findMarks(marks: readonly EmbedMark[], text: string): Embedding[] {
  return marks.flatMap(({ takesIn, shape }) =>
    Array.from(text.matchAll(shape), ({ 0: found, groups }) => ({
      what: WORDS[takesIn],
      text: found.trim(),
      key: groups?.name ?? found.trim(),
      file: groups?.file,
      module: groups?.module,
    })),
  );
}

/** A file of the repository: from the page, or, without a way up, from a folder that the builder knows. */
function isOwnFile(file: string | undefined, page: string, facts: KnownFacts): boolean {
  if (file === undefined) return false;
  if (file.includes("..")) return facts.hasFile(posix.join(posix.dirname(page), file.trim()));
  return facts.hasPathEnd(file.replace(/^\/+/, ""));
}

/** A module of a package of the repository. A file beside it may be a script, which acts when it is imported. */
function isOwnModule(name: string | undefined, facts: KnownFacts): boolean {
  const parts = name?.split(".") ?? [];
  return parts.some((_, at) => {
    const path = parts.slice(0, at + 1).join("/");
    return (at > 0 && facts.hasPathEnd(`${path}.py`)) || facts.hasPathEnd(`${path}/__init__.py`);
  });
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

/** Quarto and R Markdown run code spans that begin with the name of a language. */
const RUN_IN_SPANS: EmbedMark = { takesIn: "code", shape: /`(?:r|\{[a-z]{1,12}\})[ \t][^`\n]{1,80}/g };

/** Jekyll and Liquid, VitePress, mdBook, and the snippets of MkDocs: only paths that leave the folder, or the page's own. */
const EVERYWHERE: readonly EmbedMark[] = [
  // Directives of a web server in a comment.
  {
    takesIn: "code",
    shape:
      /<!--\s{0,9}#(?:exec|include|config|set|if|elif|else|endif|echo|fsize|flastmod|printenv)\b[^\n]{0,80}/gi,
  },
  {
    takesIn: "file",
    shape:
      /\{%-?\s*(?:include|include_relative|include_cached|render|import|from|extends)\s+["']?(?:\/|[^%\n]{0,60}\.\.)[^%\n]{0,80}/g,
  },
  { takesIn: "file", shape: /^<<<[ \t]*(?:\/|[^\n]{0,80}\.\.\/)[^\n]{0,80}/gm },
  {
    takesIn: "file",
    shape:
      /\{\{#(?:include|rustdoc_include|playground|playpen|template)\s+(?:\/|[^}\n]{0,80}\.\.\/[^}\n]{0,80}\.\.\/)[^}\n]{0,80}/g,
  },
  { takesIn: "file", shape: /<!--\s{0,20}@?include:?\s{1,20}(?:\/|[^>\n]{0,80}\.\.\/)[^>\n]{0,80}/gi },
  {
    takesIn: "file",
    shape:
      /^[ \t]*(?:[@!](?:include|import)(?:url|_many|_once|sub)?\b|\[\[?!?include[: ])[ \t"'(]*(?:\/|https?:|[^\n]{0,80}\.\.\/)[^\n]{0,80}/gim,
  },
  { takesIn: "file", shape: /!\[\[(?:\/|[^\]\n]{0,80}\.\.\/)[^\]\n]{0,80}/g },
  { takesIn: "code", shape: /^[ \t]*click[ \t]+\S{1,40}[ \t]+call\b[^\n]{0,60}/gm },
  // Front matter in a language that is run, and values that a reader of YAML makes objects of.
  { takesIn: "code", shape: /^(?:\uFEFF)?---[ \t]*(?:js|javascript|coffee|ts)\b[^\n]{0,40}/g },
  {
    takesIn: "code",
    shape:
      /^(?:\uFEFF)?---\r?\n(?:(?!---)[^\n]*\n){0,80}?[^\n]{0,80}(?<name>!!?(?:python|ruby|js)[/:][^\n]{0,60})/g,
  },
  { takesIn: "file", shape: /-{1,8}8<-{1,8}[ \t]*["']?(?:\/|https?:|[^\n"']{0,80}\.\.\/)[^\n]{0,80}/g },
];
