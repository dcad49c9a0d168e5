import { outlineDocument } from "../../syntax/formats/outline.ts";
import {
  formatAt,
  hasDocumentEnding,
  isDocumentPath,
  USUAL_EXTENSIONS,
} from "../../syntax/formats/registry.ts";
import type { Region } from "../../text/model/region.ts";
import { createLineCounter } from "../change/tokens.ts";

/** A link of a page to a place in the same repository. */
export type Link = {
  /** The region of the destination on the page, and its text without the anchor. */
  readonly region: Region;
  readonly address: string;
  readonly anchor: string | null;
  /** Paths it may mean, likeliest first. For an address without an extension, sites try several. */
  readonly targets: readonly string[];
  readonly line: number;
};

/** The links of a page to files or headings of its own repository. Addresses of sites are left out. */
export function findLinks(path: string, text: string): Link[] {
  const links: Link[] = [];
  const lineAt = createLineCounter(text);
  const { hasLabels } = formatAt(path);
  for (const { destination, kind } of outlineDocument(path, text).spans) {
    if (!destination || kind === "autolink") continue;
    const { value, region } = destination;
    if (/^(?:[a-z][a-z0-9+.-]*:|\/|\\|<|\{|\$|@|~)/i.test(value) || /[{}<>*]|\$\(/.test(value)) continue;
    const hash = value.indexOf("#");
    const address = (hash < 0 ? value : value.slice(0, hash)).replace(/\?.*$/, "");
    const anchor = hash < 0 ? null : decoded(value.slice(hash + 1));
    if (hasLabels && !/^\.|\/|\.html?$/.test(address) && !hasDocumentEnding(address)) continue;
    const targets = address === "" ? [path] : targetsOf(path, decoded(address));
    if (!targets.length || (address === "" && !anchor)) continue;
    links.push({ region, address, anchor, targets, line: lineAt(region.start) });
  }
  return links;
}

/** The paths of the repository that an address on a page may mean; none for an address outside it. */
export function targetsOf(from: string, address: string): string[] {
  const parts = from.split("/").slice(0, -1);
  for (const part of address.split("/")) {
    if (part === "..") {
      if (!parts.length) return [];
      parts.pop();
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  const path = parts.join("/");
  if (isDocumentPath(path)) return [path];
  const bare = path.replace(/\.html?$/i, "");
  const pages = USUAL_EXTENSIONS.map((ending) => `${bare}.${ending}`);
  const indexes = ["index.md", "README.md", "index.mdx", "readme.md", "_index.md"];
  return [path, ...pages, ...indexes.map((name) => (bare === "" ? name : `${bare}/${name}`))];
}

/** An anchor reduced to its words: renderers differ only in how they treat punctuation. */
export function foldAnchor(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The folded anchors of a page: its headings, and its explicit anchors. */
export function anchorsOf(path: string, text: string): Set<string> {
  const anchors = new Set<string>();
  for (const { slug } of outlineDocument(path, text).blocks) if (slug) anchors.add(foldAnchor(slug));
  for (const { kind, content } of outlineDocument(path, text).blocks)
    if (kind === "heading") anchors.add(foldAnchor(withoutBadges(text.slice(content.start, content.end))));
  for (const match of text.matchAll(TERM)) anchors.add(foldAnchor(match[1]!));
  for (const match of text.matchAll(NAMED)) anchors.add(foldAnchor(match.slice(1).find(Boolean)!));
  return anchors;
}

/** A term with a definition on the next line; some sites give it an anchor. */
const TERM = /^([^\s:#>|*-][^\n]{0,80})\n: /gm;

/** A heading without the badges behind it, such as `[beta]`, which sites leave out of the anchor. */
function withoutBadges(heading: string): string {
  return heading.replace(/(?:\s*\[[^\]]{1,12}\])+\s*$/, "");
}

const NAMED =
  /(?:\bid|\bname)\s*=\s*["'{`]*([^\s"'}`>]+)|\{:?\s*#([\w.:-]+)|^\.\. _([^:\n]+):|\[\[([\w-]+)\]\]|\[#([\w-]+)\]/gm;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
