import { dropComments } from "../../../syntax/source/doc-comments.ts";
import { createWordFinder } from "../../../syntax/words/words.ts";
import { placeOf } from "../../binding/foreign.ts";
import { chooseOwner, type OwnedBy } from "../../binding/owners.ts";
import type { ChangeModel } from "../../change/change-model.ts";
import { fold, partsOf } from "../../change/names.ts";
import { flipsMeaning } from "../../change/rename-candidates.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import { isProduct, type State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import { compareSurfaces } from "../../surface/compare/compare-surfaces.ts";
import { plainName } from "../../surface/surface-change.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { type NameClaim, readNames } from "./read.ts";

export const exists: Kind<"exists", NameClaim> = {
  name: "exists",
  docs: "A page names something that the project no longer offers.",
  mayEdit: true,
  ofChanges: true,
  read: readNames,
  names: ({ named }) => [named.name],
  touched: findTouched,
  judge,
  evaluate,
};

/** The claims about things that the changed files declared before and do not declare now. */
async function findTouched({ input, pages }: ChangeModel, { base, head }: States): Promise<NameClaim[]> {
  const lost = new Set<string>();
  for (const { path, from } of input.files) {
    if (!isProduct(path)) continue;
    const kept = new Set((await head.surface(path)).map(({ id }) => id));
    for (const { id, name, kind, exported } of await base.surface(from ?? path))
      if (!kept.has(id) && exported !== "no" && NAMED.has(kind)) lost.add(plainName(name));
  }
  if (lost.size === 0) return [];
  const mentions = createPageFinder(lost);
  return pages
    .filter((page) => mentions(page).length > 0)
    .flatMap((page) => readNames(page).filter(({ named }) => lost.has(named.name)));
}

const NAMED: ReadonlySet<string> = new Set([
  "symbol",
  "member",
  "flag",
  "environment",
  "setting",
  "enum-value",
  "error",
  "command",
]);

type BoundNames = { readonly things: readonly Thing[]; readonly by: OwnedBy | "import" | "program" };

async function judge(claim: NameClaim, { base, head }: PastStates): Promise<Drift<NameClaim> | null> {
  const bound = base && (await bind(claim, base));
  if (!base || !bound || !(await isGone(claim, bound, head))) return null;
  const thing = bound.things[0]!;
  if (!isBoundWell(claim, bound)) return null;
  const before = await base.line(thing.path, thing.line);
  if (isAlias(thing, before)) return null;
  const { name } = claim.named;
  const successor = await findSuccessor(thing, { base, head });
  const old = shown(claim);
  if (successor === null) {
    const { line } = thing;
    const evidence = { path: thing.path, revision: base.revision, startLine: line, endLine: line, before };
    // What was removed is said; what to write instead, a person decides.
    return {
      claim,
      tier: "likely",
      message: { what: "removed", old },
      evidence: [evidence],
      cause: `removed:${old}`,
      rule: "removal",
    };
  }
  const { path, line } = successor;
  const renamed = plainName(successor.name);
  const after = await head.line(path, line);
  return {
    claim,
    tier: "likely",
    message: { what: "renamed", old: name, new: renamed },
    evidence: [{ path, revision: head.revision, startLine: line, endLine: line, before, after }],
    cause: `renamed:${name}→${renamed}`,
    rule: "rename",
    ...(mayRepair(claim, renamed) && { repair: renamed }),
  };
}

/** Whether a declaration only passes on something of another module: `Name = other.Name`. */
function isAlias({ name }: Thing, line: string): boolean {
  return new RegExp(`[\\w)](?:\\.|::)${plainName(name).replace(/\W/g, "\\$&")}\\b`).test(line);
}

/** A sentence that has the new name already tells both apart. */
function mayRepair(
  { named: { region, name }, statement: { page, names, region: all } }: NameClaim,
  renamed: string,
): boolean {
  const isBeside =
    names.some((one) => one.name === renamed) || page.text.slice(all.start, all.end).includes(`${renamed}\``);
  return (
    region.end - region.start === name.length && !isBeside && !flipsMeaning(partsOf(name), partsOf(renamed))
  );
}

function shown({ named: { name, isFlag } }: NameClaim): string {
  return isFlag ? `--${name}` : name;
}

/** The things of the project that the page means, where the project offers them. */
async function bind(claim: NameClaim, base: State): Promise<BoundNames | null> {
  const { named, statement, role, module } = claim;
  if (module !== undefined && !base.isOwnModule(module)) return null;
  const place = await placeOf(statement, named.region.start, named.name, base);
  if (place === "foreign") return null;
  const { things, unread } = await base.things(named.name);
  if (role === "command" && place !== "own") return null;
  const offered = things.filter((thing) => thing.exported !== "no" && hasRole(thing, role));
  if (offered.length === 0 || unread.length > 0) return null;
  const owner = named.owner.slice(-1);
  const chosen = chooseOwner(offered, { owner, statement, state: base });
  // `client.get` of an unknown client is not `Client.get`.
  if (owner.length > 0 && chosen.by !== "qualified") return null;
  if (role === "command" || (role === "flag" && place === "own"))
    return { things: chosen.things, by: "program" };
  return { things: chosen.things, by: module !== undefined && owner.length === 0 ? "import" : chosen.by };
}

function hasRole({ kind, owner }: Thing, role: NameClaim["role"]): boolean {
  if (role === "flag") return kind === "flag";
  if (role === "command") return kind === "command" || (kind === "setting" && owner[0] === "services");
  if (role === "environment") return kind === "environment" || kind === "symbol" || kind === "setting";
  return NAMED.has(kind) && kind !== "flag";
}

