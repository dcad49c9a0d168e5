import { outlineDocument } from "../../../syntax/formats/outline.ts";
import { isDocumentPath } from "../../../syntax/formats/registry.ts";
import { compareFile, pairLines } from "../../change/comparison.ts";
import type { State } from "../../state/state.ts";
import type { PastStates } from "../claim.ts";

/** An anchor reduced to its words: renderers differ only in how they treat punctuation. */
export function foldAnchor(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The folded anchors of a page: its headings, and its explicit anchors. */
export function anchorsOf(path: string, text: string): Set<string> {
  const anchors = new Set<string>();
  for (const { kind, slug, content } of outlineDocument(path, text).blocks) {
    if (slug) anchors.add(foldAnchor(slug));
    if (kind === "heading") anchors.add(foldAnchor(withoutBadges(text.slice(content.start, content.end))));
  }
  for (const match of text.matchAll(TERM)) anchors.add(foldAnchor(match[1]!));
  for (const shape of NAMED)
    for (const match of text.matchAll(shape)) anchors.add(foldAnchor(match.slice(1).find(Boolean)!));
  return anchors;
}

/** A term with a definition on the next line; some sites give it an anchor. */
const TERM = /^([^\s:#>|*-][^\n]{0,80})\n: /gm;

/** A heading without the badges behind it, such as `[beta]` or an element of HTML, which sites leave out of the anchor. */
function withoutBadges(heading: string): string {
  return heading.replace(/\s*<(\w+)\b.*<\/\1>\s*$/, "").replace(/(?<!\s)(?:\s*\[[^\]]{1,12}\])+\s*$/, "");
}

const NAMED: readonly RegExp[] = [
  /(?:\bid|\bname)\s*=\s*["'{`]*([^\s"'}`>]+)/g,
  /\{:?\s*#([\w.:-]+)|\[\[([\w-]+)\]\]|\[#([\w-]+)\]/g,
  /^\.\. _([^:\n]+):/gm,
];

/** Whether a page of a state has a heading or another place for an anchor. */
export async function hasAnchor(
  state: State,
  path: string,
  anchor: string,
): Promise<"yes" | "no" | "unknown"> {
  const folded = foldAnchor(anchor);
  if (folded === "" || GIVEN.test(anchor)) return "unknown";
  if (!isDocumentPath(path)) return "unknown";
  const offered = await anchorsAt(state, path);
  if (offered === null) return "unknown";
  if (isOffered(offered, folded)) return "yes";
  return offered.assembling.size > 0 ? "unknown" : "no";
}

/**
 * Whether a page lost an anchor of its own between two states. What a page takes from elsewhere explains a missing anchor
 * only where it takes more than before.
 */
export async function isAnchorLost(
  anchor: string,
  { from, path }: { readonly from: string; readonly path: string },
  { base, head }: { readonly base: State; readonly head: State },
): Promise<"lost" | "lost beside others" | "no"> {
  if ((await hasAnchor(base, from, anchor)) !== "yes") return "no";
  const now = await hasAnchor(head, path, anchor);
  if (now !== "unknown") return now === "no" ? "lost" : "no";
  const [was, is] = [await anchorsAt(base, from), await anchorsAt(head, path)];
  if (!was || !is || is.assembling.size === 0) return "no";
  return [...is.assembling].every((line) => was.assembling.has(line)) ? "lost beside others" : "no";
}

/** The line of the heading that an anchor names; the first line of the page where it is no heading. */
export async function lineOfAnchor(state: State, path: string, anchor: string): Promise<number> {
  return (await anchorsAt(state, path))?.lines.get(foldAnchor(anchor)) ?? 1;
}

/** Anchors that code hosts and browsers add to every page. */
const GIVEN = /^(?:top|readme|content|main|l\d+(?:-l\d+)?|issuecomment-\d+|:~:text=.*|!.*|\/.*)$/i;

/** Some sites number headings of the same text. */
function isOffered({ names, counts }: Anchors, folded: string): boolean {
  if (names.has(folded)) return true;
  const [, name = "", number = ""] = /^(.*?\D)(\d{1,2})$/.exec(folded) ?? [];
  return (counts.get(name) ?? 0) > Number(number);
}

type Anchors = {
  readonly names: ReadonlySet<string>;
  /** The lines of headings, counted from 1. */
  readonly lines: ReadonlyMap<string, number>;
  /** How many headings have the same text. */
  readonly counts: ReadonlyMap<string, number>;
  /** The lines that take headings from elsewhere: an include, a component, a generator. */
  readonly assembling: ReadonlySet<string>;
};

async function anchorsAt(state: State, path: string): Promise<Anchors | null> {
  const known = read.get(state) ?? new Map<string, Promise<Anchors | null>>();
  read.set(state, known);
  const anchors =
    known.get(path) ?? state.text(path).then((text) => (text === null ? null : readAnchors(path, text)));
  known.set(path, anchors);
  return anchors;
}

const read = new WeakMap<State, Map<string, Promise<Anchors | null>>>();

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
    let chain = folded;
    for (const outer of above.toReversed()) names.add((chain = `${outer.folded}${chain}`));
    above.push({ level, folded });
  }
  const headings = headingsOf(path, text).map(({ slug, line }) => [foldAnchor(slug), line] as const);
  const lines = proseOf(text).split("\n");
  const assembling = lines.filter((line) => ASSEMBLED.some((shape) => shape.test(line)));
  return {
    names,
    lines: new Map(headings),
    counts,
    assembling: new Set(assembling.map((line) => line.trim())),
  };
}

/** Marks that bring headings or anchors from elsewhere: includes, components, templates, tabs, macros in comments. */
const ASSEMBLED: readonly RegExp[] = [
  /^\s*={3}[!+]? "|<!-- \w+:\w/,
  /\{%|\{\{|<%|<[A-Z]\w+|<!--\s*@?include|-8<-|@include/,
  /^\s*(?::::\s|::\w|!?\[\[|include::|import .* from |\.\. (?:include|auto\w+|click|\w+:auto\w+)::)/,
  /^\s*(?:```+|:::+)\{(?:include|auto\w+|eval-\w+)/,
];

/** The text of a page without its samples and quoted code. */
function proseOf(text: string): string {
  return text.replace(/^( *)(```+|~~~+)(?!\{)[\s\S]*?^\1\2/gm, "").replace(/`[^`\n]*`/g, "");
}

/** The heading that took the place of a lost one; null where none did. `was` is the line of the lost heading. */
export async function successorOf(
  anchor: string,
  { path, from }: { readonly path: string; readonly from: string },
  { base, head }: PastStates,
): Promise<{ readonly lost: Heading | null; readonly now: Heading | null }> {
  const before = (await base?.text(from)) ?? null;
  const after = await head.text(path);
  if (before === null || after === null) return { lost: null, now: null };
  const folded = foldAnchor(anchor);
  const were = headingsOf(from, before);
  const are = headingsOf(path, after);
  const lost = were.find(({ slug }) => foldAnchor(slug) === folded) ?? null;
  if (lost === null) return { lost, now: null };
  const known = anchorsOf(from, before);
  const facing = facingLine(lost.line, {
    file: { path, before, after },
    were: new Set(were.map(({ line }) => line)),
    are: new Set(are.map(({ line }) => line)),
  });
  const fresh = are.filter(({ slug }) => !known.has(foldAnchor(slug)));
  // A heading that goes on where the lost one ended says more than the place of another.
  const peers = fresh.filter(({ text }) => levelOf(text) === levelOf(lost.text));
  const longer = namedHeading(peers, { anchor, words: "" });
  return { lost, now: longer ?? peers.find(({ line }) => line === facing) ?? null };
}

/** The marks before the words of a heading. */
function levelOf(text: string): string {
  return /^[#=]*/.exec(text)![0];
}

type Facing = {
  readonly file: { readonly path: string; readonly before: string; readonly after: string };
  readonly were: ReadonlySet<number>;
  readonly are: ReadonlySet<number>;
};

/** The line of a heading that stands where a line stood: the only one of its stretch, or the one that it was paired with. */
function facingLine(line: number, { file, were, are }: Facing): number | null {
  for (const { removed, added } of compareFile(file).rewrites) {
    if (!removed.some(({ number }) => number === line)) continue;
    const old = removed.filter(({ number }) => were.has(number));
    const fresh = added.filter(({ number }) => are.has(number));
    if (old.length === 1 && fresh.length === 1) return fresh[0]!.number;
    return pairLines(removed, added).find((pair) => pair.old.number === line)?.new.number ?? null;
  }
  return null;
}

/** A heading, its line counted from 1. */
export type Heading = { readonly slug: string; readonly line: number; readonly text: string };

export function headingsOf(path: string, text: string): Heading[] {
  const found: Heading[] = [];
  let line = 1;
  let at = 0;
  for (const { kind, slug, region } of outlineDocument(path, text).blocks) {
    if (kind !== "heading" || !slug || region.start < at) continue;
    for (let next = text.indexOf("\n", at); next >= 0 && next < region.start; next = text.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    found.push({ slug, line, text: text.slice(region.start, region.end).split("\n", 1)[0]! });
  }
  return found;
}

/** The one heading of a page that has the words of a link, or that extends an anchor by further words. */
export function namedHeading(
  headings: readonly Heading[],
  { anchor, words }: { readonly anchor: string; readonly words: string },
): Heading | null {
  const [folded, said] = [foldAnchor(anchor), foldAnchor(words)];
  const isLonger = ({ slug }: Heading): boolean => folded.length >= 8 && foldAnchor(slug).startsWith(folded);
  // Words that are the title of the page name the page.
  const isNamed = (heading: Heading): boolean =>
    said.length >= 4 && foldAnchor(heading.slug) === said && heading !== headings[0];
  for (const isWanted of [isLonger, isNamed]) {
    const wanted = headings.filter(isWanted);
    if (wanted.length === 1) return wanted[0]!;
  }
  return null;
}
