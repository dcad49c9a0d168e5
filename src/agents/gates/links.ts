import { posix } from "node:path";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { isMarkdownPath, USUAL_EXTENSIONS } from "../../syntax/formats/registry.ts";
import { gateText } from "../../wording/agents.ts";
import { findAddressedHosts, forExamples, judgeAddress, type LinkedPlace } from "./addresses.ts";
import { findAnchors, hostName, type KnownFacts } from "./known-facts.ts";
import { findShownCode, isFile } from "./markup.ts";
import type { DraftedPage, GateVerdict, Objection, Risk } from "./objection.ts";
import { archivedAddress, isReferencePage } from "./reference-sites.ts";
import { findTags } from "./tags.ts";

/** New links must lead to existing files and headings. A model may not add addresses of unknown hosts, nor images that
 * are no files. */
export function checkLinks(draft: DraftedPage, facts: KnownFacts): Partial<GateVerdict> {
  const { path, before, after } = draft;
  const had = before === null ? [] : destinations(path, before);
  const old = new Set(had.map(keyOf));
  const site = readSite(draft, had, facts);
  const links = destinations(path, after);
  const oldHosts = once(() => findAddressedHosts(before ?? ""));
  const fetched = once(() => new Set(had.flatMap(imageHost)));
  const objections: Objection[] = [];
  const risks: Risk[] = [];
  for (const link of links.filter((one) => !old.has(keyOf(one)))) {
    const judged = judgeAddress(link.value);
    const why =
      judged.is === "local"
        ? checkLocal(draft, { ...link, value: judged.value }, { facts, site })
        : checkAddress(link, judged, { facts, old: before ?? "", oldHosts, fetched });
    if (why) objections.push({ gate: why.gate, path, detail: why.detail });
    else if (judged.is === "remote") risks.push({ path, what: "new address", detail: link.value });
  }
  return { objections: [...objections, ...checkHosts(draft, links, { facts, oldHosts })], risks };
}

type PageLink = { readonly image: boolean; readonly value: string };
/** What is known of the page as it was: the facts around it, and the hosts that it names. */
type OldPage = {
  readonly facts: KnownFacts;
  readonly oldHosts: () => ReadonlySet<string>;
};
type Why = { readonly gate: "links" | "addresses"; readonly detail: string } | null;

function keyOf({ image, value }: PageLink): string {
  return `${image ? "image" : "link"} ${value}`;
}

/** The destinations of a page, each once. A definition that an image refers to is an image too. */
function destinations(path: string, text: string): PageLink[] {
  const { spans } = outlineDocument(path, text);
  const shown = new Set(
    spans.flatMap(({ kind, label }) => (kind === "image" && label !== undefined ? [label] : [])),
  );
  const links = spans.flatMap(({ kind, destination, label }) => {
    if (!destination) return [];
    const image = kind === "image" || (label !== undefined && shown.has(label));
    return [{ image, value: destination.value.replace(/^<|>$/g, "") }];
  });
  const anchors = [...addressesOfTags(text)].map((value) => ({ image: false, value }));
  return [...new Map([...links, ...anchors].map((link) => [keyOf(link), link])).values()];
}

function imageHost({ image, value }: PageLink): string[] {
  const judged = image ? judgeAddress(value) : null;
  return judged?.is === "remote" ? [hostName(judged.url.host)] : [];
}

function addressesOfTags(text: string): Set<string> {
  const addresses = new Set<string>();
  for (const { attributes } of findTags(text))
    for (const { name, value } of attributes) if (name === "href") addresses.add(value);
  return addresses;
}

