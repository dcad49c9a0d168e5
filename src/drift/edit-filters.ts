import { isDistinct } from "./change/names.ts";
import { splitLines } from "./change/tokens.ts";
import type { Notice } from "./findings.ts";

const WORDED = new Set(["rename", "phrase", "sample", "default"]);
const LOGGED = /\b\d{1,2}:\d{2}:\d{2}\b/;
const HISTORY =
  /\b(?:deprecated|obsolete|no longer|formerly|previously|used to be|was renamed|already removed|has been removed)\b/i;

/**
 * Removes the edit from notices whose edit may be wrong. The passage is still reported, and a person chooses the words.
 */
export function dropDoubtfulEdits(notices: readonly Notice[]): Notice[] {
  const patched = findPatchwork(notices);
  return notices.map((notice) => {
    if (!notice.splice || !(patched.has(notice) || isEscaped(notice) || isDoubtful(notice))) return notice;
    const { splice: _, ...pointing } = notice;
    return pointing;
  });
}

/** Edits of `a` and of `b` in `a.b` that no one line of the code shows together: joined they would say nonsense. */
function findPatchwork(notices: readonly Notice[]): Set<Notice> {
  const found = new Set<Notice>();
  const phrases = notices.filter(
    ({ kind, splice, tier }) => kind === "phrase" && splice && tier !== "possible",
  );
  for (const [, beside] of Map.groupBy(phrases, ({ page, line }) => `${page.path}\0${line}`)) {
    const sorted = beside.sort((a, b) => a.splice!.region.start - b.splice!.region.start);
    for (const [index, notice] of sorted.entries()) {
      const next = sorted[index + 1];
      if (!next || next.splice!.region.start !== notice.splice!.region.end + 1) continue;
      if (notice.page.text[notice.splice!.region.end] !== "." || shareEvidence(notice, next)) continue;
      found.add(notice).add(next);
    }
  }
  return found;
}

function shareEvidence(a: Notice, b: Notice): boolean {
  return a.evidence.some((one) =>
    b.evidence.some((other) => one.path === other.path && one.startLine === other.startLine),
  );
}

function isDoubtful(notice: Notice): boolean {
  if (!WORDED.has(notice.kind)) return false;
  const { text, start } = notice.page.read().lines[notice.line]!;
  const { region } = notice.splice!;
  const before = text.slice(0, region.start - start);
  const after = text.slice(Math.max(0, region.end - start));
  return (
    tellsHistory(before, after) ||
    saysBoth(notice, before, after) ||
    isLogged(text, after) ||
    isInstalled(before, after) ||
    isTagged(after) ||
    isAddress(notice, before)
  );
}

/** Code spells its text with escapes, or leaves room for a value, where a page shows what they stand for. */
function isEscaped({ kind, page, splice }: Notice): boolean {
  if (kind === "snippet" || kind === "sibling") return false;
  const { region, text } = splice!;
  const shown = page.text.slice(region.start, region.end);
  return (
    (text.includes("${") && !shown.includes("${")) ||
    (kind === "default" && text.includes("\\") && !shown.includes("\\"))
  );
}

/** A line that tells of the past is right to use the old name. */
function tellsHistory(before: string, after: string): boolean {
  return HISTORY.test(before) || HISTORY.test(after);
}

/** A line that has the new word too speaks of both: of a choice, a contrast or a change. */
function saysBoth({ splice, page, line }: Notice, before: string, after: string): boolean {
  const word = splice!.text;
  if (word.length < 3 || splitLines(word).length > 1) return false;
  const isCode = page.read().lines[line]!.place === "code";
  // Two types of one name on a line of code do not compile.
  if (isCode && /^\p{Lu}\p{Ll}/u.test(word)) return [before, after].some((part) => holdsWord(part, word));
  const marked = isCode ? isDistinct(word) : true;
  return marked && [before, after].some((part) => holdsMarked(part, word));
}

function holdsWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.])${word.replace(/\W/g, "\\$&")}(?!\\w)`).test(text);
}

function holdsMarked(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const left = text[at - 1] ?? " ";
    const right = text[at + word.length] ?? " ";
    if (/[\w-]/.test(left) && !text.startsWith("--", at - 2)) continue;
    if (/[\w-]/.test(right)) continue;
    if (isDistinct(word) || (/[`"']/.test(left) && /[`"']/.test(right))) return true;
  }
  return false;
}

/** The record of a run: the values it shows came with the names they had. */
function isLogged(text: string, after: string): boolean {
  return LOGGED.test(text) && /^["']?[=:]/.test(after);
}

/** A list of installed packages: the version beside the name was that of the old package, on that day. */
function isInstalled(before: string, after: string): boolean {
  return /^[\s│├└─┬|+`-]*$/.test(before) && /^(?:@| {2,}|\t+| ?\(?)v?\d+(?:\.\d+)+(?![\w.])/.test(after);
}

/** Of several choices one is said to be the default: another one becomes it, and this one stays a choice. */
function isTagged(after: string): boolean {
  return /^["'`]*\s*\(default\)/i.test(after);
}

/** A name inside the address of a page elsewhere is that page's. */
function isAddress({ kind }: Notice, before: string): boolean {
  return kind !== "phrase" && /\bhttps?:\/\/[^\s()<>\]"'`]*$/.test(before);
}
