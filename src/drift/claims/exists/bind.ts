import { parsedLanguageAt } from "../../../syntax/languages/registry.ts";
import { dropComments } from "../../../syntax/source/doc-comments.ts";
import type { BoundBy, Unbound } from "../../binding/bound-by.ts";
import { placeOf } from "../../binding/foreign.ts";
import { isOwn, OF_MODULE } from "../../binding/own-modules.ts";
import { chooseOwner } from "../../binding/owners.ts";
import { bindCall, bindVariable } from "../../calls/bind-call.ts";
import { type CodeSample, readSamples } from "../../calls/page-samples.ts";
import { fold } from "../../change/names.ts";
import { parentKeyAt, siblingKeysAt } from "../../pages/command-lines.ts";
import { isProduct, type State } from "../../state/state.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";
import { type ListClaim, readLists } from "../list/read.ts";
import type { NameClaim } from "./read.ts";

/** The things that a name can mean. The page is right as long as the project offers one of them. */
export type BoundNames = {
  readonly is: "bound";
  readonly things: readonly Thing[];
  /** A word is a text of the code, or a declaration that other code gives to readers: a value, a command, an event. */
  readonly by: BoundBy;
};

const FOREIGN: Unbound = { is: "none", why: "it belongs to another package or program" };
export const NOTHING: Unbound = { is: "none", why: "the project declares nothing of this name" };
export const WHOSE: Unbound = { is: "undecidable", why: "the page does not say whose name it is" };
const PAST: Unbound = { is: "undecidable", why: "the page tells of another time" };
const CROWD: Unbound = { is: "undecidable", why: "too many files may declare the name" };
const NO_MEMBER: Unbound = { is: "undecidable", why: "no such member of the type is read" };

/** The things of the project that a name means; none where it means something else, or may. */
export async function bindName(claim: NameClaim, base: State): Promise<BoundNames | Unbound> {
  const { named, statement, role, module } = claim;
  if (module !== undefined && !(await isOwn(module, base))) return FOREIGN;
  if (role === "feature") return bindFeature(claim, base);
  if (role === "flag" && (await isMadeByPage(claim))) return FOREIGN;
  const place = await placeOf(statement, named.region.start, named, base);
  if (place === "foreign" || (role === "command" && place !== "own" && !claim.isTold)) return FOREIGN;
  const called = await bindCallee(claim, base);
  if (called !== "not called") return called;
  const { things, unread } = await base.things(named.name);
  const isValue = isPassedOn(claim);
  const offered = things.filter(
    (thing) => isKnown(thing) && hasRole(thing, role) && !(isValue && thing.kind === "parameter"),
  );
  const held = await bindHeld(claim, offered, base);
  if (held !== "not held") return held;
  if (unread.length > 0) return CROWD;
  if (offered.length > 0 && offered.every(({ kind }) => kind === "environment") && isFilledIn(claim))
    return FOREIGN;
  if (offered.length === 0) return (await bindWord(claim, things, base)) ?? NOTHING;
  if (role === "program" || role === "command" || (place === "own" && role === "flag"))
    return { is: "bound", things: offered, by: "command" };
  return named.owner.length > 0
    ? bindOwned(claim, offered, base)
    : ((await bindListed(claim, offered, base)) ??
        (await bindEntry(claim, offered, base)) ??
        (await bindPlain(claim, offered, base)));
}

/** An extra of a package of the project. */
async function bindFeature({ named, role }: NameClaim, base: State): Promise<BoundNames | Unbound> {
  const packages = (await base.things(named.owner[0]!)).things.filter(({ kind }) => kind === "package");
  if (packages.length === 0) return FOREIGN;
  const things = (await base.things(named.name)).things.filter((thing) => hasRole(thing, role));
  return things.length > 0 ? { is: "bound", things, by: "qualified" } : NOTHING;
}

/** Whether a sample hands a variable over: `**options`, `...rest`. Its name is the reader's, whatever a parameter is called. */
function isPassedOn({ page, region, statement }: NameClaim): boolean {
  return (
    statement.place === "code" &&
    /(?:\*\*?|\.\.\.|&)$/.test(page.text.slice(Math.max(0, region.start - 3), region.start))
  );
}

