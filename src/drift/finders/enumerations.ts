import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { isProductPath } from "../change/code-path.ts";
import type { LinePair } from "../change/comparison.ts";
import { fold, isCommon } from "../change/names.ts";
import { splitLines, tokenise } from "../change/tokens.ts";
import type { Notice } from "../findings.ts";
import { enclosingNames, pageOwners } from "../pages/owners.ts";

/** A closed list of words in the code that gained or lost some. */
type ClosedList = {
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** Folded names of the owners of the list: the type, the key, the enclosing code. */
  readonly owners: ReadonlySet<string>;
  readonly path: string;
  readonly pair: LinePair;
};

/** A list of the same words on a page: its region, and how it separates and marks the words. */
type Stated = {
  readonly start: number;
  readonly end: number;
  readonly open: string;
  readonly close: string;
  readonly between: string;
  readonly last: string;
};

/**
 * The members of a union, an enumeration or a list of choices changed, and a page lists exactly the old ones.
 * Likely if the page names the owner on the line or above it, or if three or more words agree.
 */
export async function findEnumerations(change: ChangeModel): Promise<Notice[]> {
  const listings = findListings(change);
  const notices: Notice[] = [];
  for (const listing of listings)
    for (const page of change.pages) {
      if (!listing.old.every((member) => page.text.includes(member))) continue;
      page.read().lines.forEach(({ text }, line) => {
        if (!listing.old.every((member) => text.includes(member))) return;
        for (const stated of findStated(text, listing.old))
          if (isAbout(page, line, text, listing))
            notices.push(toNotice(change, { page, line, listing, stated }));
      });
    }
  return notices;
}

// A longer line is data rather than a list that a page would repeat.
const LONGEST = 2000;
const MEMBER = /(["'])((?:(?!\1)[^\\\s]){1,60})\1/g;

function findListings({ comparisons }: ChangeModel): ClosedList[] {
  const listings: ClosedList[] = [];
  for (const { path, before, rewrites } of comparisons) {
    if (before === null || !isProductPath(path)) continue;
    for (const { pairs } of rewrites)
      for (const pair of pairs) {
        const old = membersOf(pair.old.text);
        const fresh = membersOf(pair.new.text);
        if (!old || !fresh || old.prefix !== fresh.prefix || haveSame(old.members, fresh.members)) continue;
        const owners = new Set(
          [...tokenise(old.prefix).map(({ text }) => fold(text)), ...enclosing(before, pair, path)].filter(
            (name) => name.length > 2 && !isCommon(name),
          ),
        );
        listings.push({ old: old.members, new: fresh.members, owners, path, pair });
      }
  }
  return listings.slice(0, 100);
}

/** Whether two lists have the same members, in any order. */
function haveSame(old: readonly string[], fresh: readonly string[]): boolean {
  return [...old].sort().join("\0") === [...fresh].sort().join("\0");
}

function enclosing(before: string, { old }: LinePair, path: string): string[] {
  return enclosingNames(splitLines(before), old.number, path).slice(0, 8);
}

/** The last two or more quoted words with only `|` or commas between them, and the text before them. */
function membersOf(text: string): { members: string[]; prefix: string } | null {
  if (text.length > LONGEST) return null;
  const run: RegExpExecArray[] = [];
  for (const match of text.matchAll(MEMBER)) {
    const last = run.at(-1);
    if (last && !/^\s*[|,]\s*$/.test(text.slice(last.index + last[0].length, match.index))) run.length = 0;
    run.push(match);
  }
  const [opening, closing] = [run[0], run.at(-1)];
  if (!opening || !closing || run.length < 2 || run.length > 60) return null;
  const prefix = text.slice(0, opening.index);
  if (
    !/(?:=|:|\(|\[|\|)\s*$/.test(prefix) ||
    !/^[\s\])};,]*$/.test(text.slice(closing.index + closing[0].length))
  )
    return null;
  return { members: run.map(([, , member = ""]) => member), prefix };
}

/** Lists of exactly these words in this order, each marked alike. */
function findStated(text: string, members: readonly string[]): Stated[] {
  const found: Stated[] = [];
  const first = members[0]!;
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const open = /[`"'*]*$/.exec(text.slice(Math.max(0, at - 4), at))![0];
    const close = /^[`"'*]*/.exec(text.slice(at + first.length, at + first.length + 4))![0];
    if (!open || open.length !== close.length) continue;
    const stated = follow(text, at - open.length, { members, open, close });
    if (stated) found.push(stated);
  }
  return found;
}

type MarkedList = { readonly members: readonly string[]; readonly open: string; readonly close: string };

function follow(text: string, start: number, { members, open, close }: MarkedList): Stated | null {
  let at = start;
  const joints: string[] = [];
  for (const [index, member] of members.entries()) {
    if (index > 0) {
      const joint = /^(?:\s*[,|/]\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+)/.exec(text.slice(at, at + 20))?.[0];
      if (!joint) return null;
      joints.push(joint);
      at += joint.length;
    }
    const marked = `${open}${member}${close}`;
    if (!text.startsWith(marked, at)) return null;
    at += marked.length;
  }
  // The list must end here: one more word of it would be a list of something else.
  if (/^\s*(?:[,|/]\s*(?:(?:or|and)\s+)?|(?:or|and)\s+)[`"']/.test(text.slice(at, at + 20))) return null;
  if (/[`"'][\s]*[,|/]\s*$|[`"']\s+(?:or|and)\s+$/.test(text.slice(Math.max(0, start - 20), start)))
    return null;
  const last = joints.at(-1)!;
  const between = joints.length > 1 ? joints[0]! : /or|and/.test(last) ? ", " : last;
  if (joints.slice(0, -1).some((joint) => joint !== between)) return null;
  return { start, end: at, open, close, between, last };
}

function isAbout(page: DocumentPage, line: number, text: string, { old, owners }: ClosedList): boolean {
  if (old.length > 2) return true;
  const { headings, introduction, stem } = pageOwners(page, line);
  const words = tokenise(text).map((token) => fold(token.text));
  return [...words, ...headings, ...introduction, ...stem].some((name) => owners.has(name));
}

type StatedList = {
  readonly page: DocumentPage;
  readonly line: number;
  readonly listing: ClosedList;
  readonly stated: Stated;
};

function toNotice(change: ChangeModel, { page, line, listing, stated }: StatedList): Notice {
  const { start } = page.read().lines[line]!;
  const marked = listing.new.map((member) => `${stated.open}${member}${stated.close}`);
  const text =
    marked.length > 1
      ? `${marked.slice(0, -1).join(stated.between)}${stated.last}${marked.at(-1)}`
      : marked.join("");
  const { pair, path } = listing;
  return {
    page,
    line,
    endLine: line,
    tier: "likely",
    kind: "enumeration",
    message: { what: "rewritten", old: listing.old.join(", "), new: listing.new.join(", ") },
    evidence: [
      {
        path,
        revision: change.input.head,
        startLine: pair.new.number,
        endLine: pair.new.number,
        before: pair.old.text,
        after: pair.new.text,
      },
    ],
    splice: { region: { start: start + stated.start, end: start + stated.end }, text },
  };
}
