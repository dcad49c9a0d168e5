import type { Block } from "../../../syntax/formats/document.ts";
import type { Region } from "../../../text/model/region.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { namesOf, readStatements, type Statement } from "../../pages/statements.ts";
import type { Claim } from "../claim.ts";

/** A name of a list, and the stretch of the page that goes with it: its row, its item, its word. */
export type Entry = {
  readonly name: string;
  /** The name as it is written. */
  readonly at: Region;
  /** The whole entry. */
  readonly region: Region;
};

/** A table, a list, a run of headings or an enumeration in a sentence: entries that name things of one kind. */
export type ListClaim = Claim & {
  readonly form: "table" | "items" | "headings" | "inline";
  readonly entries: readonly Entry[];
  /** The headings, the paragraph or the sentence before the list, the nearest first. */
  readonly context: readonly Region[];
  /** The words around it say that there are more: "such as", "for example", "and so on". */
  readonly isOpen?: true;
};

/** The lists of a page that may name every member of something. */
export function readLists(page: DocumentPage): readonly ListClaim[] {
  const known = read.get(page);
  if (known) return known;
  const lists = [...readBlocks(page), ...readStatements(page).flatMap(readInline)];
  read.set(page, lists);
  return lists;
}

const read = new WeakMap<DocumentPage, readonly ListClaim[]>();

const FEWEST = 3;

type Group = { readonly form: ListClaim["form"]; readonly first: number; readonly entries: Entry[] };

/** Rows of one table, items of one list, headings of one depth below one heading. */
function readBlocks(page: DocumentPage): ListClaim[] {
  const { blocks } = page.outline();
  const groups = new Map<string, Group>();
  let list = 0;
  blocks.forEach((block, at) => {
    const isItem = block.kind === "list-item" || block.kind === "definition";
    if (!isItem && (block.parent === undefined || block.kind === "heading")) list = at;
    const form = block.kind === "table-row" ? "table" : block.kind === "heading" ? "headings" : "items";
    const entry =
      isItem || block.kind === "heading" || (block.kind === "table-row" && !block.header)
        ? readEntry(page, block, at)
        : isTermOf(page, block)
          ? readTerm(page, block)
          : null;
    if (entry === null) return;
    const key =
      form === "table"
        ? `table ${block.table}`
        : form === "headings"
          ? `headings ${block.depth} ${outerOf(blocks, at)}`
          : `items ${block.section} ${block.parent ?? ""} ${block.depth ?? ""} ${isItem ? list : "terms"}`;
    const group = groups.get(key) ?? { form, first: at, entries: [] };
    groups.set(key, group);
    group.entries.push(entry);
  });
  return [...groups.values()].flatMap(({ form, first, entries }) =>
    entries.length < FEWEST ? [] : [toClaim(page, form, entries, contextOf(blocks, first))],
  );
}

function toClaim(
  page: DocumentPage,
  form: ListClaim["form"],
  entries: readonly Entry[],
  context: readonly Region[],
): ListClaim {
  const region = { start: entries[0]!.region.start, end: entries.at(-1)!.region.end };
  const open = isOpen(page, form === "inline" ? region : context[0], form) ? { isOpen: true as const } : {};
  return { page, region, words: region, form, entries, context, ...open };
}

/** Whether the words before or behind an enumeration, or above a list, say that it is not complete. */
function isOpen({ text }: DocumentPage, region: Region | undefined, form: ListClaim["form"]): boolean {
  if (!region) return false;
  if (form !== "inline")
    return EXAMPLES.test(
      text
        .slice(region.start, region.end)
        .split(/[.!?]\s/)
        .at(-1)!,
    );
  const before = text.slice(Math.max(0, region.start - 60), region.start);
  return (
    new RegExp(`${EXAMPLES.source}[^.;]{0,20}$`, "i").test(before) ||
    MORE.test(text.slice(region.end, region.end + 30))
  );
}

const EXAMPLES =
  /\b(?:such as|for example|for instance|e\.g\.|including|includes|like|among (?:them|others)|some of)/i;
const MORE = /^[\s,]*(?:etc\b|…|\.\.\.|and (?:so on|so forth|more\b|others\b|similar))/i;

/** The name that opens a row, an item or a heading. */
function readEntry(page: DocumentPage, block: Block, at: number): Entry | null {
  const { blocks } = page.outline();
  const head = block.kind === "table-row" ? blocks[at + 1]?.content : block.content;
  if (!head) return null;
  const isHeading = block.kind === "heading";
  const text = page.text.slice(head.start, Math.min(head.end, head.start + LONGEST));
  const line = text.split("\n", 1)[0]!;
  const match = (isHeading ? HEADING : block.kind === "table-row" ? CELL : ITEM).exec(line);
  const code = match?.[1] ?? match?.[2];
  const name =
    code === undefined ? null : firstName(code, head.start + match!.index + match![0].indexOf(code));
  return name && { ...name, region: lineRegion(page, block.region) };
}

const LONGEST = 300;
const ITEM = /^(?:\*\*|__|\[)?`([^`]+)`/;
const CELL = /^(?:\*\*|__|\[)*`?([^`|*]+?)`?(?:\]\([^)]*\))?(?:\*\*|__)?\s*$|^(?:\*\*|\[)*`([^`]+)`/;
const HEADING = /^(?:[\w$]+[.#])*`?((?:--?)?[\p{L}_$][\w$.-]*)`?\??(?:\(.*)?`?$/u;