function checkAddress(
  { image, value }: PageLink,
  judged: Exclude<LinkedPlace, { is: "local" }>,
  {
    facts,
    old,
    oldHosts,
    fetched,
  }: OldPage & {
    readonly old: string;
    /** The hosts that images of the page come from. */
    readonly fetched: () => ReadonlySet<string>;
  },
): Why {
  if (judged.is === "other")
    return isOfSite(judged.value, { facts, old })
      ? null
      : { gate: "addresses", detail: gateText.notWeb(value) };
  const { url } = judged;
  const isKnown = (host: string): boolean =>
    facts.knowsHost(host) || forExamples.test(host) || oldHosts().has(host);
  const archived = archivedAddress(url);
  if (!isKnown(hostName(archived?.host ?? url.host)) && !isReferencePage(url))
    return { gate: "addresses", detail: gateText.unknownHost(hostName(url.host)) };
  const isWord = (word: string): boolean => old.includes(word) || facts.knows(word) || facts.documents(word);
  // Every reader of the page fetches an image, and an address can carry data away.
  const isFetched = image && !fetched().has(hostName(url.host));
  const carries =
    url.username !== "" ||
    url.password !== "" ||
    ((image || url.search !== "") && !saysNothingNew(url, isWord));
  return isFetched || carries ? { gate: "addresses", detail: gateText.carriesData(value) } : null;
}

/** A path and a query of words that the page or the repository has: they can tell nobody anything new. */
function saysNothingNew({ pathname, searchParams }: URL, isWord: (word: string) => boolean): boolean {
  const parameters = [...searchParams.keys()].filter((name) => name.length > 2);
  const text = [decode(pathname), ...parameters, ...searchParams.values()].join(" ");
  return (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).every(isWord);
}

/**
 * Whether an address that is none of the web belongs to the programs of the site: the path of an item of Rust, or a file
 * of the repository in a scheme that links of the page had before.
 */
