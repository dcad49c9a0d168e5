import type { Block, Outline } from "../../syntax/formats/document.ts";
import type { Region } from "../../text/model/region.ts";

/** Titles of sections that tell what was: releases, migrations, decisions. */
const PAST_TITLES: readonly RegExp[] = [
  /^(?:the )?(?:full |recent )?(?:change ?logs?|release notes?|releases|version history|release history)\b/i,
  /^what['’]?s (?:new|changed)\b/i,
  /^(?:breaking |notable |api |recent )?changes(?: (?:in|since|from|between)\b.*)?$/i,
  /^(?:migrat(?:ing|ion)|(?:upgrad|updat)(?:ing|e)|port(?:ing)?) (?:(?:from|guide|notes?)\b|to (?:\S+ ){0,2}v?\d)/i,
  /^(?:v?\d[\w.]* )?(?:migration|upgrade) (?:guide|notes?)\b/i,
  /^(?:unreleased|previous versions?|older versions?|archive|decision log)$/i,
  /^(?:version |release )?\[?v?\d+\.\d[\w.-]*\]?(?:\([^)]*\))?(?:\s*[([–—:-].{0,40})?$/i,
  /^\[?\d{4}-\d{2}-\d{2}\]?\b/,
];

/** "Changes" alone may also be a subject; the changes of releases have numbers. */
const PLAIN = /^changes$/i;
const RELEASE = /\bv?\d+\.\d+/;

/** A line before a sample that says the sample is of an older version: `v2 code:`, `Before:`, `In 1.x:`. */
const PAST_LABEL =
  /^\W*(?:before|old|previously|formerly|(?:in |until |with )?v?\d+(?:\.[\dx]+)*)(?: \([^)]*\)| code| syntax| way)?\W*:?\W*$/i;

/** The head of a table of old and new names: `Old path | New path`, `3.x | 4.x`. */
const TURNS =
  /^\W*(?:(?:old|before|former|previous)\w*\b[^|]*\|\W*(?:new|after|now|current)|v?\d+(?:\.[\dx]+)*\W*\|\W*(?:v?\d+(?:\.[\dx]+)*|main|now)\W*$)/i;

/** What a page says of itself at its top when another one has taken its place. */
const SAYS_OUTDATED =
  /\bthis (?:page|documents?|documentation|guide|file|article) (?:is|are|has been|may be) (?:now )?(?:outdated|out of date|obsolete|archived|superseded|no longer maintained)\b/i;
const TOP = 600;

/** The stretches of a page that describe the past and claim nothing about today. */
export function findPastRegions(text: string, { blocks }: Outline): readonly Region[] {
  if (SAYS_OUTDATED.test(text.slice(0, TOP))) return [{ start: 0, end: text.length }];
  const regions: Region[] = [];
  for (const [at, block] of blocks.entries()) {
    if (regions.length > 0 && block.region.start < regions.at(-1)!.end) continue;
    if (block.kind === "heading" && isPastTitle(titleOf(text, block))) {
      const region = { start: block.region.start, end: endOfSection(blocks, at, text.length) };
      if (!PLAIN.test(titleOf(text, block)) || RELEASE.test(text.slice(region.start, region.end)))
        regions.push(region);
    }
    if (block.header && TURNS.test(text.slice(block.region.start, block.region.end)))
      regions.push({ start: block.region.start, end: endOfTable(blocks, at) });
    if (block.kind === "code-fence" && isLabelledPast(text, blocks, at)) regions.push(block.region);
  }
  return regions;
}

function endOfTable(blocks: readonly Block[], row: number): number {
  const next = blocks.findIndex(({ kind }, at) => at > row && !kind.startsWith("table-"));
  return blocks[next < 0 ? blocks.length - 1 : next - 1]!.region.end;
}

function isPastTitle(title: string): boolean {
  return PAST_TITLES.some((shape) => shape.test(title));
}

function titleOf(text: string, { content }: Block): string {
  return text
    .slice(content.start, content.end)
    .replace(/[*_`]|^[^\p{L}\p{N}[]+|\{#[^}]*\}/gu, "")
    .trim();
}

function endOfSection(blocks: readonly Block[], heading: number, end: number): number {
  const { depth = 1 } = blocks[heading]!;
  for (let at = heading + 1; at < blocks.length; at++) {
    const block = blocks[at]!;
    if (block.kind === "heading" && (block.depth ?? 1) <= depth) return block.region.start;
  }
  return end;
}

/** Whether the paragraph directly above a sample calls it old. */
function isLabelledPast(text: string, blocks: readonly Block[], fence: number): boolean {
  const label = blocks[fence - 1];
  if (label?.kind !== "paragraph" && label?.kind !== "heading") return false;
  const { start, end } = label.content;
  return end - start < 60 && PAST_LABEL.test(text.slice(start, end));
}
