import { readDeclarations } from "../../change/additions.ts";
import type { ChangeModel, DocumentPage } from "../../change/change-model.ts";
import { isProductPath } from "../../change/code-path.ts";
import type { Comparison } from "../../change/comparison.ts";
import { type DefinitionGroup, findDefinitionGroups } from "../../change/definitions.ts";
import { fold, isCommon, partsOf } from "../../change/names.ts";
import { flipsMeaning } from "../../change/rename-candidates.ts";
import { findStrings, rolesOf } from "../../change/roles.ts";
import type { Site } from "../../change/substitutions.ts";
import { splitLines } from "../../change/tokens.ts";
import { evidenceOf, type Notice } from "../../findings.ts";
import { findMentions, type Mention } from "../../pages/mentions.ts";
import { enclosingNames, pageOwners } from "../../pages/owners.ts";

/** A renamed member of an owner that kept its name. */
type MemberRename = {
  readonly old: string;
  readonly new: string;
  readonly owners: ReadonlySet<string>;
  /** Folded names declared beside it. */
  readonly beside: ReadonlySet<string>;
  readonly fits: (group: DefinitionGroup) => boolean;
  readonly site: Site;
};

const FEWEST = 3;

/**
 * A member was renamed where it is declared, and a document defines or names it as a member of the same owner:
 * `Owner.name`, or an entry `name` in the owner's section or among entries for its siblings. Other code may still use the
 * word; the owner identifies the member. Likely if the owner is before the dot, or three siblings have entries in the
 * same table, list or run of headings; then also in the section below such a heading.
 */
export async function findMembers(change: ChangeModel): Promise<Notice[]> {
  const renames = Map.groupBy(findMemberRenames(change), (rename) => rename.old);
  const mentions = findMentions(change.pages, new Set(renames.keys()));
  const entries = createEntries();
  const notices: Notice[] = [];
  for (const [name, places] of mentions) {
    const candidates = renames.get(name)!;
    for (const mention of places) {
      const listed = candidates.filter((rename) => isEntry(entries, mention, rename));
      const fitting = listed.length ? listed : candidates.filter((rename) => belongs(mention, rename));
      const successors = new Set(fitting.map((rename) => rename.new));
      if (successors.size === 1) notices.push(toNotice(change, mention, fitting, listed.length > 0));
    }
  }
  return notices;
}

/** The entry that contains a line of a page: that of the row, item or sample line, else that of the last heading. */
type PageEntry = { readonly name: string; readonly line: number; readonly group: DefinitionGroup };
type Entries = (page: DocumentPage, line: number) => readonly PageEntry[];

/** The entries of each page, read when first asked for. */
function createEntries(): Entries {
  const known = new Map<DocumentPage, Entries>();
  return (page, line) => {
    const find = known.get(page) ?? readEntries(page);
    known.set(page, find);
    return find(page, line);
  };
}

function readEntries(page: DocumentPage): Entries {
  const groups = findDefinitionGroups(page);
  const entries = groups.flatMap((group) => group.entries.map((entry) => ({ ...entry, group })));
  const byLine = Map.groupBy(entries, ({ line }) => line);
  const headings = entries.filter(({ group }) => group.kind === "headings").sort((a, b) => a.line - b.line);
  return (_, line) => {
    const here = byLine.get(line);
    if (here) return here;
    let low = 0;
    let high = headings.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (headings[middle]!.line <= line) low = middle + 1;
      else high = middle;
    }
    const above = headings[low - 1];
    return above && line <= above.group.last ? [above] : [];
  };
}

/** Whether the mention is the entry for the member among entries for its siblings, or in the section such a heading opens. */
function isEntry(entries: Entries, { page, line, index }: Mention, rename: MemberRename): boolean {
  if (rename.beside.size < FEWEST) return false;
  const here = page.read().lines[line]!;
  const token = page.tokens(line)[index]!;
  const marked =
    here.place === "code" || here.spans.some((one) => one.start <= token.start && token.end <= one.end);
  if (here.place === "prose" && !marked) return false;
  const name = fold(rename.old);
  return entries(page, line).some(
    (entry) =>
      entry.name === name &&
      (entry.line === line ? isFirst(here.text, token.start) : marked) &&
      rename.fits(entry.group),
  );
}

/** Whether at least three entries of a group, and half of them, are for siblings of a name. */
function createFit(old: string, beside: ReadonlySet<string>): (group: DefinitionGroup) => boolean {
  const known = new Map<DefinitionGroup, boolean>();
  return (group) => {
    const answer = known.get(group) ?? judge(group);
    known.set(group, answer);
    return answer;
  };
  function judge({ entries }: DefinitionGroup): boolean {
    const names = new Set(entries.map(({ name }) => name).filter((name) => name !== fold(old)));
    const shared = [...names].filter((name) => beside.has(name)).length;
    return shared >= FEWEST && shared * 2 >= Math.min(names.size, beside.size);
  }
}

