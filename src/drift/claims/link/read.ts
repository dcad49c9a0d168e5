import { HOST_RAW_SITES, HOST_SITES } from "../../../syntax/code-hosts.ts";
import type { Span } from "../../../syntax/formats/document.ts";
import { formatAt, hasDocumentEnding } from "../../../syntax/formats/registry.ts";
import { firstReaching, type Region } from "../../../text/model/region.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { lineAt } from "../../pages/page.ts";
import type { Claim } from "../claim.ts";
import { LABEL_ROLE, readLabels } from "./labels.ts";
import { resolveFrom } from "./targets.ts";

/** How a page points at a place of its own repository. */
export type LinkForm =
  /** A link, an image or a definition with a relative destination. */
  | "link"
  /** A mark by which a builder takes in a file, from the page's folder, the root, or a folder of its settings. */
  | "include"
  /** A link from the root of the site. */
  | "site"
  /** An address on a code host. */
  | "url"
  /** A path as inline code. */
  | "span"
  /** A path on a line of code or in a command. */
  | "code"
  /** A label of reStructuredText, which any page of the project may have. */
  | "label";

/** A place on a page that names a path of the repository, or a heading. */
export type LinkClaim = Claim & {
  readonly form: LinkForm;
  /** The path as written, without fragment and query; empty for a heading of the page itself. */
  readonly written: string;
  readonly at: Region;
  /** The heading, as an anchor names it, and its region. */
  readonly fragment: { readonly text: string; readonly region: Region } | null;
  /** The words of the link, where they repeat the path or the name of the file. */
  readonly label: Region | null;
  /** Of an address on a code host: the repository, and the branch, tag or commit. */
  readonly hosted?: { readonly repository: string; readonly revision: string };
};

/** The places that a page points at, in reading order. */
export function readLinks(page: DocumentPage): readonly LinkClaim[] {
  const known = read.get(page);
  if (known) return known;
  const linked = [...readSpans(page), ...readLabels(page)];
  const hosted = [...readHosted(page), ...readIncludes(page), ...readContents(page)];
  const taken = [...linked, ...hosted].map(({ region }) => region).sort((a, b) => a.start - b.start);
  const mentioned = readMentions(page).filter(({ region }) => !overlapsAny(region, taken));
  const byStart = new Map([...linked, ...hosted, ...mentioned].map((one) => [one.at.start, one]));
  const claims = [...byStart.values()].sort((a, b) => a.region.start - b.region.start);
  read.set(page, claims);
  return claims;
}

const read = new WeakMap<DocumentPage, readonly LinkClaim[]>();

