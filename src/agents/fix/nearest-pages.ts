import { isDistinct } from "../../drift/change/names.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { indexLines, lineAt } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import { rankPassages } from "../context/ranking.ts";
import type { NameWeights } from "./changed-names.ts";
import { namesIn } from "./notice-terms.ts";

export type SourcePage = { readonly path: string; readonly text: string };

/** What a change is about, as far as pages may tell of it. */
export type ChangeTopic = {
  /** The changed names as pages spell them. */
  readonly names: NameWeights;
  /** What commits and comments say about the change. */
  readonly words: string;
  /** How often a page changed together with the changed files, from 0 to 1. */
  readonly prior: (page: string) => number;
};

/** The part of a page that a question shows. */
export type PageExcerpt = {
  readonly path: string;
  /** Whole sections in order; a note stands for those that are left out. */
  readonly text: string;
  /** The sections that are left out. */
  readonly leftOut: number;
};

export type NearestPages = {
  readonly shown: readonly PageExcerpt[];
  /** Other pages that hold a changed name or often changed together with the files. */
  readonly notShown: readonly string[];
};

const mostPages = 8;
/** Characters of all pages; the nearest three are shown in any case. */
const pagesLength = 32_000;
const fewestPages = 3;
/** Below this length a page is shown whole. */
const wholePage = 8000;
/** A longer section is cut at blank lines. */
const longestSection = 3000;
/** The part of the best page's score that another page needs. */
const leastShare = 0.3;

/**
 * The pages nearest to a change, whole where they are short, else in whole sections. Sections are ranked by the changed
 * names that they hold and by the words that they share with commits and comments; pages also by their past.
 */
export function findNearestPages(pages: readonly SourcePage[], topic: ChangeTopic): NearestPages {
  const sections = pages.flatMap(cutSections);
  const scores = scoreSections(sections, topic);
  const byPage = Map.groupBy(sections, ({ path }) => path);
  const ranked = pages
    .map((page) => ({ page, score: scorePage(byPage.get(page.path) ?? [], scores, topic.prior(page.path)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  const near = ranked.filter(({ score }) => score >= best * leastShare);
  const excerpts = near
    .slice(0, mostPages)
    .map(({ page }) => excerptPage(page, byPage.get(page.path) ?? [], scores));
  let length = 0;
  const shown = excerpts.filter(({ text }, i) => {
    length += text.length;
    return i < fewestPages || length <= pagesLength;
  });
  const isShown = new Set(shown.map(({ path }) => path));
  return { shown, notShown: near.flatMap(({ page }) => (isShown.has(page.path) ? [] : [page.path])) };
}

type PageSection = {
  readonly path: string;
  readonly region: Region;
  readonly line: number;
  readonly heading: string;
  readonly text: string;
};

/** The sections of a page, from heading to heading; those that are very long in parts. */
function cutSections({ path, text }: SourcePage): PageSection[] {
  const lines = indexLines(text);
  const headings = outlineDocument(path, text).blocks.filter(({ kind }) => kind === "heading");
  const starts = headings.map(({ region }) => lines.starts[lineAt(lines, region.start)] ?? 0);
  const titles = headings.map(({ content }) => text.slice(content.start, content.end));
  return [0, ...starts].flatMap((start, i) => {
    const end = starts[i] ?? text.length;
    const heading = titles[i - 1] ?? "";
    return cutLong(text, { start, end }).map((region) => ({
      ...{ path, region, heading, line: lineAt(lines, region.start) + 1 },
      text: text.slice(region.start, region.end),
    }));
  });
}

function cutLong(text: string, { start, end }: Region): Region[] {
  const parts: Region[] = [];
  let from = start;
  while (end - from > longestSection) {
    const blank = text.lastIndexOf("\n\n", from + longestSection);
    const feed = text.lastIndexOf("\n", from + longestSection);
    const to = blank > from ? blank + 2 : feed > from ? feed + 1 : from + longestSection;
    parts.push({ start: from, end: to });
    from = to;
  }
  return from < end ? [...parts, { start: from, end }] : parts;
}

type Scores = ReadonlyMap<PageSection, number>;

/** How many ranks count: the first ones differ more than those far below. */
const slowness = 8;
const wordsWeight = 0.6;

/** One score for each section, from its ranks by names and by words: their own scores have no common measure. */
function scoreSections(sections: readonly PageSection[], { names, words }: ChangeTopic): Scores {
  const weights = weighSections(sections, names);
  const byNames = [...weights].sort(([, a], [, b]) => b - a).map(([section]) => section);
  const byWords = rankPassages(sections)(`${words} ${[...names.keys()].join(" ")}`, 60);
  const scores = new Map<PageSection, number>();
  const add = (ranked: readonly unknown[], weight: number): void => {
    for (const [rank, section] of ranked.entries()) {
      const score = weight / (slowness + rank);
      scores.set(section as PageSection, (scores.get(section as PageSection) ?? 0) + score);
    }
  };
  add(byNames, 1);
  add(byWords, wordsWeight);
  return scores;
}

/** The weight of the changed names in each section that holds any. A name in a heading counts twice more. */
function weighSections(sections: readonly PageSection[], names: NameWeights): Map<PageSection, number> {
  const weights = new Map<PageSection, number>();
  for (const section of sections) {
    const heading = new Set(namesIn(section.heading));
    let weight = 0;
    for (const name of namesIn(section.text)) {
      const own = names.get(name);
      if (own !== undefined)
        weight += own * (isCodeIn(section.text, name) ? 1 : 0.2) * (heading.has(name) ? 3 : 1);
    }
    if (weight > 0) weights.set(section, weight);
  }
  return weights;
}

/** A plain word counts in full only where the page writes it as code. */
function isCodeIn(text: string, name: string): boolean {
  if (isDistinct(name)) return true;
  const spans = text.split("`").filter((_, i) => i % 2 === 1);
  return spans.some((code) => namesIn(code).includes(name));
}

const countedSections = 3;
const priorWeight = 0.15;

/** Some good sections make a near page, and so does a past in which it changed with these files. */
function scorePage(sections: readonly PageSection[], scores: Scores, prior: number): number {
  const best = sections.map((section) => scores.get(section) ?? 0).sort((a, b) => b - a);
  return best.slice(0, countedSections).reduce((sum, score) => sum + score, 0) + prior * priorWeight;
}

function excerptPage(
  { path, text }: SourcePage,
  sections: readonly PageSection[],
  scores: Scores,
): PageExcerpt {
  if (text.length <= wholePage) return { path, text, leftOut: 0 };
  const ranked = sections
    .map((section, index) => ({ section, index, score: scores.get(section) ?? 0 }))
    .sort((a, b) => b.score - a.score);
  const kept = new Set<number>();
  let left = wholePage;
  for (const { section, index, score } of ranked) {
    if (section.text.length > left || (score === 0 && kept.size > 0)) continue;
    kept.add(index);
    left -= section.text.length;
  }
  const parts: string[] = [];
  for (const [i, { text: words, heading }] of sections.entries()) {
    if (kept.has(i)) parts.push(words.replace(/(?<!\n)\n*$/, "\n"));
    else if (i === 0 || kept.has(i - 1) || heading !== sections[i - 1]?.heading)
      parts.push(`(not shown: ${heading === "" ? "the beginning" : heading.trim()})\n`);
  }
  return { path, text: parts.join(""), leftOut: sections.length - kept.size };
}
