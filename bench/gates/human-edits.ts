import { findExcerpts, type OpenFinding, type SourceExcerpt } from "../../src/agents/fix/excerpts.ts";
import { namesIn } from "../../src/agents/fix/notice-terms.ts";
import { addedLines, buildQuestion, sourcesOf } from "../../src/agents/fix/section-question.ts";
import {
  collectFacts,
  createGrowingFacts,
  type FactFile,
  type KnownFacts,
} from "../../src/agents/gates/known-facts.ts";
import { findChanges } from "../../src/agents/gates/section/changes.ts";
import { isHeading, isInsideFence, piecesOf } from "../../src/agents/gates/section/pieces.ts";
import type { NamedLines, SectionPlace } from "../../src/agents/gates/section/post-conditions.ts";
import { isAlike } from "../../src/agents/gates/section/words.ts";
import { isCommon, isDistinct } from "../../src/drift/change/names.ts";
import { documentClass, isDocumentPath } from "../../src/drift/pages/policies.ts";
import { compareTexts } from "../../src/text/diff/compare.ts";
import { decode } from "../../src/text/model/encoding.ts";
import { indexLines, lineAt } from "../../src/text/model/lines.ts";
import type { Region } from "../../src/text/model/region.ts";
import { applySplices, mapOffset, type Splice } from "../../src/text/model/splice.ts";
import { placesOf } from "../agents/requests.ts";
import { type CaseLine, openStaleCase, type StaleCase } from "../agents/stale-case.ts";

/** A section that a person edited, and all that the gates of `fix` would know of it. */
export type HumanEdit = {
  readonly case: string;
  readonly path: string;
  /** Whether a rule noticed the section; otherwise the notice is made of the names that code and edit share. */
  readonly byRule: boolean;
  /** The page as people left it, with this section as it was: a run fixes one section after the other. */
  readonly page: string;
  readonly region: Region;
  /** People removed the section or moved it. That is a person's decision: the question asks for a section. */
  readonly isGone: boolean;
  readonly before: string;
  readonly after: string;
  readonly notices: readonly SectionPlace[];
  /** The lines that the person changes, as a model must name those that no notice is about. */
  readonly named: readonly NamedLines[];
  /** The person's words, as a model names in its reasons what only other code has. */
  readonly reasons: readonly string[];
  readonly sources: readonly string[];
  /** The lines that the commit adds to the code. */
  readonly change: readonly string[];
  readonly facts: KnownFacts;
  /** Names that the code has and neither the page nor the question. */
  readonly otherNames: readonly string[];
};

/** The sections of a commit that people edited because of its code. */
export async function findHumanEdits(
  one: CaseLine,
  mirror: string,
  { check }: { readonly check: boolean },
): Promise<HumanCase> {
  const isPage = (path: string): boolean => isDocumentPath(path) && documentClass(path) === "page";
  const stale = one.doc_files.some(isPage) ? await openStaleCase(one, mirror, { check }) : null;
  if (stale === null) return { pages: [], sections: [] };
  const pages = one.doc_files.filter(isPage).flatMap((path) => {
    const [before, after] = [stale.before(path), stale.after(path)];
    if (before === null || after === null || before === after || isMade(after)) return [];
    return [{ path, before, after }];
  });
  if (pages.length === 0) return { pages: [], sections: [] };
  const { facts, words } = await readFacts(stale, one.parent);
  for (const path of one.doc_files) facts.learn({ path, text: stale.after(path) ?? "" });
  const found = await Promise.all(pages.map((page) => editsOf(stale, page, { facts, words })));
  return { pages: pages.map((page) => ({ ...page, case: stale.id, facts })), sections: found.flat() };
}

/** A program wrote a page of HTML with a colour for each word of its samples. */
function isMade(text: string): boolean {
  return (text.match(/<span class="\w{1,3}">/g)?.length ?? 0) > 50;
}

/** The pages of a commit that people edited, and the sections of them that its code explains. */
export type HumanCase = {
  readonly pages: readonly (EditedPage & { readonly case: string; readonly facts: KnownFacts })[];
  readonly sections: readonly HumanEdit[];
};

type EditedPage = { readonly path: string; readonly before: string; readonly after: string };
type Ground = { readonly facts: KnownFacts; readonly words: readonly string[] };