/** Whether none of the things is left, nothing else fits the words, and every file that has the word was read. */
function isGone(claim: NameClaim, bound: BoundNames, head: State): Promise<boolean> {
  const answers = gone.get(head) ?? new Map<string, Promise<boolean>>();
  gone.set(head, answers);
  const key = [claim.role, claim.named.name, ...bound.things.map(({ id }) => id)].join("\0");
  const answer = answers.get(key) ?? proveGone(claim, bound, head);
  answers.set(key, answer);
  return answer;
}

const gone = new WeakMap<State, Map<string, Promise<boolean>>>();

async function proveGone({ named, role }: NameClaim, { things }: BoundNames, head: State): Promise<boolean> {
  const now = await head.things(named.name);
  if (now.unread.length > 0) return false;
  const kinds = new Set(things.map(({ kind }) => kind));
  if (now.things.some((thing) => kinds.has(thing.kind) || hasRole(thing, role))) return false;
  const isClosed = (role === "flag" || role === "command") && (await isParserRead(things, head));
  return isClosed ? hasNoLiteral(named.name, things, head) : !(await isWordLeft(named.name, head));
}

/** Whether the files that declared flags or commands still declare others that we can read: then their list is closed. */
async function isParserRead(things: readonly Thing[], head: State): Promise<boolean> {
  for (const { path, kind } of things)
    if (!(await head.surface(path)).some((thing) => thing.kind === kind)) return false;
  return true;
}

/** A flag is there only if the parser has it; the word may have other meanings. */
async function hasNoLiteral(name: string, things: readonly Thing[], head: State): Promise<boolean> {
  const literal = new RegExp(`["'\`](?:--)?${name.replace(/\W/g, "\\$&")}["'\`\\s=]`);
  for (const path of new Set(things.map((thing) => thing.path))) {
    const text = await head.text(path);
    if (text === null || literal.test(text)) return false;
  }
  return true;
}

/** Whether code of the product, comments left out, still has the word. */
async function isWordLeft(name: string, head: State): Promise<boolean> {
  const find = createWordFinder([name]);
  const held = await head.holders([name]);
  for (const path of held.get(name) ?? []) {
    if (!isProduct(path)) continue;
    const text = await head.text(path);
    if (text !== null && find(dropComments(path, text)).length > 0) return true;
  }
  return false;
}

/** The thing under its new name: of the same owner, kind and shape, with no rival on either side. */
async function findSuccessor(
  thing: Thing,
  { base, head }: { readonly base: State; readonly head: State },
): Promise<Thing | null> {
  if ((await head.text(thing.path)) === null) return null;
  const renames = renamesBetween(await base.surface(thing.path), await head.surface(thing.path));
  // A command and the function behind it are one thing.
  const behind = thing.kind === "command" ? renames.get(`symbol ${thing.name}`) : undefined;
  return renames.get(thing.id) ?? behind ?? null;
}

/** For the id of each renamed thing of a file, the thing that it is now. */
function renamesBetween(before: readonly Thing[], after: readonly Thing[]): ReadonlyMap<string, Thing> {
  const known = compared.get(before);
  if (known?.after === after) return known.renames;
  const isCrowded = createCrowd(before, after);
  const renames = new Map<string, Thing>();
  for (const { kind, before: old, after: fresh, evidence = [] } of compareSurfaces(before, after)) {
    if (kind !== "renamed" || !old || !fresh || isCrowded(old)) continue;
    const agrees = evidence.some((one) => one !== "position" && one !== "file");
    if (agrees && old.type === fresh.type && old.value === fresh.value) renames.set(old.id, fresh);
  }
  compared.set(before, { after, renames });
  return renames;
}

const compared = new WeakMap<
  readonly Thing[],
  { readonly after: readonly Thing[]; readonly renames: ReadonlyMap<string, Thing> }
>();

/** Whether more things of a kind and owner went than came: then one new name may stand for several old ones. */
function createCrowd(before: readonly Thing[], after: readonly Thing[]): (thing: Thing) => boolean {
  const familyOf = ({ kind, owner }: Thing): string => [kind, ...owner].join("\0");
  const countNew = (these: readonly Thing[], those: readonly Thing[]): Map<string, number> => {
    const known = new Set(those.map(({ id }) => id));
    const counts = new Map<string, number>();
    for (const thing of these)
      if (!known.has(thing.id)) counts.set(familyOf(thing), (counts.get(familyOf(thing)) ?? 0) + 1);
    return counts;
  };
  const [went, came] = [countNew(before, after), countNew(after, before)];
  return (thing) => (went.get(familyOf(thing)) ?? 0) > (came.get(familyOf(thing)) ?? 0);
}

/** Whether the words of the page can hardly mean something else than these things. */
function isBoundWell({ isShaped, role }: NameClaim, { by, things }: BoundNames): boolean {
  const isOne = new Set(things.map(({ id }) => id)).size === 1;
  return isOne && (by === "import" || by === "qualified" || by === "program" || isShaped || role !== "name");
}

/** A name that no file of the product has is gone; whether it ever was there, the past decides. */
async function evaluate({ named, role }: NameClaim, state: State): Promise<Truth> {
  const { things } = await state.things(named.name);
  if (things.some((thing) => hasRole(thing, role) && fold(plainName(thing.name)) === fold(named.name)))
    return { is: "true" };
  if (await isWordLeft(named.name, state))
    return { is: "undecidable", why: "the code has the word, not as a declaration" };
  return { is: "false", evidence: [] };
}
