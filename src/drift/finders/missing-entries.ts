import { type Addition, findAdditions, foldedSiblings, readDeclarations } from "../change/additions.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { type Definition, type DefinitionGroup, findDefinitionGroups } from "../change/definitions.ts";
import { fold, inStyle, isCommon, partsOf } from "../change/names.ts";
import { tokenise } from "../change/tokens.ts";
import type { Notice } from "../findings.ts";
import { createPageFinder } from "../pages/mentions.ts";
import { writeRow } from "../pages/new-entry.ts";
import { pageOwners } from "../pages/owners.ts";
import { findAddedThings } from "../surface/added-things.ts";

const FEWEST = 3;
const SHARE = 0.5;
const NEAREST = 4;
const ALMOST = 0.8;

/**
 * The change declares something beside its siblings, and a table, a list or a run of headings has the siblings but not
 * the new name. Likely if half of the siblings have entries there and the page does not have the name.
 */
export async function findSiblings(change: ChangeModel): Promise<Notice[]> {
  const additions = (await collectAdditions(change)).filter(
    (addition) => !isNewName(change, addition) && isOfTheirKind(addition),
  );
  if (!additions.length) return [];
  const groups = new Map<DocumentPage, DefinitionGroup[]>();
  const words = new Map<DocumentPage, ReadonlySet<string>>();
  const spelt = createSpelling(additions);
  const notices: Notice[] = [];
  for (const addition of additions) {
    const siblings = foldedSiblings(addition);
    const fitting: GroupMatch[] = [];
    for (const page of change.pages) {
      if (!mayList(spelt(page), addition)) continue;
      let known = groups.get(page);
      if (!known) {
        known = findDefinitionGroups(page);
        groups.set(page, known);
      }
      if (!known.length || knows(page, addition.name, words)) continue;
      for (const group of known) {
        const share = shareOf(group, addition, siblings);
        if (share > 0) fitting.push({ group, share, owned: isOwned(group, addition) });
      }
    }
    for (const group of chooseGroups(fitting))
      notices.push({
        ...toNotice(change, addition, group, new Set(siblings)),
      });
  }
  return notices;
}

const MOST = 60;

/** The additions by the lines of the change and by the surface; each name of a file once. */
async function collectAdditions(change: ChangeModel): Promise<Addition[]> {
  const declared = findAdditions(change.comparisons).slice(0, MOST);
  const known = new Set(declared.map(({ path, name }) => `${path}\0${fold(name)}`));
  const added: Addition[] = [];
  for (const addition of findAddedThings(change, await change.surface())) {
    if (added.length === MOST) break;
    if (!known.has(`${addition.path}\0${fold(addition.name)}`)) added.push(addition);
  }
  return [...declared, ...added];
}

const CONSTANT = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;

/** A constant is no entry of a list whose other entries are no constants. */
function isOfTheirKind({ name, siblings }: Addition): boolean {
  return !CONSTANT.test(name) || siblings.some((sibling) => CONSTANT.test(sibling.name));
}

/** Whether the addition is the new name of a rename: a rename adds nothing. */
function isNewName(change: ChangeModel, { path, line, name }: Addition): boolean {
  const pairs = change.comparisons.filter((file) => file.path === path).flatMap(({ rewrites }) => rewrites);
  const was = pairs.flatMap(({ pairs }) => pairs).find((pair) => pair.new.number === line.number)?.old.text;
  if (was === undefined) return false;
  const old = readDeclarations([was]).nameAt(0);
  if (old === undefined || old === name || change.usage(old).after > 0) return false;
  return was.replace(old, "") === line.text.replace(name, "");
}

type GroupMatch = { readonly group: DefinitionGroup; readonly share: number; readonly owned: boolean };

/** The groups for these siblings: the best one, and groups of another kind that have nearly all siblings. */
function chooseGroups(fitting: readonly GroupMatch[]): DefinitionGroup[] {
  const best = chooseGroup(fitting);
  if (!best) return [];
  const { share } = fitting.find(({ group }) => group === best)!;
  const others = fitting.filter(
    (fit) =>
      fit.group !== best &&
      fit.group.page === best.page &&
      fit.group.kind !== best.kind &&
      (fit.group.kind !== "keys" || fit.owned) &&
      fit.share >= share * ALMOST,
  );
  return [best, ...others.slice(0, 1).map(({ group }) => group)];
}

/** The best group for these siblings: by owner first, else by clearly the largest share. */
function chooseGroup(fitting: readonly GroupMatch[]): DefinitionGroup | null {
  const owned = fitting.filter((fit) => fit.owned);
  const ranked = [...(owned.length ? owned : fitting)].sort((a, b) => b.share - a.share);
  const [first, second] = ranked;
  if (!first || (first.group.kind === "keys" && !first.owned)) return null;
  if (!second || first.share >= second.share * 1.2) return first.group;
  const ofTwoKinds = first.group.kind !== second.group.kind;
  return ofTwoKinds && (first.owned || first.group.page === second.group.page) ? first.group : null;
}

/** Whether the section of the group names the code that encloses the addition. */
function isOwned({ page, first }: DefinitionGroup, { owners, siblings }: Addition): boolean {
  const { headings, stem, introduction } = pageOwners(page, first);
  const beside = new Set(siblings.map(({ name }) => fold(name)));
  const about = new Set(
    [...headings, ...stem, ...introduction].filter(
      (name) => name.length > 3 && !isCommon(name) && !beside.has(name),
    ),
  );
  return owners.some(
    (name) => about.has(name) || about.has(name.replace(/(config|options|settings|args|props)$/, "")),
  );
}

