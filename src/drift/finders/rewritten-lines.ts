import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { isLivingPath, isProductPath } from "../change/code-path.ts";
import { isCommon, isDistinct } from "../change/names.ts";
import { rolesOf } from "../change/roles.ts";
import type { Site } from "../change/substitutions.ts";
import { isLayoutOnly, type Token } from "../change/tokens.ts";
import { evidenceOf, type Notice } from "../findings.ts";
import { findMentions, type Mention } from "../pages/mentions.ts";
import type { SurfaceChange } from "../surface/surface-change.ts";

type NoticeFeatures = NonNullable<Notice["features"]>;

type LineMatch = {
  readonly page: DocumentPage;
  readonly line: number;
  readonly site: Site;
  readonly window: string;
  readonly names: number;
  readonly splice?: { readonly region: { start: number; end: number }; readonly text: string };
};

const CROWD = 10;
const REACH = 4;

/**
 * A line of code gained, lost or exchanged words between unchanged words, for example a parameter or an argument. A
 * document still has the old part of the line with its neighbours, and the code no longer has it.
 */
export async function findRewrites(change: ChangeModel): Promise<Notice[]> {
  const anchored = anchorSites(
    change.sites.filter(
      (site) => isProductPath(site.path) && site.likeness >= 0.6 && site.gaps <= 3 && isUneven(site),
    ),
  );
  const mentions = findMentions(change.pages, new Set(anchored.keys()));
  const matches: LineMatch[] = [];
  for (const [name, places] of mentions) {
    if (places.length > 400) continue;
    for (const { page, line, index } of places)
      for (const { site, at } of anchored.get(name)!) {
        const match = matchAt({ page, line, index }, { site, at });
        if (match) matches.push(match);
      }
  }
  const occurrences = await change.input.occurrences([...new Set(matches.map(({ window }) => window))]);
  const vanished = keepWidest(matches.filter(({ window }) => !occurrences.get(window)?.some(isLivingPath)));
  const crowds = Map.groupBy(vanished, ({ site }) => changeOf(site));
  const surface = vanished.length ? await change.surface() : null;
  return vanished
    .filter(({ site }) => crowds.get(changeOf(site))!.length <= CROWD)
    .map((match) => ({ ...toNotice(change, match), features: featuresOf(match, surface!) }));
}

/** The share of the two lines that the part covers, and whether the line of code declares something public. */
function featuresOf({ page, line, site, window, names }: LineMatch, surface: SurfaceChange): NoticeFeatures {
  const shown = page.read().lines[line]!.text.trim().length;
  const thing = surface.offeredAt(site.from, site.old.number);
  const role = rolesOf(site.old.text, site.oldTokens)[site.gap.oldStart];
  return {
    "stretch of the code": Math.min(1, window.length / site.old.text.trim().length),
    "stretch of the page": Math.min(1, window.length / shown),
    "stretch has names": Math.min(1, names / 6),
    "stretch declares": thing ? 1 : 0,
    "stretch names what it declares": thing && window.includes(thing.name) ? 1 : 0,
    "stretch is text": role === "text" ? 1 : 0,
  };
}

