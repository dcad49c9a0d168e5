import { defined } from "../../../text/model/defined.ts";
import type { Evidence } from "../../../text/model/edit.ts";
import type { Region } from "../../../text/model/region.ts";
import { boundTo } from "../../binding/bound-by.ts";
import type { ChangeModel } from "../../change/change-model.ts";
import { fold } from "../../change/names.ts";
import { tokenise } from "../../change/tokens.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import type { State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import {
  findMemberships,
  type Member,
  type Membership,
  readMemberships,
  sameMembership,
  spellings,
} from "./members.ts";
import { type ListClaim, readLists } from "./read.ts";
import { type ListChange, previousEntry, repairOf } from "./repair.ts";

export const list: Kind<"list", ListClaim> = {
  name: "list",
  docs: "A table or a list that named every member of something lacks a new one, or has one that is gone.",
  mayEdit: true,
  rules: ["enumeration", "sibling"],
  formerly: { enumerations: "enumeration", siblings: "sibling" },
  read: readLists,
  names: ({ entries }) => entries.slice(0, 12).flatMap(({ name }) => spellings(name)),
  touched: findTouched,
  judge,
  evaluate,
};

const FEWEST = 3;

/** The lists that name members of an owner that gained or lost one. */
async function findTouched({ input, pages }: ChangeModel, { base, head }: States): Promise<ListClaim[]> {
  const changed: ChangedOwner[] = [];
  const words = new Set<string>();
  for (const { path, from } of input.files) {
    const before = await readMemberships(from ?? path, base);
    const after = new Map((await readMemberships(path, head)).map((one) => [one.id, one]));
    for (const owner of before) {
      const now = after.get(owner.id);
      if (owner.members.length > 1 && (!now || printMembers(owner) !== printMembers(now))) {
        changed.push(changedOwner(owner, now));
        for (const { thing, names } of owner.members)
          for (const word of [plainName(thing.name), ...names])
            for (const one of spellings(word)) words.add(one);
      }
    }
  }
  if (changed.length === 0) return [];
  const find = createPageFinder([...words]);
  const owners = Map.groupBy(
    changed.flatMap((owner) => [...owner.names].map((name) => ({ name, owner }))),
    ({ name }) => name,
  );
  return pages
    .filter((page) => mayList(new Set(find(page).map(({ name }) => fold(name))), owners))
    .flatMap((page) =>
      readLists(page).filter(({ entries }) => {
        const named = entries.map(({ name }) => fold(name));
        return changed.some(({ names }) => named.filter((name) => names.has(name)).length > 1);
      }),
    );
}

/** An owner that gained or lost members: all their names, those that are lost, and what a complete list has. */
type ChangedOwner = {
  readonly names: ReadonlySet<string>;
  readonly lost: ReadonlySet<string>;
  readonly required: readonly Member[];
};

function changedOwner({ members }: Membership, now: Membership | undefined): ChangedOwner {
  const names = new Set(members.flatMap((member) => member.names));
  const kept = new Set(now?.members.flatMap((member) => member.names));
  return {
    names,
    lost: new Set([...names].filter((name) => !kept.has(name))),
    required: members.filter(({ thing }) => thing.deprecated === undefined),
  };
}

/**
 * Whether the words of a page can be a list that the change made false: two members of which one is lost, or all that a
 * complete list has. Most pages hold a word that is some member's name.
 */
function mayList(
  words: ReadonlySet<string>,
  owners: ReadonlyMap<string, readonly { readonly owner: ChangedOwner }[]>,
): boolean {
  const named = new Map<ChangedOwner, number>();
  for (const word of words)
    for (const { owner } of owners.get(word) ?? []) named.set(owner, (named.get(owner) ?? 0) + 1);
  return [...named].some(
    ([{ lost, required }, count]) =>
      count > 1 &&
      ([...lost].some((name) => words.has(name)) ||
        required.every(({ names }) => names.some((name) => words.has(name)))),
  );
}

function printMembers({ members }: Membership): string {
  return members
    .map(({ names }) => names.join("="))
    .sort()
    .join("\0");
}

async function judge(claim: ListClaim, { base, head }: PastStates): Promise<Drift<ListClaim> | null> {
  if (!base) return null;
  const bound = chooseOwners(claim, await findMemberships(namesIn(claim), base));
  const changes: ListChange[] = [];
  for (const { was, isComplete, isNamed } of bound) {
    const is = await sameMembership(was, head);
    const changed = is && (await compare(claim, { was, is, isComplete, head }));
    // Of several owners with these members, one still has them: the page may mean that one.
    if (!changed) return null;
    changes.push({ ...changed, isNamed });
  }
  const [first] = changes;
  if (!first || changes.some((other) => printChange(other) !== printChange(first))) return null;
  return toDrift(claim, first, { base, head });
}

