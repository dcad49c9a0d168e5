import { HOST_RAW_SITES, HOST_SITES } from "../../syntax/code-hosts.ts";
import { formatAt, hasDocumentEnding } from "../../syntax/formats/registry.ts";
import type { Region } from "../../text/model/region.ts";
import type { DocumentPage } from "../change/change-model.ts";
import { createLineCounter } from "../change/tokens.ts";
import { targetsOf } from "./links.ts";

/** How a page refers to a path of its own repository. */
export type ReferenceForm =
  /** A link, an image or a definition with a relative destination. */
  | "link"
  /** A link from the root of the site. */
  | "site"
  /** An address on a code host that shows a branch of this repository. */
  | "url"
  /** A path as inline code. */
  | "span"
  /** A path on a line of code or in a command. */
  | "code";

/** A place on a page that names a path of the repository. */
export type Reference = {
  readonly form: ReferenceForm;
  /** The path as written, without anchor and query, and its region. */
  readonly written: string;
  readonly region: Region;
  readonly anchor: string | null;
  /** Paths it may mean, the likeliest first. */
  readonly targets: readonly string[];
  readonly line: number;
};

/** Every reference of a page to files and folders of its repository, in reading order. */
export function findReferences(page: DocumentPage, repository: readonly string[]): Reference[] {
  const lineAt = createLineCounter(page.text);
  const linked = [...linkReferences(page, lineAt), ...htmlReferences(page, lineAt)];
  const urls = urlReferences(page, repository, lineAt);
  const taken = [...linked, ...urls].map(({ region }) => region).sort((a, b) => a.start - b.start);
  const coded = codeReferences(page).filter(({ region }) => !overlapsAny(region, taken));
  return unique([...linked, ...urls, ...coded]).sort((a, b) => a.region.start - b.region.start);
}

type LineAt = (offset: number) => number;

