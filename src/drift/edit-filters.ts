import { isDistinct } from "./change/names.ts";
import { splitLines } from "./change/tokens.ts";
import type { Notice } from "./findings.ts";

const WORDED = new Set(["rename", "phrase", "sample", "default"]);
const LOGGED = /\b\d{1,2}:\d{2}:\d{2}\b/;
const HISTORY =
  /\b(?:deprecated|obsolete|no longer|formerly|previously|used to be|was renamed|already removed|has been removed)\b/i;

/**
 * Removes the edit from notices whose edit may be wrong. The passage is still reported, and a person writes the text.
 */
export function dropDoubtfulEdits(notices: readonly Notice[]): Notice[] {
  const patched = findPatchwork(notices);
  return notices.map((notice) => {
    if (!notice.splice || !(patched.has(notice) || isEscaped(notice) || isDoubtful(notice))) return notice;
    const { splice: _, ...pointing } = notice;
    return pointing;
  });
}

/** Edits of `a` and of `b` in `a.b` that no single line of the code shows together: joined, they would be wrong. */
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

/** The text in the code has escapes or placeholders, while a page shows the printed text. */
function isEscaped({ kind, page, splice }: Notice): boolean {
  if (kind === "snippet") return false;
  const { region, text } = splice!;
  const shown = page.text.slice(region.start, region.end);
  return text.includes("${") && !shown.includes("${");
}

/** A line about the past is right to use the old name. */
function tellsHistory(before: string, after: string): boolean {
  return HISTORY.test(before) || HISTORY.test(after);
}

/** A line that also has the new word is about both words: a choice, a contrast or a change. */
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

/** A recorded output: its values belong to the names of that time. */
function isLogged(text: string, after: string): boolean {
  return LOGGED.test(text) && /^["']?[=:]/.test(after);
}

/** A list of installed packages: the version next to the name was that of the old package. */
function isInstalled(before: string, after: string): boolean {
  return /^[\s│├└─┬|+`-]*$/.test(before) && /^(?:@| {2,}|\t+| ?\(?)v?\d+(?:\.\d+)+(?![\w.])/.test(after);
}

/** A list of choices marks its default: the mark has to move to another choice, and this choice stays. */
function isTagged(after: string): boolean {
  return /^["'`]*\s*\(default\)/i.test(after);
}

/** A name inside the address of another site's page belongs to that site. */
function isAddress({ kind }: Notice, before: string): boolean {
  return kind !== "phrase" && /\bhttps?:\/\/[^\s()<>\]"'`]*$/.test(before);
}