/** Whether a sample of the page itself reads the variable: `${NAME}` in a composition or a script of the reader. */
function isFilledIn({ page, named: { name } }: NameClaim): boolean {
  const read = new RegExp(`\\$\\{?${name.replace(/\W/g, "\\$&")}\\b`);
  return page.read().lines.some(({ place, text }) => place === "code" && read.test(text));
}

/** The function that a call of a sample names, by its imports and its variables. */
async function bindCallee(
  { page, statement, region, isShaped, module }: NameClaim,
  base: State,
): Promise<BoundNames | Unbound | "not called"> {
  if (statement.place !== "code") return "not called";
  const samples = await readSamples(page);
  const sample = samples.find(({ region: { start, end } }) => start <= region.start && region.end <= end);
  if (!sample) return "not called";
  const at = region.start - sample.region.start;
  const { calls } = sample.fragment;
  const call = calls.find((one) => one.region.start === at);
  if (!call) return (await isHandedAway(at, sample, base)) ? FOREIGN : "not called";
  if (sample.isPast) return PAST;
  const bound = await bindCall(call, sample, base);
  if (bound.is === "bound")
    return bound.by === "shape" && !isShaped
      ? WHOSE
      : { is: "bound", things: bound.things, by: bound.by === "shape" ? "shape" : "import" };
  if (bound.why === "no-such-member") return NO_MEMBER;
  return (bound.why === "foreign" && module === undefined) || bound.why === "declared-by-the-sample"
    ? FOREIGN
    : "not called";
}

/** Whether a sample of the page makes the flag: then it is one of the reader's own program. */
async function isMadeByPage({ page, named: { name } }: NameClaim): Promise<boolean> {
  const made = new RegExp(`^(?:-.*--|-*)${name.replace(/\W/g, "\\$&")}(?:$|[\\s=])`);
  return (await readSamples(page)).some(({ fragment: { calls } }) =>
    calls.some((call) => call.arguments.some(({ literal }) => literal && made.test(literal.text))),
  );
}

/** Whether a sample hands a text over to another package. Variables of the environment belong to no package. */
async function isHandedAway(at: number, sample: CodeSample, base: State): Promise<boolean> {
  const { calls } = sample.fragment;
  const literals = calls.flatMap((call) => call.arguments.map(({ literal }) => ({ call, literal })));
  const passed = literals.find(
    ({ literal }) => literal && literal.region.start <= at && at <= literal.region.end,
  );
  if (!passed || passed.literal?.text === passed.literal?.text.toUpperCase()) return false;
  const bound = await bindCall(passed.call, sample, base);
  return bound.is === "unbound" && bound.why === "foreign";
}

/** `client.name` where a sample says of which type `client` is: the member of that type or of its nearest ancestor. */
async function bindHeld(
  { page, named: { owner }, region, statement, isShaped }: NameClaim,
  offered: readonly Thing[],
  base: State,
): Promise<BoundNames | Unbound | "not held"> {
  if (statement.place !== "code" || owner.length !== 1) return "not held";
  const sample = (await readSamples(page)).find(
    (one) => one.region.start <= region.start && region.end <= one.region.end,
  );
  const held = sample && (await bindVariable(owner[0]!, sample, base));
  if (!held) return "not held";
  if (sample.isPast) return PAST;
  if (held.by === "shape" && !isShaped) return WHOSE;
  for (const { name } of held.types) {
    const members = offered.filter((thing) => thing.owner.at(-1) === name);
    if (members.length > 0)
      return { is: "bound", things: members, by: held.by === "shape" ? "shape" : "import" };
  }
  return NO_MEMBER;
}

/** A shaped word that a page writes outside of samples, and that product code has as a whole text or keeps to itself. */
async function bindWord(
  { named: { name, owner }, role, isShaped, statement: { place } }: NameClaim,
  things: readonly Thing[],
  base: State,
): Promise<BoundNames | null> {
  if (!isShaped || role !== "name" || place === "code" || owner.length > 0) return null;
  if (things.length > 0) return { is: "bound", things, by: "word" };
  if (!ONE_CASE.test(name)) return null;
  const literal = new RegExp(`["'\`]${name.replace(/\W/g, "\\$&")}["'\`]`);
  for (const path of (await base.holders([name])).get(name) ?? []) {
    if (!isProduct(path) || !parsedLanguageAt(path)) continue;
    const text = dropComments(path, (await base.text(path)) ?? "");
    const line = text.split("\n").findIndex((one) => literal.test(one) && !IMPORT.test(one)) + 1;
    const region = { start: 0, end: 0 };
    if (line > 0)
      return {
        is: "bound",
        things: [{ kind: "message", id: name, name, owner: [], path, line, region, exported: "unknown" }],
        by: "word",
      };
  }
  return null;
}

