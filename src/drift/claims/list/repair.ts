import type { Region } from "../../../text/model/region.ts";
import { fold } from "../../change/names.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Member, Membership } from "./members.ts";
import type { Entry, ListClaim } from "./read.ts";

/** How the members of an owner changed, seen from a list of them. */
export type ListChange = {
  readonly was: Membership;
  readonly is: Membership;
  readonly lost: readonly Entry[];
  readonly added: readonly Member[];
  /** The page names the owner. */
  readonly isNamed: boolean;
};

/** The entry of the member before a new one in the code. */
export function previousEntry(
  entries: readonly Entry[],
  added: Member,
  { members }: Membership,
): Entry | undefined {
  const before = members.slice(0, members.indexOf(added)).toReversed();
  for (const { names } of before) {
    const entry = entries.findLast(({ name }) => names.includes(fold(name)));
    if (entry) return entry;
  }
  return undefined;
}

type EntryRepair = { readonly region: Region; readonly text: string };

/** The list without the lost entries and with the new ones in the form of their neighbours; null where a person writes. */
export function repairOf(claim: ListClaim, change: ListChange): EntryRepair | null {
  if (claim.form === "inline") return repairInline(claim, change);
  if (claim.form === "headings") return null;
  const { lost, added, was } = change;
  if (lost.length > 0) {
    const gone = was.members.find(({ names }) => names.includes(fold(lost[0]!.name)));
    // A member of the same type in the place of another may be a rename, which keeps the words of the entry.
    const mayBeRenamed = added.some(({ thing }) => thing.type === gone?.thing.type);
    return mayBeRenamed ? null : cutEntries(claim, lost);
  }
  return added.length === 1 ? addEntry(claim, added[0]!, change.is) : null;
}

function cutEntries({ page, form, entries }: ListClaim, lost: readonly Entry[]): EntryRepair | null {
  if (lost.length !== 1) return null;
  const [{ region }] = lost as [Entry];
  const text = page.text.slice(region.start, region.end);
  if (text.includes("\n") || (form === "items" && !/^\s*(?:[-*+]|\d+[.)])\s/.test(text))) return null;
  if (entries.filter((entry) => entry.region.start === region.start).length > 1) return null;
  const end = Math.min(page.text.length, region.end + 1);
  return { region: { start: region.start, end }, text: "" };
}

function addEntry(claim: ListClaim, member: Member, is: Membership): EntryRepair | null {
  const { page, entries, form } = claim;
  const previous = previousEntry(entries, member, is);
  if (!previous) return null;
  const model = page.text.slice(previous.region.start, previous.region.end);
  const line =
    form === "table"
      ? writeRow(claim, previous, member.thing)
      : writeItem(model, previous, member.thing, page.text);
  if (line === null) return null;
  const { end } = previous.region;
  const at = page.text[end - 1] === "\r" ? end - 1 : end;
  return { region: { start: at, end: at }, text: `${page.text.includes("\r\n") ? "\r\n" : "\n"}${line}` };
}

/** `- `name`: what it is`, with the description of the declaration. */
function writeItem(model: string, { at, region }: Entry, thing: Thing, page: string): string | null {
  if (model.includes("\n")) return null;
  const before = page.slice(region.start, at.start);
  const rest = page.slice(at.end, region.end).trimEnd();
  const mark = /^[`"'*\])]*/.exec(rest)![0];
  const joint = /^\s*(?::| [–—-]|\s[–—-]) +/.exec(rest.slice(mark.length))?.[0];
  const name = `${before}${plainName(thing.name)}${mark}`;
  if (rest.length === mark.length) return name;
  if (!joint || !thing.description) return null;
  return `${name}${joint}${inCaseOf(rest.slice(mark.length + joint.length), thing.description)}`;
}

/** A description that begins and ends as its neighbour does. */
function inCaseOf(model: string, description: string): string {
  const text = description.trim().replace(/\s+/g, " ");
  const isSmall = /^\p{Ll}/u.test(model) && /^\p{Lu}\p{Ll}/u.test(text);
  const opened = isSmall ? text[0]!.toLowerCase() + text.slice(1) : text;
  if (/\.$/.test(model)) return /[.!?]$/.test(opened) ? opened : `${opened}.`;
  return opened.replace(/(?<!\.)\.$/, "");
}

type Column = "name" | "type" | "default" | "meaning";

const COLUMNS: readonly (readonly [Column, RegExp])[] = [
  [
    "name",
    /^(?:option|name|key|field|property|prop|parameter|param|setting|argument|flag|variable|value)s?$/i,
  ],
  ["type", /^types?$/i],
  ["default", /^defaults?(?: values?)?$/i],
  ["meaning", /^(?:description|meaning|purpose|notes?|use|usage|what it does|effect|explanation)$/i],
];

/** A row in the format of the row before it; null if a column is not understood or the code does not have its content. */
function writeRow({ page, entries }: ListClaim, previous: Entry, thing: Thing): string | null {
  const above = page.text.slice(0, entries[0]!.region.start).split("\n");
  const titles = cellsOf(above.at(-3) ?? "");
  const model = page.text.slice(previous.region.start, previous.region.end);
  const cells = cellsOf(model);
  if (!titles || titles.length !== cells?.length || !/^[\s|:-]+$/.test(above.at(-2) ?? "")) return null;
  const columns = titles.map((title) => COLUMNS.find(([, shape]) => shape.test(title.trim()))?.[0]);
  if (columns[0] !== "name" || new Set(columns).size !== columns.length) return null;
  const row: string[] = [];
  for (const [at, column] of columns.entries()) {
    const like = cells[at]!.trim();
    const fact = column && factOf(column, thing, like);
    if (!fact || !like || (column === "name" && !/^`?(?:--)?[\w$.-]+`?$/.test(like))) return null;
    const marked = column !== "meaning" && /^`.*`$/.test(like) ? `\`${fact}\`` : fact;
    row.push(` ${marked.replace(/(?<!\\)\|/g, "\\|")} `.padEnd(cells[at]!.length));
  }
  return `${/^\s*/.exec(model)![0]}|${row.join("|")}|`;
}