const FOREIGN = /^(?:[a-z][a-z0-9+.-]*:|\/\/|\\|<|\{|\$|@|~|#|%)/i;
const TEMPLATE = /[{}<>*|"']|\$\(/;

function linkReferences({ path, outline }: DocumentPage, lineAt: LineAt): Reference[] {
  const { hasLabels } = formatAt(path);
  return outline().spans.flatMap(({ destination, kind }) =>
    !destination || kind === "autolink" || (hasLabels && !isPath(destination.value))
      ? []
      : toReference(path, destination.value, destination.region, lineAt),
  );
}

/** Whether a destination in a format with labels is a path. */
function isPath(destination: string): boolean {
  return /^\.|\/|\.(?:html?|png|svg|py|txt)$/.test(destination) || hasDocumentEnding(destination);
}

const ATTRIBUTE = /\b(?:src|href|poster|data-src)\s*=\s*(["'])([^"'\n]{1,400})\1/gi;

function htmlReferences({ path, text }: DocumentPage, lineAt: LineAt): Reference[] {
  return [...text.matchAll(ATTRIBUTE)].flatMap((match) => {
    const start = match.index + match[0].length - 1 - match[2]!.length;
    return toReference(path, match[2]!, { start, end: start + match[2]!.length }, lineAt);
  });
}

function toReference(path: string, value: string, region: Region, lineAt: LineAt): Reference[] {
  if (FOREIGN.test(value) || TEMPLATE.test(value)) return [];
  const [written, anchor] = cutAnchor(value);
  if (written === "") return [];
  const form = written.startsWith("/") ? "site" : "link";
  const name = decoded(written);
  const targets = form === "site" ? siteTargets(path, name) : targetsOf(path, name);
  if (!targets.length) return [];
  const end = region.start + written.length;
  return [
    { form, written, region: { start: region.start, end }, anchor, targets, line: lineAt(region.start) },
  ];
}

const STATIC = ["", "public", "static", "docs", "src", "content"];

/** The paths that an address from the root of a site may mean: any folder above the page may be the root. */
function siteTargets(page: string, address: string): string[] {
  const folders = page.split("/").slice(0, -1);
  const targets: string[] = [];
  for (let depth = folders.length; depth >= 0; depth--) {
    const root = folders.slice(0, depth).join("/");
    for (const name of STATIC)
      targets.push(...targetsOf([root, name, "x"].filter(Boolean).join("/"), address.slice(1)));
  }
  return [...new Set(targets)];
}

/** The repository on a page of its host, or the repository on a site of raw files; the revision; the path. */
const HOSTED = new RegExp(
  `https?://(?:${[
    String.raw`(?:www\.)?(?:${HOST_SITES})/([\w.-]+/[\w.-]+?)(?:\.git)?/(?:-/)?(?:blob|tree|raw|edit|src/branch)/`,
    String.raw`(?:${HOST_RAW_SITES})/([\w.-]+/[\w.-]+)/(?:refs/heads/)?`,
  ].join("|")})${/([\w.-]+)\/([^\s()<>"'`\]|?#*{}]+)/.source}`,
  "gi",
);
const BRANCH = /^(?:main|master|head|develop|development|dev|trunk|next|canary|default)$/i;

/** An address on a code host that shows this repository at a branch, a tag or a commit. */
export type HostedReference = Reference & { readonly revision: string };

/** The addresses of a page that show its own repository at a tag or a commit, whose files never change. */
export function findPermalinks(page: DocumentPage, repository: readonly string[]): HostedReference[] {
  const hosted = hostedReferences(page, repository, createLineCounter(page.text));
  return hosted.filter(({ revision }) => !BRANCH.test(revision));
}

/** Addresses that show a branch of this repository; those of a tag or a commit stay true. */
function urlReferences(page: DocumentPage, repository: readonly string[], lineAt: LineAt): Reference[] {
  return hostedReferences(page, repository, lineAt)
    .filter(({ revision }) => BRANCH.test(revision))
    .map(({ revision: _, ...reference }) => reference);
}

function hostedReferences(
  { text }: DocumentPage,
  repository: readonly string[],
  lineAt: LineAt,
): HostedReference[] {
  if (!repository.length) return [];
  const own = new Set(repository.map((name) => name.toLowerCase()));
  return [...text.matchAll(HOSTED)].flatMap((match) => {
    const name = (match[1] ?? match[2])!.toLowerCase();
    if (!own.has(name)) return [];
    const written = match[4]!.replace(/[.,;:!]+$/, "");
    const start = match.index + match[0].length - match[4]!.length;
    const target = decoded(written).replace(/\/+$/, "");
    if (target === "") return [];
    const anchor =
      /^#([\w-]+)/.exec(text.slice(start + written.length, start + written.length + 80))?.[1] ?? null;
    const region = { start, end: start + written.length };
    const line = lineAt(start);
    return [{ form: "url", written, region, anchor, targets: [target], line, revision: match[3]! }];
  });
}

const PATH = /(?<![\w@./:~$%{<-])(?:\.{1,2}\/)*[\w@.+-]*\w(?:\/[\w@.+-]+)+\/?(?![\w/{*<:@-])/g;

/** Paths with a folder in inline code and on lines of code. */
function codeReferences(page: DocumentPage): Reference[] {
  const found: Reference[] = [];
  if (!page.text.includes("/")) return found;
  page.read().lines.forEach(({ text, start, place, spans }, line) => {
    if (!text.includes("/") || text.length > 4000) return;
    for (const match of text.matchAll(PATH)) {
      const end = match.index + match[0].length;
      const isSpan = spans.some((span) => span.start <= match.index && end <= span.end);
      if (!isSpan && place !== "code") continue;
      const written = match[0].replace(/[.,]+$/, "");
      const region = { start: start + match.index, end: start + match.index + written.length };
      found.push({
        form: isSpan ? "span" : "code",
        written,
        region,
        anchor: null,
        targets: pathTargets(page.path, written),
        line,
      });
    }
  });
  return found;
}

/** A path in code is written from the root of the repository, or from the folder of its page. */
function pathTargets(page: string, written: string): string[] {
  const clean = written.replace(/\/+$/, "");
  const fromRoot = clean.replace(/^(?:\.\/)+/, "");
  const folder = page.split("/").slice(0, -1).join("/");
  const fromPage = folder === "" ? [] : [resolve(folder, clean)];
  return [fromRoot, ...fromPage].filter((path) => path !== "" && !path.startsWith(".."));
}

function resolve(folder: string, path: string): string {
  const parts = folder.split("/");
  for (const part of path.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  return parts.join("/");
}

function cutAnchor(value: string): [written: string, anchor: string | null] {
  const hash = value.indexOf("#");
  const written = (hash < 0 ? value : value.slice(0, hash)).replace(/\?.*$/, "");
  return [written, hash < 0 ? null : decoded(value.slice(hash + 1))];
}

function overlapsAny(region: Region, sorted: readonly Region[]): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.end <= region.start) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && sorted[low]!.start < region.end;
}

function unique(references: readonly Reference[]): Reference[] {
  return [...new Map(references.map((one) => [one.region.start, one])).values()];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