/** Values, commands and events are written in one case, product names hardly ever. */
const ONE_CASE = /^(?:\P{Lu}+|\P{Ll}+)$/u;
const IMPORT = /\b(?:import|from|require|use|include)\b/;

/** `Client.get` of the class `Client`, `httpx.get` of the package `httpx`; `client.get` of an unknown client is neither. */
async function bindOwned(
  claim: NameClaim,
  offered: readonly Thing[],
  base: State,
): Promise<BoundNames | Unbound> {
  const { named, module, isShaped, isOnVariable } = claim;
  if (isOnVariable && !isShaped) return WHOSE;
  const owner = named.owner.at(-1)!;
  const members = membersOf(owner, offered);
  const isPath = members.every(({ kind }) => kind === "setting") || (await isType(owner, base));
  if (members.length > 0 && isPath) return { is: "bound", things: members, by: "qualified" };
  const isOnly = members.length > 0 && offered.every((thing) => thing.owner.at(-1) === owner);
  if (isOnly && named.owner.length === 1 && (await isExported(owner, base)))
    return { is: "bound", things: members, by: "shape" };
  const isWhole = named.owner.length > 1 && module === named.owner.join(".");
  if (module !== undefined ? isWhole || named.owner.length === 1 : await isOwn(named.owner.join("."), base)) {
    const top = offered.filter(
      ({ owner: owners, kind, path }) =>
        owners.length === 0 &&
        OF_MODULE.has(kind) &&
        (named.owner.length === 1 || isModule(path, named.owner)),
    );
    if (top.length > 0)
      return { is: "bound", things: top, by: module === undefined ? "qualified" : "import" };
    if (module !== undefined && !isWhole) return NOTHING;
  }
  return isShaped ? { is: "bound", things: offered, by: "shape" } : WHOSE;
}

/** Whether the project declares a type of this name. A member of another one's type proves nothing about it. */
async function isType(name: string, base: State): Promise<boolean> {
  if (!/^\p{Lu}/u.test(name)) return false;
  const { things } = await base.things(name);
  return things.some((thing) => thing.kind === "symbol" && plainName(thing.name) === name);
}