/** Other rules handle the replacement of one name by another; here the two sides differ in structure. */
function isUneven({ old: line, new: next, oldTokens, newTokens, gap }: Site): boolean {
  if (isLayoutOnly(line.text, next.text) || withoutSites(line.text) === withoutSites(next.text)) return false;
  // The import paths of a file are internal.
  if (/(?:require\(|from\s|import\s|use\s)\s*["'`]?\.{0,2}\//.test(line.text)) return false;
  const old = oldTokens.slice(gap.oldStart, gap.oldEnd);
  const fresh = newTokens.slice(gap.newStart, gap.newEnd);
  const names = (tokens: typeof old): number => tokens.filter((token) => token.kind === "name").length;
  return names(old) !== names(fresh) || old.length !== fresh.length || names(old) === 0;
}

/** A line with all its links made relative: `[a](https://host/b)` and `[a](/b)` point to the same page. */
function withoutSites(text: string): string {
  return text.replace(/(?<=[("'<])https?:\/\/[^\s/)"'>]+(?=\/)/g, "");
}

/** A name of a changed line: which token of it. */
type SiteAnchor = { readonly site: Site; readonly at: number };

function anchorSites(sites: readonly Site[]): Map<string, SiteAnchor[]> {
  const anchored = new Map<string, SiteAnchor[]>();
  for (const site of sites) {
    const seen = new Set<string>();
    const from = Math.max(0, site.gap.oldStart - REACH);
    const to = Math.min(site.oldTokens.length, site.gap.oldEnd + REACH);
    for (let at = from; at < to; at++) {
      const token = site.oldTokens[at]!;
      if (token.kind !== "name" || token.text.length < 3 || seen.has(token.text)) continue;
      seen.add(token.text);
      const known = anchored.get(token.text);
      if (known) known.push({ site, at });
      else anchored.set(token.text, [{ site, at }]);
    }
  }
  return anchored;
}

function matchAt({ page, line, index }: Mention, { site, at }: SiteAnchor): LineMatch | null {
  const doc = page.tokens(line);
  const { oldTokens, newTokens, gap } = site;
  let left = 0;
  let right = 0;
  while (index - left > 0 && at - left > 0 && doc[index - left - 1]!.text === oldTokens[at - left - 1]!.text)
    left++;
  while (
    index + right + 1 < doc.length &&
    at + right + 1 < oldTokens.length &&
    doc[index + right + 1]!.text === oldTokens[at + right + 1]!.text
  )
    right++;
  const shift = index - at;
  if (at - left >= gap.oldStart || at + right < gap.oldEnd) return null;
  const stretch = doc.slice(index - left, index + right + 1);
  const names = tellingNames(stretch);
  const distinct = names.filter((token) => isDistinct(token.text)).length;
  const called = stretch.some(
    (token, i) =>
      token.kind === "name" &&
      !isCommon(token.text) &&
      token.text.length > 3 &&
      stretch[i + 1]?.text === "(" &&
      index - left + i < gap.oldStart + shift,
  );
  if (names.length + distinct < 3 && !(called && stretch.length > 4)) return null;
  const { text, start } = page.read().lines[line]!;
  const before = doc[gap.oldStart - 1 + shift]!;
  const after = doc[gap.oldEnd + shift]!;
  const found = {
    page,
    line,
    site,
    names: names.length,
    window: text.slice(stretch[0]!.start, stretch.at(-1)!.end),
  };
  const oldBetween = site.old.text.slice(oldTokens[gap.oldStart - 1]!.end, oldTokens[gap.oldEnd]!.start);
  if (text.slice(before.end, after.start) !== oldBetween || isTorn(doc[index - left - 1], site, at - left))
    return found;
  const newBetween = site.new.text.slice(newTokens[gap.newStart - 1]!.end, newTokens[gap.newEnd]!.start);
  return {
    ...found,
    splice: { region: { start: start + before.end, end: start + after.start }, text: newBetween },
  };
}

/** The meaningful names of a part of a line, each once: a repeated counter is no further evidence. */
function tellingNames(stretch: readonly Token[]): Token[] {
  const names = stretch.filter(({ kind, text }) => kind === "name" && text.length > 2 && !isCommon(text));
  return [...new Map(names.map((token) => [token.text, token])).values()];
}

/** Whether the part begins with punctuation and continues to the left on either side: then it is a suffix of another expression. */
function isTorn(beside: Token | undefined, { oldTokens }: Site, first: number): boolean {
  const begins = (token: Token | undefined): boolean => !token || /^["'`]$/.test(token.text);
  return oldTokens[first]!.kind === "mark" && !(begins(beside) && begins(oldTokens[first - 1]));
}

function keepWidest(matches: readonly LineMatch[]): LineMatch[] {
  const best = new Map<string, LineMatch>();
  for (const match of matches) {
    const key = `${match.page.path}\0${match.line}\0${match.splice?.region.start ?? -1}`;
    const known = best.get(key);
    if (!known || known.window.length < match.window.length) best.set(key, match);
  }
  return [...best.values()];
}

function changeOf({ oldTokens, newTokens, gap }: Site): string {
  const join = (tokens: readonly { text: string }[]): string => tokens.map((token) => token.text).join(" ");
  return `${join(oldTokens.slice(gap.oldStart, gap.oldEnd))}\0${join(newTokens.slice(gap.newStart, gap.newEnd))}`;
}

function toNotice(change: ChangeModel, { page, line, site, splice, window }: LineMatch): Notice {
  return {
    page,
    line,
    endLine: line,
    tier: "likely",
    kind: "signature",
    message: { what: "rewritten", old: window },
    evidence: evidenceOf(change, [site]),
    ...(splice ? { splice } : {}),
  };
}