function printChange({ lost, added }: ListChange): string {
  return [...lost.map(({ name }) => `-${name}`), ...added.map(({ names }) => `+${names[0]}`)].join(" ");
}

type BoundList = { readonly was: Membership; readonly isComplete: boolean; readonly isNamed: boolean };

/** The owners whose members the list names: those that the page itself names, if there are any. */
function chooseOwners(claim: ListClaim, owners: readonly Membership[]): BoundList[] {
  const words = contextWords(claim);
  const found = owners.flatMap((was) => {
    const isNamed = isOwnerNamed(was, words);
    const fit = fits(claim, was, isNamed);
    return fit === null ? [] : [{ was, isNamed, isComplete: fit === "complete" }];
  });
  const complete = found.filter(({ isComplete }) => isComplete);
  const named = (complete.length > 0 ? complete : found).filter(({ isNamed }) => isNamed);
  return named.length > 0 ? named : complete.length > 0 ? complete : found;
}

/** Whether the list has every member, or has members only; null where it is about something else. */
function fits(
  { entries, form }: ListClaim,
  { members, kind, owner }: Membership,
  isNamed: boolean,
): "complete" | "part" | null {
  const named = new Set(entries.map(({ name }) => fold(name)));
  const isEntry = ({ names }: Member): boolean => names.some((name) => named.has(name));
  const listed = members.filter(isEntry);
  // Two names are a list only as the code spells them: a sentence about two types is none about settings of their names.
  const isSpelt = ({ thing }: Member): boolean => entries.some(({ name }) => name === plainName(thing.name));
  const least = form === "inline" && isNamed && listed.every(isSpelt) ? 2 : FEWEST;
  if (listed.length < least) return null;
  const required = members.filter(({ thing }) => thing.deprecated === undefined);
  const strangers = named.size - listed.length;
  // Names at the top of a file have no owner that a list could be about, unless it names them all and nothing else.
  const isWhole = form !== "inline" && strangers === 0 && required.every(isEntry);
  if (owner === "" && kind === "symbol" && !isNamed && !isWhole) return null;
  if (form === "inline" ? strangers > 0 : strangers * 2 > listed.length) return null;
  if (required.every(isEntry)) return "complete";
  return strangers === 0 && (isNamed || form === "table") ? "part" : null;
}