async function editsOf(stale: StaleCase, page: EditedPage, ground: Ground): Promise<HumanEdit[]> {
  const { path, before, after } = page;
  const splices = compareTexts(before, after);
  const byRule = stale.findings.filter((finding) => finding.path === path);
  const ruled = findExcerpts(path, before, byRule).map((excerpt) => ({ excerpt, byRule: true }));
  const told = findExcerpts(path, before, noticesOf(stale, page, splices))
    .filter(({ region }) => !ruled.some(({ excerpt }) => overlaps(excerpt.region, region)))
    .map((excerpt) => ({ excerpt, byRule: false }));
  const edits: HumanEdit[] = [];
  for (const { excerpt, byRule } of [...ruled, ...told]) {
    const { region } = excerpt;
    const section = before.slice(region.start, region.end);
    const place = regionAfter(region, splices);
    const whole = after.slice(place.start, place.end);
    const notices = placesOf(excerpt.findings, before, region.start);
    const written = keepRelated({ path, before: section, after: whole }, notices);
    if (written.trim() === section.trim()) continue;
    const sources = await sourcesFor(stale, excerpt, { path, text: before });
    const shown = new Set(namesIn([before, after, ...sources].join("\n")).map((name) => name.toLowerCase()));
    edits.push({
      case: stale.id,
      path,
      byRule,
      page: after.slice(0, place.start) + section + after.slice(place.end),
      region: { start: place.start, end: place.start + section.length },
      isGone: isGone(section, whole),
      before: section,
      after: written,
      notices,
      named: linesChanged({ path, before: section, after: written, above: before.slice(0, region.start) }),
      reasons: [written],
      sources,
      change: addedLines({ change: stale.change, redact: String }),
      facts: ground.facts,
      otherNames: ground.words.filter((word) => !shown.has(word.toLowerCase())).slice(0, 5),
    });
  }
  return edits;
}

function linesChanged(edited: Parameters<typeof findChanges>[0]): NamedLines[] {
  const { removed } = findChanges(edited);
  return removed.map(({ line, lastLine = line }) => ({
    firstLine: line,
    lastLine,
    reason: "a person changed it",
  }));
}

/** Where a section is on the page as people left it. Text that stands before its heading is of the section above. */
function regionAfter({ start, end }: Region, splices: readonly Splice[]): Region {
  const isInsertion = splices.some(({ region }) => region.start === start && region.end === start);
  const from = mapOffset(start, splices, isInsertion ? "after" : "before");
  return { start: from, end: Math.max(from, mapOffset(end, splices, "after")) };
}

/** Whether the heading of a section is gone: with the whole section, or because its text moved to another one. */
function isGone(before: string, after: string): boolean {
  const [first] = piecesOf(before);
  if (after.trim() === "") return true;
  return first !== undefined && isHeading(first)
    ? !piecesOf(after).some((piece) => isHeading(piece) && isAlike(piece.text, first.text))
    : false;
}

/** A person's section without the changes that no notice is about: a commit may do several things to a page. */
function keepRelated({ path, before, after }: EditedPage, notices: readonly SectionPlace[]): string {
  const lines = indexLines(before);
  const terms = new Set(notices.flatMap((notice) => notice.terms));
  const hunks = joinLines(before, compareTexts(before, after));
  const kept = hunks.filter(({ region, text }) => {
    const first = lineAt(lines, region.start);
    const last = lineAt(lines, Math.max(region.start, region.end - 1));
    const isNoticed = notices.some(({ firstLine, lastLine }) => firstLine <= last && lastLine >= first);
    const names = namesIn(`${before.slice(region.start, region.end)}\n${text}`);
    return isNoticed || names.some((name) => terms.has(name));
  });
  // Half of the changes of a sample are no sample.
  const samples = piecesOf(before, { path }).filter(isInsideFence);
  const samplesOf = ({ region }: Splice): number[] => {
    const [first, last] = [
      lineAt(lines, region.start),
      lineAt(lines, Math.max(region.start, region.end - 1)),
    ];
    return samples.filter(({ line }) => line >= first && line <= last).map(({ block }) => block);
  };
  const touched = new Set(kept.flatMap(samplesOf));
  const whole = hunks.filter(
    (hunk) => kept.includes(hunk) || samplesOf(hunk).some((block) => touched.has(block)),
  );
  const related = applySplices(before, whole);
  return countMarks(related) === countMarks(before) || countMarks(related) === countMarks(after)
    ? related
    : after;
}