const FOREIGN = /^(?:[a-z][a-z0-9+.-]*:|\/\/|\\|<|\{|\$|@|~|%)/i;
const TEMPLATE = /[{}<>*|"'`()\\]|\$|::|\.\.\.|…|%7B/i;

/** Links, images and includes that the reader of the format found, and attributes of HTML. */
function readSpans(page: DocumentPage): LinkClaim[] {
  const { path, text } = page;
  const { hasLabels, hasHeadingIds } = formatAt(path);
  const spans = page.outline().spans.flatMap((span) => {
    const { destination, kind } = span;
    if (!destination || kind === "autolink") return [];
    if (
      hasLabels &&
      (OTHER_ROLE.test(text.slice(span.region.start, span.region.start + 20)) || !isPath(destination.value))
    )
      return [];
    if (hasHeadingIds && !/\.\w+(?:#|$)/.test(destination.value)) return [];
    return toClaim(page, destination.region, wordsOf(text, span));
  });
  return [...spans, ...readAttributes(page)];
}

/** A role whose target is no path, whatever it looks like. */
const OTHER_ROLE = new RegExp(`${LABEL_ROLE.source}|^:(?:any|external)\\b`);

/** Whether a destination in a format with labels is a path. */
function isPath(destination: string): boolean {
  return /^\.|\/|\.(?:html?|png|svg|py|txt)$/.test(destination) || hasDocumentEnding(destination);
}

const ATTRIBUTE = /\b(?:src|href|poster|data-src)\s*=\s*(["'])([^"'\n]{1,400})\1/gi;

function readAttributes(page: DocumentPage): LinkClaim[] {
  const read = page.read();
  return [...page.text.matchAll(ATTRIBUTE)].flatMap((match) => {
    // In a sample it is an address of the reader.
    if (read.lines[lineAt(read, match.index)]?.place === "code") return [];
    const end = match.index + match[0].length - 1;
    return toClaim(page, { start: end - match[2]!.length, end }, null);
  });
}

function toClaim(page: DocumentPage, region: Region, words: Region | null): LinkClaim[] {
  const value = page.text.slice(region.start, region.end);
  if (FOREIGN.test(value.trim()) || /\s/.test(value.trim())) return [];
  const { written, fragment } = cutFragment(value, region.start);
  if (TEMPLATE.test(written) || (written === "" && fragment === null)) return [];
  const at = { start: region.start, end: region.start + written.length };
  const label = words && repeatsPath(page, words, written) ? words : null;
  const form = written.startsWith("/") ? "site" : "link";
  return [
    {
      page,
      region: { start: label?.start ?? region.start, end: region.end },
      form,
      written,
      at,
      fragment,
      label,
    },
  ];
}

function cutFragment(value: string, start: number): Pick<LinkClaim, "written" | "fragment"> {
  const hash = value.indexOf("#");
  const written = (hash < 0 ? value : value.slice(0, hash)).replace(/\?.*$/, "");
  if (hash < 0 || hash === value.length - 1) return { written, fragment: null };
  const region = { start: start + hash + 1, end: start + value.length };
  return { written, fragment: { text: decoded(value.slice(hash + 1)), region } };
}

/** The words of a link that stand before its destination: `[words](destination)`. */
function wordsOf(text: string, { kind, content, destination }: Span): Region | null {
  if (kind !== "link" || !destination || content.end > destination.region.start) return null;
  if (destination.region.start - content.end > 4 || content.end - content.start > 300) return null;
  const { start, end } = content;
  return text[start] === "`" && text[end - 1] === "`" ? { start: start + 1, end: end - 1 } : content;
}

/** Whether the words of a link are the path it leads to, or the end of that path. */
function repeatsPath({ path, text }: DocumentPage, { start, end }: Region, written: string): boolean {
  const words = text.slice(start, end).replace(/^(?:\.?\/)+|\/$/g, "");
  const isCode = text[start - 1] === "`";
  if (words === "" || /\s/.test(words) || !(isCode || /[./]/.test(words))) return false;
  const target = resolveFrom(path, written) ?? written;
  return `/${written}`.endsWith(`/${words}`) || `/${target}`.endsWith(`/${words}`);
}

/** The repository on a page of its host, or the repository on a site of raw files; the revision; the path. */
const HOSTED = new RegExp(
  `https?://(?:${[
    String.raw`(?:www\.)?(?:${HOST_SITES})/([\w.-]+/[\w.-]+?)(?:\.git)?/(?:-/)?(?:blob|tree|raw|edit|src/branch)/`,
    String.raw`(?:${HOST_RAW_SITES})/([\w.-]+/[\w.-]+)/(?:refs/heads/)?`,
  ].join("|")})${/([\w.-]+)\/([^\s()<>"'`[\]|?#*{}]+)/.source}`,
  "gi",
);
/** The page or the badge of a workflow. */
const WORKFLOW = new RegExp(
  String.raw`https?://(?:${HOST_SITES})/([\w.-]+/[\w.-]+)/(?:actions/)?workflows/([\w.-]+\.ya?ml)\b`,
  "gi",
);

function readHosted(page: DocumentPage): LinkClaim[] {
  const { text } = page;
  if (!text.includes("://")) return [];
  const shown = [...text.matchAll(HOSTED)].flatMap((match) => {
    const written = match[4]!.replace(/(?<![.,;:!])[.,;:!]+$/, "");
    const start = match.index + match[0].length - match[4]!.length;
    const at = { start, end: start + written.length };
    if (written === "" || TEMPLATE.test(written)) return [];
    const hash = /^#([\w-]+)/.exec(text.slice(at.end, at.end + 80))?.[1];
    const region = { start: at.end + 1, end: at.end + 1 + (hash ?? "").length };
    const fragment = hash === undefined ? null : { text: hash, region };
    const own = wordsBefore(text, match.index);
    const label = own && repeatsPath({ ...page, path: "" }, own, written) ? own : null;
    const hosted = { repository: (match[1] ?? match[2])!.toLowerCase(), revision: match[3]! };
    const whole = { start: label?.start ?? start, end: fragment?.region.end ?? at.end };
    return [{ page, region: whole, form: "url" as const, written, at, fragment, label, hosted }];
  });
  return [...shown, ...readWorkflows(page)];
}

/** One word before an address, in Markdown or reStructuredText: `[word](`, `word <`. */
function wordsBefore(text: string, at: number): Region | null {
  const from = Math.max(0, at - 300);
  const match = /[`[]([^\s`[\]<>()]+)(?:`?\]\(| <)$/.exec(text.slice(from, at));
  if (match === null) return null;
  const start = from + match.index + 1;
  return { start, end: start + match[1]!.length };
}

/** `{{#include a.rs:2:9}}`, `--8<-- "a.md"`, `<!-- @include: a.md -->`, `<<< @/a.ts`. */
const INCLUDE = /(?:\{\{\s*#\w+\s+|-8<-+\s+["']|@include:\s*|<<<\s*[@~]?\/?)([\w@.+/-]*\w\.\w+)/g;

function readIncludes(page: DocumentPage): LinkClaim[] {
  return [...page.text.matchAll(INCLUDE)].map((match) => {
    const written = match[1]!;
    const start = match.index + match[0].length - written.length;
    const at = { start, end: start + written.length };
    return { page, region: at, form: "include", written, at, fragment: null, label: null };
  });
}

const CONTENTS = /^([ \t]*)\.\. toctree::.*\n((?:(?:\1[ \t]+\S.*)?\n)*)/gm;

/** The pages that a table of contents of reStructuredText lists, one in a line. */
function readContents(page: DocumentPage): LinkClaim[] {
  if (!page.text.includes(".. toctree::")) return [];
  return [...`${page.text}\n`.matchAll(CONTENTS)].flatMap(({ 0: whole, 2: lines = "", index }) => {
    const from = index + whole.length - lines.length;
    return [...lines.matchAll(/^[ \t]+(?:[^<\n:]*<)?([\w./-]*\w)>?[ \t]*$/gm)].flatMap((line) => {
      const start = from + line.index + line[0].lastIndexOf(line[1]!);
      return toClaim(page, { start, end: start + line[1]!.length }, null);
    });
  });
}

function readWorkflows(page: DocumentPage): LinkClaim[] {
  return [...page.text.matchAll(WORKFLOW)].map((match) => {
    const written = match[2]!;
    const start = match.index + match[0].length - written.length;
    const at = { start, end: start + written.length };
    const hosted = { repository: match[1]!.toLowerCase(), revision: WORKFLOWS };
    return { page, region: at, form: "url", written, at, fragment: null, label: null, hosted };
  });
}

/** Stands for the branch of an address that shows a workflow by the name of its file alone. */
export const WORKFLOWS = ".github/workflows";

const PATH = /(?<![\w@./:~$%{<-])(?:\.{1,2}\/)*[\w@.+-]*\w(?:\/[\w@.+-]+)+\/?(?![\w/{*<:@-])/g;

/** Paths with a folder in inline code and on lines of code. */
function readMentions(page: DocumentPage): LinkClaim[] {
  const found: LinkClaim[] = [];
  if (!page.text.includes("/")) return found;
  for (const { text, start, place, spans } of page.read().lines) {
    if (!text.includes("/") || text.length > LONGEST_LINE || (place !== "code" && spans.length === 0))
      continue;
    for (const match of text.matchAll(PATH)) {
      const written = match[0].replace(/(?<![.,])[.,]+$/, "");
      const end = match.index + written.length;
      const isSpan = spans.some((span) => span.start <= match.index && end <= span.end);
      if (!isSpan && place !== "code") continue;
      const at = { start: start + match.index, end: start + end };
      const form = isSpan ? "span" : "code";
      found.push({ page, region: at, form, written, at, fragment: null, label: null });
    }
  }
  return found;
}

const LONGEST_LINE = 4000;

function overlapsAny(region: Region, sorted: readonly Region[]): boolean {
  const reaching = sorted[firstReaching(region, sorted)];
  return reaching !== undefined && reaching.start < region.end;
}

/** The text of an address with its escapes replaced, where they are sound. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