function isOfSite(
  value: string,
  { facts, old }: { readonly facts: KnownFacts; readonly old: string },
): boolean {
  if (/^(?:crate|self|super|Self|std|core|alloc)(?:::[A-Za-z_]\w*)+(?:\(\)|!)?(?:#[\w-]+)?$/.test(value))
    return true;
  const [, scheme, path] = /^([a-z][a-z0-9+.-]*:)\/\/([\w./-]+)(?:[?#][\w.=#&-]*)?$/.exec(value) ?? [];
  return path !== undefined && old.includes(`(${scheme}//`) && facts.hasPathEnd(path);
}

function checkLocal(
  draft: DraftedPage,
  { image, value }: PageLink,
  { facts, site }: { readonly facts: KnownFacts; readonly site: SiteRules },
): Why {
  const { path } = draft;
  if (image && !isFile(value, draft, facts)) return { gate: "links", detail: gateText.noFile(value) };
  const { named, fragment } = partsOf(value);
  const target = named === "" ? path : findTarget(path, named, facts);
  // Other formats link to labels by plain words.
  if (target === undefined && !/[./]/.test(named) && !isMarkdownPath(path)) return null;
  // A heading of the documentation of a crate.
  if (/^(?:crate|self|super|Self)$/.test(named)) return null;
  // Each site maps its root to a folder in its own way.
  if (target === undefined && named.startsWith("/")) return null;
  if (target === undefined)
    return isRoute(path, named) && site.hasOwnRoutes()
      ? null
      : { gate: "links", detail: gateText.noFile(value) };
  if (fragment === "" || target === null || site.hasHeading(target, fragment)) return null;
  return site.hasOwnHeadingIds() ? null : { gate: "links", detail: gateText.noHeading(value, target) };
}

function partsOf(value: string): { readonly named: string; readonly fragment: string } {
  const [file = "", fragment = ""] = value.split("#", 2);
  return { named: decode(file.split("?", 1)[0]!), fragment: decode(fragment) };
}

/** A relative address in the repository without an ending, which a site may map to a page in its own way. */
function isRoute(path: string, named: string): boolean {
  if (named === "" || named.startsWith("/") || /\.[a-z]{1,5}$/i.test(named)) return false;
  return !posix.join(posix.dirname(path), named).startsWith("..");
}

/**
 * What the links of the old page, and of the pages beside it, tell about their site. If some lead nowhere by the usual
 * rules, the site has rules of its own, and a further link of that kind cannot be judged.
 */
type SiteRules = {
  readonly hasHeading: (target: string, fragment: string) => boolean;
  readonly hasOwnRoutes: () => boolean;
  readonly hasOwnHeadingIds: () => boolean;
};

/** A link within a repository: the page that has it, and the parts of its address. */
type LocalLink = { readonly from: string; readonly named: string; readonly fragment: string };

function readSite({ path, after }: DraftedPage, had: readonly PageLink[], facts: KnownFacts): SiteRules {
  const ownAnchors = once(() => findAnchors(path, after));
  const hasHeading = (target: string, fragment: string): boolean => {
    const anchors = target === path ? ownAnchors() : facts.anchorsOf(target);
    return !anchors || anchors.has(fragment) || anchors.has(fragment.toLowerCase());
  };
  const own = localLinks(path, had);
  const beside = once(() =>
    facts.pagesBeside(path).flatMap(({ path: other, text }) => localLinks(other, destinations(other, text))),
  );
  const targetOf = ({ from, named }: LocalLink): string | null | undefined =>
    named === "" ? from : findTarget(from, named, facts);
  // A rule is broken by one link of the page itself. Of the pages beside it, a part of all their links must break it.
  const breaks = (isOfKind: (link: LocalLink) => boolean, isDead: (link: LocalLink) => boolean): boolean => {
    if (own.some((link) => isOfKind(link) && isDead(link))) return true;
    const links = beside().filter(isOfKind);
    const dead = links.filter(isDead).length;
    return dead >= fewestDead && dead * 3 >= links.length;
  };
  return {
    hasHeading,
    hasOwnRoutes: once(() =>
      breaks(
        ({ from, named }) => isRoute(from, named),
        (link) => targetOf(link) === undefined,
      ),
    ),
    hasOwnHeadingIds: once(() =>
      breaks(
        (link) => link.fragment !== "" && !!targetOf(link),
        (link) => !hasHeading(targetOf(link)!, link.fragment),
      ),
    ),
  };
}

const fewestDead = 3;

function localLinks(from: string, links: readonly PageLink[]): LocalLink[] {
  return links.flatMap(({ image, value }) => {
    const judged = judgeAddress(value);
    return image || judged.is !== "local" ? [] : [{ from, ...partsOf(judged.value) }];
  });
}

function once<Answer>(ask: () => Answer): () => Answer {
  let known: { readonly answer: Answer } | undefined;
  return () => {
    known ??= { answer: ask() };
    return known.answer;
  };
}

/** The target file of a link; `null` for a folder and for a page with another address, `undefined` where there is no target. */
function findTarget(from: string, named: string, facts: KnownFacts): string | null | undefined {
  const base = named.startsWith("/") ? "." : posix.dirname(from);
  const joined = posix.normalize(posix.join(base, named)).replace(/\/$/, "");
  if (joined.startsWith("..")) return undefined;
  const bare = joined.replace(/\.html?$/, "");
  const extensions = USUAL_EXTENSIONS.map((extension) => `.${extension}`);
  const endings = ["", ...extensions, "/index.md", "/index.mdx", "/README.md"];
  for (const name of [joined, bare])
    for (const ending of endings) if (facts.hasFile(name + ending)) return name + ending;
  if (facts.hasNumberedPage(bare.replace(/\.mdx?$/, ""))) return null;
  return facts.hasFolder(joined === "." ? "" : joined) ? null : undefined;
}

/** Finds new hosts wherever they stand: in raw HTML, in code, in plain words. */
function checkHosts(
  { path, after }: DraftedPage,
  links: readonly PageLink[],
  { facts, oldHosts }: OldPage,
): Objection[] {
  // The hosts of links have been judged with their addresses.
  const linked = new Set(
    links.flatMap(({ value }) => {
      const judged = judgeAddress(value);
      if (judged.is === "local") return [];
      const url = judged.is === "remote" ? judged.url : URL.parse(judged.value);
      return url ? [hostName(url.host)] : [];
    }),
  );
  return [...findAddressedHosts(after, findShownCode(path, after))]
    .filter(
      (host) =>
        !oldHosts().has(host) && !linked.has(host) && !facts.knowsHost(host) && !forExamples.test(host),
    )
    .map((host) => ({ gate: "addresses", path, detail: gateText.unknownHost(host) }));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