/** The folded words of the headings, the introduction and the name of the page. */
function contextWords({ page, context }: ListClaim): ReadonlySet<string> {
  const stem = page.path.slice(page.path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const texts = [...context.map(({ start, end }) => page.text.slice(start, end)), stem];
  return new Set(
    texts.flatMap((text) => [
      fold(text),
      ...tokenise(text).flatMap(({ kind, text: word }) => (kind === "name" ? [fold(word)] : [])),
    ]),
  );
}

function isOwnerNamed({ owner, path }: Membership, words: ReadonlySet<string>): boolean {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const name = fold(owner === "" ? file.replace(/\.\w+$/, "") : owner);
  const plain = name.replace(/(?:config|options|settings|args|props)$/, "");
  return words.has(name) || (plain.length > 2 && words.has(plain));
}

type Compared = {
  readonly was: Membership;
  readonly is: Membership;
  readonly isComplete: boolean;
  readonly head: State;
};

/** The entries that are gone and the members that the list lacks; null where it is as true as before or undecidable. */
async function compare(
  { page, entries, isOpen }: ListClaim,
  { was, is, isComplete, head }: Compared,
): Promise<Omit<ListChange, "isNamed"> | null> {
  const has = (members: readonly Member[], name: string): boolean =>
    members.some(({ names }) => names.includes(fold(name)));
  const lost = entries.filter(({ name }) => has(was.members, name) && !has(is.members, name));
  if (lost.length * 2 > entries.length) return null;
  for (const { name } of lost) if (await mayLiveOn(name, was, head)) return null;
  const named = new Set(entries.map(({ name }) => fold(name)));
  const before = new Set(was.members.flatMap(({ names }) => names));
  const fresh = is.members.filter(
    ({ thing, names }) =>
      thing.deprecated === undefined && !names.some((name) => named.has(name) || before.has(name)),
  );
  // A page that has the name elsewhere tells of it there.
  const told = lost.length === 0 && fresh.some(({ names }) => hasWord(page.text, names));
  const added = isComplete && !told && !isOpen ? fresh : [];
  return lost.length + added.length === 0 ? null : { was, is, lost, added };
}

/** Whether a lost member may be one of another owner now: inherited, embedded, moved. */
async function mayLiveOn(name: string, { kind, path }: Membership, head: State): Promise<boolean> {
  for (const word of spellings(name)) {
    const { things, unread } = await head.things(word);
    if (unread.length > 0 || things.some((thing) => roleOf(thing) === roleOf({ kind }))) return true;
  }
  if (roleOf({ kind }) !== "member")
    return (await head.surface(path)).some((thing) => thing.kind === kind && thing.open);
  const source = (await head.text(path)) ?? "";
  return hasWord(source, [fold(name)]);
}

function roleOf({ kind }: Pick<Thing, "kind">): string {
  return kind === "setting" || kind === "member" || kind === "parameter" ? "member" : kind;
}

function hasWord(text: string, folded: readonly string[]): boolean {
  return tokenise(text).some(({ kind, text: word }) => kind === "name" && folded.includes(fold(word)));
}

async function toDrift(
  claim: ListClaim,
  change: ListChange,
  states: { base: State; head: State },
): Promise<Drift<ListClaim>> {
  const { is, lost, added } = change;
  const repair = repairOf(claim, change);
  const isInline = claim.form === "inline";
  const names = claim.entries.map(({ name }) => name);
  return {
    claim,
    tier: tierOf(claim, change),
    message:
      lost.length > 0
        ? isInline && repair !== null
          ? { what: "rewritten", old: names.join(", "), new: printed(claim, change) }
          : { what: "removed", old: lost[0]!.name }
        : { what: "missing", new: plainName(added[0]!.thing.name), owner: claim.form },
    evidence: [await evidenceOf(change, states)],
    cause: `list:${is.id.replaceAll("\0", " ").trim()}:${printChange(change)}`,
    rule: isInline ? "enumeration" : "sibling",
    ...(repair === null ? { where: placeOf(claim, change) } : { where: repair.region, repair: repair.text }),
  };
}

/** The page names the owner, or its list is the owner's, no more and no less; a row that is gone needs no complete table. */
function tierOf({ entries }: ListClaim, { was, isNamed, added }: ListChange): Drift["tier"] {
  if (added.length === 0) return "likely";
  const listed = new Set(entries.map(({ name }) => fold(name)));
  const isWhole = was.members.length >= FEWEST && was.members.length === listed.size;
  return isNamed || isWhole ? "likely" : "possible";
}

function printed({ entries }: ListClaim, { lost, added }: ListChange): string {
  const kept = entries.filter((entry) => !lost.includes(entry)).map(({ name }) => name);
  return [...kept, ...added.map(({ thing }) => plainName(thing.name))].join(", ");
}

/** Where a person has to write: the entry that is gone, or the one after which the new one goes. */
function placeOf({ entries }: ListClaim, { lost, added, is }: ListChange): Region {
  if (lost.length > 0) return lost[0]!.region;
  return (previousEntry(entries, added[0]!, is) ?? entries.at(-1)!).region;
}

async function evidenceOf(
  { was, lost, added }: ListChange,
  { base, head }: { readonly base: State; readonly head: State },
): Promise<Evidence> {
  const gone =
    lost.length > 0 ? was.members.find(({ names }) => names.includes(fold(lost[0]!.name)))?.thing : undefined;
  const thing = added[0]?.thing ?? gone!;
  const state = added[0] ? head : base;
  const text = await state.line(thing.path, thing.line);
  return {
    path: thing.path,
    revision: state.revision,
    startLine: thing.line,
    endLine: thing.line,
    ...(added[0] ? { after: text } : { before: text }),
    ...defined({ before: added[0] && gone ? await base.line(gone.path, gone.line) : undefined }),
  };
}

async function evaluate(claim: ListClaim, state: State): Promise<Truth> {
  const words = contextWords(claim);
  const named = new Set(claim.entries.map(({ name }) => fold(name)));
  const owners = await findMemberships(namesIn(claim), state);
  const near = owners.filter(
    ({ members }) => members.filter(({ names }) => names.some((name) => named.has(name))).length > 1,
  );
  if (near.length === 0) return { is: "none", why: "the list is about nothing that the code declares" };
  const whole = near.find((owner) => {
    const isSame =
      owner.members.length === named.size &&
      owner.members.every(({ names }) => names.some((name) => named.has(name)));
    return isSame || fits(claim, owner, isOwnerNamed(owner, words)) !== null;
  });
  if (whole) return { is: "true", ...bindOwner(whole, words) };
  const [{ thing }] = near[0]!.members as [Member];
  const after = await state.line(thing.path, thing.line);
  return {
    is: "false",
    evidence: [
      { path: thing.path, revision: state.revision, startLine: thing.line, endLine: thing.line, after },
    ],
  };
}

/** The owner stands where its first member does. */
function bindOwner(was: Membership, words: ReadonlySet<string>): ReturnType<typeof boundTo> {
  const { owner, path, members } = was;
  const line = members[0]?.thing.line ?? 1;
  const by = isOwnerNamed(was, words) ? "section" : "closed owner";
  return boundTo([{ name: owner === "" ? path : owner, path, line }], by);
}

function namesIn({ entries }: ListClaim): string[] {
  return entries.map(({ name }) => name);
}