/** Whether only punctuation and an owner are before the name on the line of its entry. */
function isFirst(text: string, start: number): boolean {
  return /^[\s|#>*+-]*(?:\d+[.)]\s+)?[`*_[<"'.:-]*(?:(?:async )?def |(?:\w+\.)+|\.|--?)*[`*_.]*$/.test(
    text.slice(0, start),
  );
}

const HOLDER = /\b(?:class|struct|interface|trait|impl|type|enum|object|module)\s+(\w+)/g;

function findMemberRenames(change: ChangeModel): MemberRename[] {
  const renames: MemberRename[] = [];
  const known = new Map<Comparison, ReturnType<typeof readHolders>>();
  const byPath = new Map(change.comparisons.map((comparison) => [comparison.path, comparison]));
  for (const site of change.sites) {
    const { gap, oldTokens, newTokens, old } = site;
    if (gap.oldEnd - gap.oldStart !== 1 || gap.newEnd - gap.newStart !== 1 || !isProductPath(site.path))
      continue;
    const was = oldTokens[gap.oldStart]!;
    const is = newTokens[gap.newStart]!;
    if (was.kind !== "name" || is.kind !== "name" || was.text.length < 3 || is.text.startsWith("_")) continue;
    if (findStrings(old.text).some((region) => region.start <= was.start && was.end <= region.end)) continue;
    if (
      rolesOf(old.text, oldTokens)[gap.oldStart] !== "declared" ||
      flipsMeaning(partsOf(was.text), partsOf(is.text))
    )
      continue;
    const comparison = byPath.get(site.path);
    if (!comparison?.before || declaresStill(comparison, was.text)) continue;
    const { lines, holders, declarations } = known.get(comparison) ?? readHolders(comparison.before);
    known.set(comparison, { lines, holders, declarations });
    const names = enclosingNames(lines, old.number, site.path);
    const isHolder = (name: string): boolean => holders.has(name) || name === names.at(-1);
    const owners = new Set(names.filter((name) => name.length > 3 && !isCommon(name) && isHolder(name)));
    const beside = new Set(declarations.siblingsOf(old).map(({ name }) => fold(name)));
    beside.delete(fold(was.text));
    renames.push({ old: was.text, new: is.text, owners, beside, fits: createFit(was.text, beside), site });
  }
  return renames;
}

/** A file read once for all its members. */
function readHolders(before: string) {
  const lines = splitLines(before);
  const holders = new Set([...before.matchAll(HOLDER)].map((match) => fold(match[1]!)));
  return { lines, holders, declarations: readDeclarations(lines) };
}

/** If the file still declares the name elsewhere, a document may mean either. */
function declaresStill({ after }: Comparison, name: string): boolean {
  const declaration = new RegExp(
    `(?:def|fn|func|function|class|get|set)\\s+${name}\\b|^\\s*${name}\\s*[:=?(]`,
    "m",
  );
  return after !== null && declaration.test(after);
}

function belongs({ page, line, index }: Mention, rename: MemberRename): boolean {
  const tokens = page.tokens(line);
  const owner = tokens[index - 1]?.text === "." ? tokens[index - 2] : undefined;
  if (owner?.kind === "name") return rename.owners.has(fold(owner.text));
  if (!defines(page, line, index)) return false;
  const { headings, stem, introduction } = pageOwners(page, line);
  return [...headings, ...stem, ...introduction].some(
    (name) => name !== fold(rename.old) && rename.owners.has(name),
  );
}

/** Whether the line is the entry for the name: a heading, a first cell, a method in a list. */
function defines(page: DocumentPage, line: number, index: number): boolean {
  const { text, place } = page.read().lines[line]!;
  const token = page.tokens(line)[index]!;
  const before = text.slice(0, token.start);
  if (place === "heading") return /^[#\s]*[`*_.]*(?:\w+\.)?$/.test(before);
  if (place === "table") return /^\s*\|?\s*[`*_-]*$/.test(before);
  return place === "list" && /^\s*(?:[-*+]|\d+[.)])\s+[`*_]*(?:async )?def \.$/.test(before);
}

function toNotice(
  change: ChangeModel,
  { page, line, index }: Mention,
  fitting: readonly MemberRename[],
  listed: boolean,
): Notice {
  const rename = fitting[0]!;
  const start = page.read().lines[line]!.start + page.tokens(line)[index]!.start;
  const dotted = page.tokens(line)[index - 1]?.text === ".";
  return {
    page,
    line,
    endLine: line,
    tier: dotted || listed ? "likely" : "possible",
    kind: "rename",
    message: { what: "member", old: rename.old, new: rename.new },
    evidence: evidenceOf(
      change,
      fitting.map(({ site }) => site),
    ),
    splice: { region: { start, end: start + rename.old.length }, text: rename.new },
  };
}