/** The sibling names of all additions that a page contains, found in one pass. */
function createSpelling(additions: readonly Addition[]): (page: DocumentPage) => ReadonlySet<string> {
  const names = additions.flatMap(({ siblings }) => siblings.map(({ name }) => name));
  const find = createPageFinder(new Set(names.flatMap(spellings)));
  const known = new Map<DocumentPage, ReadonlySet<string>>();
  return (page) => {
    const names = known.get(page) ?? new Set(find(page).map(({ name }) => fold(name)));
    known.set(page, names);
    return names;
  };
}

/** A name of the code as pages may write it: a field `MaxConns` is the flag `--max-conns` and the key `max_conns`. */
function spellings(name: string): string[] {
  const parts = partsOf(name);
  return [name, ...(["camel", "snake", "kebab"] as const).map((style) => inStyle(parts, style))];
}

/** A page with fewer than three of the siblings cannot list them. */
function mayList(spelt: ReadonlySet<string>, { siblings }: Addition): boolean {
  let found = 0;
  for (const { name } of siblings.slice(0, 200)) if (spelt.has(fold(name)) && ++found >= FEWEST) return true;
  return false;
}

function knows(page: DocumentPage, name: string, words: Map<DocumentPage, ReadonlySet<string>>): boolean {
  let known = words.get(page);
  if (!known) {
    const names = tokenise(page.text).filter((token) => token.kind === "name");
    known = new Set(names.map((token) => fold(token.text)));
    words.set(page, known);
  }
  return known.has(fold(name));
}

/** The share of the siblings in the group, from 0 to 1; 0 unless it has the nearest one and mostly siblings. */
function shareOf({ entries }: DefinitionGroup, addition: Addition, siblings: readonly string[]): number {
  const names = new Set(entries.map(({ name }) => name));
  const near = nearest(addition).filter((name) => names.has(name)).length;
  const shared = siblings.filter((name) => names.has(name)).length;
  const size = new Set(entries.map(({ line }) => line)).size;
  if (near < FEWEST || near < nearest(addition).length * SHARE || shared < size * SHARE) return 0;
  return near / nearest(addition).length + shared / size;
}

/** Folded names of the siblings directly before and after the addition in the code. */
function nearest({ siblings, line }: Addition): string[] {
  const before = siblings.filter((one) => one.line < line.number).slice(-NEAREST);
  const after = siblings.filter((one) => one.line > line.number).slice(0, NEAREST);
  return [...new Set([...before, ...after].map(({ name }) => fold(name)))];
}

function toNotice(
  change: ChangeModel,
  addition: Addition,
  group: DefinitionGroup,
  siblings: ReadonlySet<string>,
): Notice {
  const entry = group.kind === "table" ? writeEntry(change, addition, group, siblings) : null;
  const [line, endLine] = entry?.lines ?? placeOf(addition, group, siblings);
  return {
    page: group.page,
    line,
    endLine,
    tier: "likely",
    kind: "sibling",
    message: { what: "missing", new: addition.name, owner: group.kind },
    evidence: [
      {
        path: addition.path,
        revision: change.input.head,
        startLine: addition.line.number,
        endLine: addition.line.number,
        after: addition.line.text,
      },
    ],
    ...(entry ? { splice: entry.splice } : {}),
  };
}

/** The missing row, after the row of the previous sibling, if the code has the content of every cell. */
function writeEntry(
  change: ChangeModel,
  addition: Addition,
  group: DefinitionGroup,
  siblings: ReadonlySet<string>,
): { splice: NonNullable<Notice["splice"]>; lines: [number, number] } | null {
  const previous = previousEntry(addition, group, siblings);
  if (!previous || !siblings.has(previous.name)) return null;
  const file = change.comparisons.find(({ path }) => path === addition.path);
  const row = writeRow({ page: group.page, header: group.first, model: previous.line }, addition, file);
  if (row === null) return null;
  const { start, text } = group.page.read().lines[previous.line]!;
  const end = start + text.length;
  const ending = group.page.text.includes("\r\n") ? "\r\n" : "\n";
  return {
    splice: { region: { start: end, end }, text: `${ending}${row}` },
    lines: [previous.line, previous.line],
  };
}

/** The lines to report: a whole table or list, or the gap between two headings in the code's order. */
function placeOf(
  addition: Addition,
  group: DefinitionGroup,
  siblings: ReadonlySet<string>,
): [number, number] {
  if (group.kind !== "headings") return [group.first, group.last];
  const previous = previousEntry(addition, group, siblings);
  const next = group.entries.find(({ line }) => line > (previous?.line ?? -1));
  const seam = next ? next.line : group.last;
  return [previous?.line ?? Math.max(0, seam - 1), seam];
}

/** The entry before the new one: alphabetically if the group is sorted, else by the code's order. */
function previousEntry(
  addition: Addition,
  group: DefinitionGroup,
  siblings: ReadonlySet<string>,
): Definition | undefined {
  if (isSorted(group)) return group.entries.findLast(({ name }) => name < fold(addition.name));
  const known = group.entries.filter(({ name }) => siblings.has(name));
  return addition.siblings
    .filter(({ line }) => line < addition.line.number)
    .map(({ name }) => known.find((entry) => entry.name === fold(name)))
    .findLast(Boolean);
}

function isSorted({ entries }: DefinitionGroup): boolean {
  const inOrder = entries.filter(({ name }, index) => index > 0 && entries[index - 1]!.name <= name).length;
  return entries.length > 4 && inOrder >= (entries.length - 1) * 0.85;
}