function firstName(code: string, start: number): { readonly name: string; readonly at: Region } | null {
  const flags = namesOf(code, start).filter(({ isFlag }) => isFlag);
  const long = flags.find(({ region }) => region.end - region.start > 1) ?? flags[0];
  const [first] = namesOf(code, start);
  const named = long ?? (/^[\w$."'@:<>[\]()-]+(?:[ =(<:,].*)?$/.test(code) ? first : undefined);
  return named ? { name: named.name, at: named.region } : null;
}

/** The lines of a block, without the last line ending. */
function lineRegion({ text }: DocumentPage, { start, end }: Region): Region {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const last = text.slice(from, end).trimEnd().length + from;
  const next = text.indexOf("\n", last);
  return { start: from, end: next < 0 ? text.length : next };
}

/** A paragraph that is a term and what it means, `name` above `: words`. */
function isTermOf({ text }: DocumentPage, { kind, content }: Block): boolean {
  return (
    kind === "paragraph" && /^`?[\w.-]+`?\r?\n\s*:\s/.test(text.slice(content.start, content.start + LONGEST))
  );
}

function readTerm(page: DocumentPage, { content, region }: Block): Entry | null {
  const match = /^`?([\w.-]+)/.exec(page.text.slice(content.start, content.end))!;
  const start = content.start + match[0].length - match[1]!.length;
  return {
    name: match[1]!,
    at: { start, end: start + match[1]!.length },
    region: lineRegion(page, region),
  };
}

/** The heading of smaller depth above a heading. */
function outerOf(blocks: readonly Block[], at: number): number {
  const depth = blocks[at]!.depth ?? 0;
  let outer = blocks[at]!.section;
  while (outer >= 0 && (blocks[outer]!.depth ?? 0) >= depth) outer = blocks[outer]!.section;
  return outer;
}

/** The paragraph above a list and the headings over it. */
function contextOf(blocks: readonly Block[], at: number): Region[] {
  const found: Region[] = [];
  const depth = blocks[at]!.kind === "heading" ? (blocks[at]!.depth ?? 0) : Number.POSITIVE_INFINITY;
  for (let above = at - 1; above >= 0 && blocks[above]!.kind !== "heading"; above--)
    if (blocks[above]!.kind === "paragraph" && blocks[above]!.parent === blocks[at]!.parent) {
      found.push(blocks[above]!.content);
      break;
    }
  for (let outer = blocks[at]!.section, below = depth; outer >= 0; outer = blocks[outer]!.section) {
    if ((blocks[outer]!.depth ?? 0) >= below) continue;
    below = blocks[outer]!.depth ?? 0;
    found.push(blocks[outer]!.content);
  }
  return found;
}

/** `a`, `b` and `c`: two or more words in code with only a comma, a bar, "or" or "and" between them. */
function readInline(statement: Statement): ListClaim[] {
  const { page, region, place, names, leads, headings } = statement;
  if (place === "signature" || (place === "code" && !/["'] *\| *["']/.test(textOf(page, region)))) return [];
  const text = textOf(page, region);
  const found: ListClaim[] = [];
  let run: Entry[] = [];
  const close = (): void => {
    if (run.length > 1) {
      const first = run[0]!;
      const before = names
        .filter(({ region: { end } }) => end <= first.region.start)
        .map((one) => one.region);
      found.push(toClaim(page, "inline", run, [...before, ...leads.map((one) => one.region), ...headings]));
    }
    run = [];
  };
  for (const match of text.matchAll(WORD)) {
    const start = region.start + match.index;
    const name = match[1] ?? match[2]!;
    const at = start + match[0].indexOf(name);
    const entry = {
      name: name.replace(/^-+/, ""),
      at: { start: at, end: at + name.length },
      region: { start, end: start + match[0].length },
    };
    const last = run.at(-1);
    if (last && !JOINT.test(page.text.slice(last.region.end, start))) close();
    run.push(entry);
  }
  close();
  const taken = found.map(({ region: { start } }) => start);
  return [...found, ...readChoices(statement).filter(({ region: { start } }) => !taken.includes(start))];
}

/** `[possible values: a, b]`, `{a,b}`, "choices: a | b": words without marks that the line calls the choices. */
function readChoices({ page, region, names, leads, headings }: Statement): ListClaim[] {
  return [...textOf(page, region).matchAll(CHOICES)].flatMap((match) => {
    const list = match[1] ?? match[2]!;
    const from = region.start + match.index + match[0].lastIndexOf(list);
    const entries = Array.from(list.matchAll(/[\w.+-]+/g), ({ 0: name, index }) => {
      const at = { start: from + index, end: from + index + name.length };
      return { name, at, region: at };
    });
    const before = names.filter(({ region: { end } }) => end <= from).map((one) => one.region);
    const context = [...before, ...leads.map((one) => one.region), ...headings];
    return entries.length > 1 ? [toClaim(page, "inline", entries, context)] : [];
  });
}

const CHOICES =
  /\b(?:possible values|allowed values|choices|one of):\s*([\w.+-]+(?:\s*[,|]\s*[\w.+-]+)+)|\{([\w.+-]+(?:,[\w.+-]+)+)\}/gi;

function textOf({ text }: DocumentPage, { start, end }: Region): string {
  return text.slice(start, end);
}

const WORD = /``?["']?([\w@.:/+-]+)["']?``?|(?<![\w"])"([\w.:/-]+)"(?![\w"])/g;
const JOINT = /^(?:\s*(?:,|\\?\||\/)\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+)$/;