function factOf(
  column: Column,
  { name, kind, type, value, description }: Thing,
  like: string,
): string | undefined {
  switch (column) {
    case "name":
      return kind === "flag" && !/^`?-/.test(like) ? plainName(name) : name;
    case "type":
      return type;
    case "default":
      return value !== undefined && SIMPLE.test(value) ? value : undefined;
    case "meaning":
      return description && inCaseOf(like, description.split(/\s@\w+/)[0]!);
  }
}

const SIMPLE = /^(?:-?\d[\w.]*|true|false|null|None|True|False|"[^"]*"|'[^']*')$/;
const LONGEST = 1000;

function cellsOf(text: string): string[] | null {
  if (text.length > LONGEST) return null;
  const inside = /^\s*\|(.*)\|\s*$/.exec(text)?.[1];
  return inside === undefined ? null : inside.split(/(?<!\\)\|/);
}

/** A sentence that would get more members has to be written anew. */
const MOST_ADDED = 12;

/** The enumeration with the members of now: lost words out, or replaced in their place; new ones in the order of the code. */
function repairInline(claim: ListClaim, { lost, added, is, was }: ListChange): EntryRepair | null {
  const { page, entries, region } = claim;
  if (added.length > MOST_ADDED) return null;
  const first = entries[0]!;
  const open = page.text.slice(first.region.start, first.at.start);
  const close = page.text.slice(first.at.end, first.region.end);
  const isAlike = entries.every(
    (entry) =>
      page.text.slice(entry.region.start, entry.at.start) === open &&
      page.text.slice(entry.at.end, entry.region.end) === close,
  );
  const joints = entries
    .slice(1)
    .map((entry, at) => page.text.slice(entries[at]!.region.end, entry.region.start));
  const last = joints.at(-1)!;
  const between = joints.length > 1 ? joints[0]! : /or|and/.test(last) ? ", " : last;
  if (!isAlike || joints.slice(0, -1).some((joint) => joint !== between)) return null;
  const written = new Map(
    entries.map((entry) => [fold(entry.name), page.text.slice(entry.at.start, entry.at.end)]),
  );
  const words: string[] = entries
    .filter((entry) => !lost.includes(entry))
    .map(({ name }) => written.get(fold(name))!);
  for (const member of added) {
    const word = spell(member, claim, was);
    if (word === null) return null;
    const at = is.members.indexOf(member);
    const before = is.members.slice(0, at).toReversed();
    const after = before
      .map(({ names }) => words.findIndex((one) => names.includes(fold(one))))
      .find((one) => one >= 0);
    words.splice(after === undefined ? 0 : after + 1, 0, word);
  }
  if (words.length < 2) return null;
  const marked = words.map((word) => `${open}${word}${close}`);
  const end = words.length === 2 ? last.replace(/^\s*,(?=\s+(?:or|and)\s)/, "") : last;
  const text = `${marked.slice(0, -1).join(between)}${end}${marked.at(-1)}`;
  return page.text.slice(region.start, region.end) === text ? null : { region, text };
}

/** The new word as the others are written: the name, or the value that it stands for. */
function spell({ thing }: Member, { entries }: ListClaim, { members }: Membership): string | null {
  const stands = /^["'`](.+)["'`]$/.exec(thing.value ?? "")?.[1];
  const byValue = entries.every(({ name }) =>
    members.some(({ names }) => names.length > 1 && names[1] === fold(name)),
  );
  const plain = plainName(thing.name);
  const byName = entries.every(({ name }) => members.some((one) => plainName(one.thing.name) === name));
  if (byName) return plain;
  return byValue ? (stands ?? null) : null;
}