/** Whether a file is the module of a path: `boat/url.py`, `boat/url/__init__.py` or `boat/src/url/mod.rs` is `boat.url`. */
function isModule(path: string, owner: readonly string[]): boolean {
  const module = path.replace(/(?:\/(?:__init__|index|lib|mod))?\.[^/.]+$/, "").replace(/(?<=^|\/)src\//, "");
  return `/${module}`.endsWith(`/${owner.join("/")}`);
}

/** The members of an owner; the parameters of its constructor only where it has no member of that name. */
function membersOf(owner: string, offered: readonly Thing[]): readonly Thing[] {
  const own = offered.filter((thing) => thing.owner.length > 0 && fold(thing.owner.at(-1)!) === fold(owner));
  const members = own.filter(({ kind }) => kind !== "parameter");
  return members.length > 0 ? members : own;
}

/** Whether the project has a constant or a type of exactly this name. */
async function isExported(name: string, base: State): Promise<boolean> {
  const { things } = await base.things(name);
  return things.some(
    ({ kind, owner, exported }) => kind === "symbol" && owner.length === 0 && exported === "yes",
  );
}

/** The setting of the one owner that has every key of a data sample. */
async function bindListed(
  { statement, region }: NameClaim,
  offered: readonly Thing[],
  base: State,
): Promise<BoundNames | null> {
  const keys = siblingKeysAt(statement, region.start);
  if (keys.length < FEWEST_KEYS) return null;
  const things: Thing[] = [];
  for (const thing of offered) {
    const beside = (await base.surface(thing.path)).filter(
      ({ kind, owner }) => kind === thing.kind && owner.join("\0") === thing.owner.join("\0"),
    );
    if (keys.every((key) => beside.some(({ name }) => fold(name) === fold(key)))) things.push(thing);
  }
  return things.length > 0 && new Set(things.map(({ id }) => id)).size === 1
    ? { is: "bound", things, by: "section" }
    : null;
}

const FEWEST_KEYS = 2;

/** A word that opens an entry of a list, whose other entries are settings or members that the same file declares. */
async function bindEntry(
  { page, region, role, isShaped }: NameClaim,
  offered: readonly Thing[],
  base: State,
): Promise<BoundNames | null> {
  if (role !== "name" || isShaped || !offered.some(({ kind }) => ENTRIES.has(kind))) return null;
  const list = readLists(page).find(
    ({ form, entries }) => form !== "inline" && entries.some(({ at }) => at.start === region.start),
  );
  if (!list) return null;
  const homes = await homesOf(list, base);
  const things = offered.filter((thing) => homes.has(homeOf(thing)));
  return things.length > 0 ? { is: "bound", things, by: "section" } : null;
}

const ENTRIES: ReadonlySet<string> = new Set(["setting", "member", "enum-value"]);
/** So many names of a list have to be things of one place, and at least half of them. */
const FEWEST_ENTRIES = 4;

/** The places that declare most names of a list. */
async function homesOf({ entries }: ListClaim, base: State): Promise<ReadonlySet<string>> {
  const counts = new Map<string, number>();
  for (const name of new Set(entries.map((entry) => entry.name))) {
    const { things } = await base.things(name);
    const own = things.filter(({ kind, exported }) => exported !== "no" && ENTRIES.has(kind));
    for (const home of new Set(own.map(homeOf))) counts.set(home, (counts.get(home) ?? 0) + 1);
  }
  const least = Math.max(FEWEST_ENTRIES, entries.length / 2);
  return new Set([...counts].flatMap(([home, count]) => (count >= least ? [home] : [])));
}

/** The file of a setting, the owner of a member. */
function homeOf({ kind, path, owner }: Thing): string {
  return [kind, path, ...(kind === "setting" ? [] : owner)].join("\0");
}

async function bindPlain(
  claim: NameClaim,
  offered: readonly Thing[],
  base: State,
): Promise<BoundNames | Unbound> {
  const { statement, isShaped, role, module, isMarked } = claim;
  if (module !== undefined) return { is: "bound", things: offered, by: "import" };
  if (isMarked) return { is: "bound", things: offered, by: "role" };
  const parent = parentKeyAt(statement, claim.region.start);
  if (parent) {
    const own = offered.filter(({ owner }) => fold(owner.at(-1) ?? "").endsWith(fold(parent)));
    if (own.length > 0) return { is: "bound", things: own, by: "section" };
    return isShaped ? { is: "bound", things: offered, by: "shape" } : WHOSE;
  }
  const { things, by } = await chooseOwner(offered, { owner: [], statement, state: base });
  if (by === "section" && role === "name") return { is: "bound", things, by };
  return isShaped || role !== "name" ? { is: "bound", things: offered, by: "shape" } : WHOSE;
}

const NAMED: ReadonlySet<string> = new Set([
  "symbol",
  "member",
  "parameter",
  "environment",
  "setting",
  "enum-value",
  "error",
]);

/** Keys of a table that lists commands, or the services of a composition. */
function isCommandTable(owner: readonly string[]): boolean {
  return owner[0] === "services" || /commands$/i.test(owner.at(-1) ?? "");
}

/** Whether readers can use a thing that a page names: they may type a flag that the help leaves out. */
export function isKnown({ kind, exported }: Thing): boolean {
  return exported !== "no" || kind === "flag";
}

/** Whether pages can mean a thing by a name in this role. */
export function hasRole({ kind, owner }: Thing, role: NameClaim["role"]): boolean {
  if (role === "flag" || role === "package") return kind === role;
  if (role === "feature") return kind === "setting" && owner[0] === "features";
  if (role === "program") return kind === "command" && owner.length === 0;
  if (role === "command") return kind === "command" || (kind === "setting" && isCommandTable(owner));
  return NAMED.has(kind);
}
