import { outlineDocument } from "../../../syntax/formats/outline.ts";
import type { DocumentText, SoughtKeys, WholeInput } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import type { Notice } from "../../findings.ts";
import { anchorsOf, findLinks, foldAnchor, type Link } from "../../pages/links.ts";
import { documentClass } from "../../pages/policies.ts";
import { relativeAddress } from "../lost-paths.ts";
import { auditNotice } from "./audit-notice.ts";
import { createPlaces, type RepositoryPlaces } from "./places.ts";

/** Links to headings that their page does not have. If exactly one other page has the heading, the link can go there. */
export function auditAnchors(
  pages: readonly DocumentPage[],
  { documents }: Pick<WholeInput, "documents">,
  places: RepositoryPlaces,
): Notice[] {
  const offers = new PageAnchors(documents);
  return findBroken(pages, places, offers).map((broken) => toNotice(broken, offers));
}

/** The linked anchors that no heading has, to be searched for in the history of their pages. */
export function findUnknownAnchors(pages: readonly DocumentPage[], input: WholeInput): SoughtKeys {
  const broken = findBroken(pages, createPlaces(input), new PageAnchors(input.documents));
  const targets = new Set(broken.map(({ target }) => target));
  return {
    keys: [...new Set(broken.map(({ target, link }) => anchorKey(target, link.anchor!)))],
    mayHold: (path) => targets.has(path),
    keysOf: (path, text) => [...anchorsOf(path, text)].map((anchor) => anchorKey(path, anchor)),
  };
}

export function anchorKey(path: string, anchor: string): string {
  return `anchor ${path}#${foldAnchor(anchor)}`;
}

type BrokenLink = { readonly page: DocumentPage; readonly link: Link; readonly target: string };

function findBroken(
  pages: readonly DocumentPage[],
  places: RepositoryPlaces,
  offers: PageAnchors,
): BrokenLink[] {
  return pages.flatMap((page) =>
    findLinks(page.path, page.text).flatMap((link) => {
      const target = link.targets.find((path) => places.holds(path));
      const isBroken = link.anchor !== null && target !== undefined && offers.lacks(target, link.anchor);
      return isBroken ? [{ page, link, target }] : [];
    }),
  );
}

function toNotice({ page, link, target }: BrokenLink, offers: PageAnchors): Notice {
  const anchor = link.anchor!;
  const here = offers.onlyLonger(target, anchor) ?? offers.onlyNamed(target, labelOf(page, link));
  const other = offers.onlyPageWith(anchor);
  const notice = auditNotice({ page, line: link.line }, "path", "likely", {
    what: "no heading",
    old: anchor,
    owner: target,
  });
  const cause = `anchor:${target}#${foldAnchor(anchor)}`;
  if (here !== null) {
    const start = link.region.start + link.address.length + 1;
    return { ...notice, cause, splice: { region: { start, end: link.region.end }, text: here } };
  }
  if (
    other === null ||
    other === target ||
    other === page.path ||
    foldAnchor(labelOf(page, link)) !== foldAnchor(anchor)
  )
    return { ...notice, cause };
  const text = relativeAddress(page.path, other, link.address || "x.md");
  const region = { start: link.region.start, end: link.region.start + link.address.length };
  return { ...notice, cause, splice: { region, text } };
}

/** The words of a link: only a link that names its heading can follow it to another page. */
function labelOf({ text }: DocumentPage, { region }: Link): string {
  return /\[([^\]]{1,120})\]\($/.exec(text.slice(Math.max(0, region.start - 200), region.start))?.[1] ?? "";
}

/** A page whose headings come from elsewhere: an include, a component, a generator. */
const ASSEMBLED =
  /\{%|\{\{|^:::\s|^\.\. (?:include|auto\w+|click)::|^include::|^!?\[\[|<!--\s*include|--8<--|^import .* from |<[A-Z]\w+|\{\{<|@include|<%/m;
/** Anchors that code hosts and browsers add to every page. */
const GIVEN = /^(?:top|readme|content|main|l\d+(?:-l\d+)?|issuecomment-\d+|:~:text=.*)$/i;

/** The anchors of every page, each page read once. */
class PageAnchors {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #known = new Map<string, Anchors>();

  constructor(documents: readonly DocumentText[]) {
    this.#texts = new Map(documents.map(({ path, text }) => [path, text]));
  }

  /** Whether a page that has all its headings in its own text has none for an anchor. */
  lacks(path: string, anchor: string): boolean {
    const text = this.#texts.get(path);
    if (
      text === undefined ||
      documentClass(path) === "history" ||
      GIVEN.test(anchor) ||
      ASSEMBLED.test(proseOf(text))
    )
      return false;
    return !isOffered(this.#offered(path, text), foldAnchor(anchor));
  }

  /** The one heading that extends an anchor by further words, such as another parameter. */
  onlyLonger(path: string, anchor: string): string | null {
    const folded = foldAnchor(anchor);
    return folded.length < 8 ? null : this.#onlySlug(path, (slug) => foldAnchor(slug).startsWith(folded));
  }

  /** The one heading of a page that has the words of a link. */
  onlyNamed(path: string, words: string): string | null {
    const folded = foldAnchor(words);
    return folded.length < 4 ? null : this.#onlySlug(path, (slug) => foldAnchor(slug) === folded);
  }

  #onlySlug(path: string, isWanted: (slug: string) => boolean): string | null {
    const slugs = outlineDocument(path, this.#texts.get(path) ?? "").blocks.flatMap(({ slug }) => slug ?? []);
    const wanted = slugs.filter(isWanted);
    return wanted.length === 1 ? wanted[0]! : null;
  }

  /** The one page that has a heading for an anchor. */
  onlyPageWith(anchor: string): string | null {
    const folded = foldAnchor(anchor);
    if (folded.length < 4) return null;
    const found = [...this.#texts].filter(([path, text]) => this.#offered(path, text).names.has(folded));
    return found.length === 1 ? found[0]![0] : null;
  }

  #offered(path: string, text: string): Anchors {
    const offered = this.#known.get(path) ?? readAnchors(path, text);
    this.#known.set(path, offered);
    return offered;
  }
}

/** Some sites number headings of the same text. */
function isOffered({ names, counts }: Anchors, folded: string): boolean {
  if (folded === "" || names.has(folded)) return true;
  const [, name = "", number = ""] = /^(.*?\D)(\d{1,2})$/.exec(folded) ?? [];
  return (counts.get(name) ?? 0) > Number(number);
}

type Anchors = {
  readonly names: ReadonlySet<string>;
  /** How many headings have the same text. */
  readonly counts: ReadonlyMap<string, number>;
};

/** The anchors of a page. Some sites put the headings above a heading into its anchor. */
function readAnchors(path: string, text: string): Anchors {
  const names = anchorsOf(path, text);
  const counts = new Map<string, number>();
  const above: { readonly level: number; readonly folded: string }[] = [];
  for (const { kind, depth: level = 1, content } of outlineDocument(path, text).blocks) {
    if (kind !== "heading") continue;
    const folded = foldAnchor(text.slice(content.start, content.end));
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
    while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
    for (let from = 0; from < above.length; from++)
      names.add(
        `${above
          .slice(from)
          .map((one) => one.folded)
          .join("")}${folded}`,
      );
    above.push({ level, folded });
  }
  return { names, counts };
}

/** The text of a page without its samples and quoted code. */
function proseOf(text: string): string {
  return text.replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2/gm, "").replace(/`[^`\n]*`/g, "");
}