/** Fences, listings and elements that a text opens and does not close: half of the changes may have opened them. */
function countMarks(text: string): string {
  const count = (shape: RegExp): number => text.match(shape)?.length ?? 0;
  const fences = [/^\s*(?:```|~~~)/gm, /^-{4,}$/gm, /^\.{4,}$/gm, /^--$/gm].map((shape) => count(shape) % 2);
  return `${fences.join(" ")} ${count(/<div\b/g) - count(/<\/div>/g)}`;
}

/** Splices widened to whole lines; those that meet are one. */
function joinLines(text: string, splices: readonly Splice[]): Splice[] {
  const joined: { region: { start: number; end: number }; text: string }[] = [];
  for (const { region, text: fresh } of splices) {
    const start = text.lastIndexOf("\n", region.start - 1) + 1;
    const newline = text.indexOf("\n", region.end);
    const end = newline < 0 ? text.length : newline + 1;
    const last = joined.at(-1);
    if (last && start < last.region.end) {
      // The end of the last hunk is text that both share; it is replaced by what follows from here.
      const kept = last.text.slice(0, last.text.length - (last.region.end - region.start));
      last.text = kept + fresh + text.slice(region.end, Math.max(end, last.region.end));
      last.region.end = Math.max(end, last.region.end);
    } else
      joined.push({
        region: { start, end },
        text: text.slice(start, region.start) + fresh + text.slice(region.end, end),
      });
  }
  return joined;
}

async function sourcesFor(
  { change }: StaleCase,
  excerpt: SourceExcerpt,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<string[]> {
  return sourcesOf(await buildQuestion([excerpt], { path, text }, { change, redact: String }));
}

/** One notice for each edit that shares a name with the changed lines of the code. */
function noticesOf({ change }: StaleCase, page: EditedPage, splices: readonly Splice[]): OpenFinding[] {
  const { path, before } = page;
  const lines = indexLines(before);
  const changed = change.files.flatMap(({ patch }) => patch.match(/^[+-](?![+-]).*$/gm) ?? []).join("\n");
  const code = new Set(namesIn(changed).filter((name) => !isCommon(name)));
  return splices.flatMap(({ region, text }, i) => {
    // Lines that are inserted belong to the text above them.
    const isInserted = region.start === region.end && before[region.start - 1] === "\n";
    const first = lineAt(lines, isInserted ? before.slice(0, region.start).trimEnd().length : region.start);
    const last = Math.max(first, isInserted ? first : lineAt(lines, Math.max(region.start, region.end - 1)));
    const old = before.split("\n").slice(first, last + 1);
    const names = codeNamesIn(`${old.join("\n")}\n${text}`).filter((name) => code.has(name));
    if (names.length === 0) return [];
    const message = names.map((name) => `\`${name}\``).join(" ");
    const finding = {
      id: `${i}`,
      path,
      startLine: first + 1,
      endLine: last + 1,
      kind: isInserted ? "added" : "change",
      message,
    };
    return [{ ...finding, tier: "possible", evidence: [], edits: [] } as OpenFinding];
  });
}

/** Names that a text has as code, or that nobody writes by accident. */
function codeNamesIn(text: string): string[] {
  const spans = Array.from(text.matchAll(/`([^`\n]{2,80})`/g), ([, inside]) => inside!).join("\n");
  const inCode = new Set(namesIn(spans));
  return namesIn(text).filter((name) => inCode.has(name) || isDistinct(name));
}

function overlaps(a: Region, b: Region): boolean {
  return a.start < b.end && b.start < a.end;
}

const noText = /\.(png|jpe?g|gif|svg|ico|woff2?|ttf|lock|snap|map|pdf|zip)$/i;

/**
 * The facts of the repository as a run would collect them: the code of the commit, the documents of its parent. Hosts
 * are those of the parent.
 */
async function readFacts({ git, head }: StaleCase, parent: string) {
  const [files, old] = [await readTree(git, head), await readTree(git, parent)];
  const facts = collectFacts(files, {
    paths: (await git.tree(head)).map(({ path }) => path),
    trusted: old,
  });
  const code = files.filter(({ path }) => !isDocumentPath(path)).slice(0, 40);
  const words = namesIn(code.map(({ text }) => text.slice(0, 4000)).join("\n"));
  return { facts: createGrowingFacts(facts), words: words.filter((word) => /[a-z][A-Z]|_/.test(word)) };
}

async function readTree(git: StaleCase["git"], revision: string): Promise<FactFile[]> {
  const tree = (await git.tree(revision)).filter(({ path }) => !noText.test(path));
  const blobs = await git.blobs(tree.map(({ id }) => id));
  return tree.flatMap(({ path, id }) => {
    const bytes = blobs.get(id);
    const decoded = bytes && bytes.length < 1 << 20 ? decode(bytes) : undefined;
    return decoded?.ok ? [{ path, text: decoded.value.text }] : [];
  });
}
