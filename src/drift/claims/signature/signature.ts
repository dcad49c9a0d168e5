import { dropComments } from "../../../syntax/source/doc-comments.ts";
import { boundTo } from "../../binding/bound-by.ts";
import { chooseOwner } from "../../binding/owners.ts";
import { sameThings } from "../../binding/same-things.ts";
import { findReshaped, sameFunctions } from "../../calls/evidence.ts";
import { isRequired } from "../../calls/fits.ts";
import { familyOf, habitsOf } from "../../calls/page-samples.ts";
import { isKindOf, lastName, raisedIn, raisedInstead } from "../../calls/raised.ts";
import { isPlain, renamedParameter } from "../../calls/renamed-parameter.ts";
import type { ChangeModel } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { fold, isDistinct } from "../../change/names.ts";
import type { Message } from "../../findings.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import type { State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import type { Thing, ThingParameter } from "../../surface/thing.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { sameType } from "../comment/types.ts";
import { evidenceOf } from "../evidence.ts";
import { readSignatures, type SignatureClaim } from "./read.ts";
import { repairList, repairNeed, repairResult, withArticle } from "./repair.ts";
import { nameBeforeType } from "./shown.ts";

export const signature: Kind<"signature", SignatureClaim> = {
  name: "signature",
  docs: "A page shows a signature whose parameters changed, a result that a function no longer gives, or calls an option optional that is required now.",
  mayEdit: true,
  formerly: { parameter: "signature", rewrite: "signature" },
  read: readSignatures,
  names: ({ name }) => [name],
  touched: findTouched,
  judge,
  evaluate,
};

async function findTouched({ input, pages }: ChangeModel, states: States): Promise<SignatureClaim[]> {
  const files = input.files.filter(({ path }) => fileKind(path) === "product");
  const names = await findReshaped(files, states);
  for (const name of await findChangedNeeds(files, states)) names.add(name);
  for (const name of await findChangedErrors(files, states)) names.add(name);
  if (names.size === 0) return [];
  const mentions = createPageFinder(names);
  const found: SignatureClaim[] = [];
  for (const page of pages)
    if (mentions(page).length > 0)
      found.push(...(await readSignatures(page)).filter(({ name }) => names.has(name)));
  return found.map((claim) => ({ ...claim, isTouched: true }));
}

/** The names of members and parameters that may be left out on one side of the change only, of what both sides have. */
async function findChangedNeeds(
  files: readonly { readonly path: string; readonly from?: string }[],
  { base, head }: States,
): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { path, from } of files) {
    const after = await head.surface(path);
    const [now, ids] = [new Set(after.flatMap(printNeeds)), new Set(after.map(({ id }) => id))];
    for (const thing of await base.surface(from ?? path))
      for (const printed of ids.has(thing.id) ? printNeeds(thing) : [])
        if (!now.has(printed)) names.add(printed.split("\0")[1]!);
  }
  return names;
}

/** The names of functions that raise other errors now. */
async function findChangedErrors(
  files: readonly { readonly path: string; readonly from?: string }[],
  { base, head }: States,
): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { path, from } of files) {
    const now = new Set(await printErrors(path, head));
    for (const printed of await printErrors(from ?? path, base))
      if (!now.has(printed)) names.add(printed.split("\0")[1]!);
  }
  return names;
}

async function printErrors(path: string, { surface, text }: State): Promise<string[]> {
  const source = (await text(path)) ?? "";
  if (!/\b(?:raise|throws?)\b/.test(source)) return [];
  const code = dropComments(path, source);
  return (await surface(path)).flatMap(({ id, name, parameters, region: { start, end } }) =>
    parameters ? [`${id}\0${name}\0${[...raisedIn(code.slice(start, end))].sort().join()}`] : [],
  );
}

function printNeeds(thing: Thing): string[] {
  const { id, name, parameters = [] } = thing;
  return [
    `${id}\0${name}\0${mayBeLeftOut(thing)}`,
    ...parameters.map((one) => `${id}\0${one.name}\0${!isRequired(one)}`),
  ];
}

async function judge(
  claim: SignatureClaim,
  { base, head }: PastStates,
): Promise<Drift<SignatureClaim> | null> {
  if (!base) return null;
  const things = await bind(claim, base);
  if (!things || (!claim.isTouched && !isNamedFully(claim))) return null;
  const now = claim.of === "need" ? await sameThings(things, head) : await sameFunctions(things, head);
  const truths = await Promise.all(now.map((thing) => truthOf(claim, thing, head)));
  const isFalse = now.length > 0 && truths.every(({ is }) => is === "false");
  const fitting = await findTrue(claim, things, base);
  const [before] = fitting;
  // Where the declaration that the page shows is gone, the others were false before.
  const [after] = claim.of === "need" ? now : await sameFunctions(fitting, head);
  if (!before || !after || !(isFalse || (now.length === 1 && isCut(claim, before, after)))) return null;
  const repair =
    claim.of === "error"
      ? await errorNow(claim, before, after, { base, head })
      : repairOf(claim, before, after);
  if (claim.of === "error" && repair === undefined) return null;
  return {
    claim,
    tier: "likely",
    message: messageOf(claim, after, repair),
    evidence: [await evidenceOf(before, after, { base, head })],
    cause: `${claim.of}:${before.id}`,
    ...(repair !== undefined && { repair: claim.of === "error" ? withArticle(claim, repair) : repair }),
  };
}

/** Whether the page gives the owner, or shows the signature as the entry of its function. */
function isNamedFully(claim: SignatureClaim): boolean {
  return (
    claim.owner.length > 0 || (claim.of === "list" && claim.form === "entry" && claim.parameters.length > 1)
  );
}

/** The error that the function raises in place of the one that the page names, unless it is a kind of that. */
async function errorNow(
  { says }: Extract<SignatureClaim, { of: "error" }>,
  before: Thing,
  after: Thing,
  { base, head }: States,
): Promise<string | undefined> {
  const now = raisedInstead(says, { was: await raisedBy(before, base), is: await raisedBy(after, head) });
  return now !== undefined && !(await isKindOf(now, says, head)) ? now : undefined;
}

async function raisedBy({ path, region }: Thing, { text }: State): Promise<ReadonlySet<string>> {
  const source = (await text(path)) ?? "";
  return raisedIn(dropComments(path, source).slice(region.start, region.end));
}

function repairOf(claim: SignatureClaim, before: Thing, after: Thing): string | undefined {
  const [was, is] = [before.parameters ?? [], after.parameters ?? []];
  switch (claim.of) {
    case "parameter":
      return renamedParameter(claim.says, { was, is });
    case "error":
      return undefined;
    case "list":
      return repairList(claim, { before, after });
    case "result":
      return repairResult(claim, after);
    case "need":
      return repairNeed(claim);
  }
}

function messageOf(claim: SignatureClaim, after: Thing, repair: string | undefined): Message {
  const { page, region, name } = claim;
  const old = page.text.slice(region.start, region.end);
  if (claim.of === "result") return { what: "result", old: claim.says, new: after.type ?? "", owner: name };
  if (claim.of === "error" || (claim.of === "parameter" && repair !== undefined))
    return { what: "renamed", old: claim.says, new: repair ?? "", owner: name };
  if (claim.of === "parameter") return { what: "parameter", old, owner: name };
  if (claim.of === "need") return { what: "need", old, new: repair ?? "", owner: name };
  const list = (after.parameters ?? []).map((one) => one.name).join(", ");
  return {
    what: "call",
    old: `${name}(${claim.parameters.map((one) => one.name).join(", ")})`,
    new: `${name}(${list})`,
    owner: name,
  };
}

async function evaluate(claim: SignatureClaim, state: State): Promise<Truth> {
  const found = await candidates(claim, state);
  const truths = await Promise.all(found.map((thing) => truthOf(claim, thing, state)));
  const by = claim.owner.length > 0 ? "qualified" : isDistinct(claim.name) ? "shape" : "word";
  const isTrue = truths.findIndex(({ is }) => is === "true");
  if (isTrue >= 0) return { is: "true", ...boundTo([found[isTrue]!], by) };
  const [thing] = found;
  if (!thing) return { is: "none", why: "no function of this name is offered" };
  if (truths.some(({ is }) => is === "undecidable")) return { ...UNKNOWN, ...boundTo(found, by) };
  const { path, line } = thing;
  const evidence = [{ path, revision: state.revision, startLine: line, endLine: line }];
  return { is: "false", evidence, ...boundTo(found, by) };
}

const TRUE: Truth = { is: "true" };
const FALSE: Truth = { is: "false", evidence: [] };
const UNKNOWN: Truth = { is: "undecidable", why: "the declaration does not say" };

/** The one thing that the claim is true of, with its overloads; null where it is none or several. */
async function bind(claim: SignatureClaim, base: State): Promise<readonly Thing[] | null> {
  const found = await candidates(claim, base);
  const fitting = await findTrue(claim, found, base);
  const ids = new Set(fitting.map(({ id }) => id));
  if (ids.size !== 1 || !isProof(claim, fitting, found.length === fitting.length)) return null;
  return found.filter(({ id }) => ids.has(id));
}

/** The things that a claim is true of. */
async function findTrue(claim: SignatureClaim, things: readonly Thing[], state: State): Promise<Thing[]> {
  const truths = await Promise.all(things.map((thing) => truthOf(claim, thing, state)));
  return things.filter((_, at) => truths[at]!.is === "true");
}

/** Whether the words of the page can hardly be about something else. */
function isProof(claim: SignatureClaim, fitting: readonly Thing[], isOnly: boolean): boolean {
  if (claim.owner.length > 0 || claim.of === "need") return true;
  // The heading is the owner's name.
  if (claim.section !== undefined && fitting.every(({ owner }) => owner.at(-1) === claim.section))
    return true;
  if ((claim.of === "list" || claim.of === "result") && claim.form === "entry") return true;
  if (claim.of === "list") return claim.parameters.length > 1 || isDistinct(claim.name);
  if (claim.of === "parameter") return true;
  return isOnly && (isDistinct(claim.name) || /\W/.test(claim.says));
}

async function candidates(claim: SignatureClaim, state: State): Promise<readonly Thing[]> {
  const { things, unread } = await state.things(claim.name);
  if (unread.length > 0) return [];
  const offered = things.filter(({ exported }) => exported !== "no");
  if (claim.of === "need") {
    const known = offered.filter((thing) => mayBeLeftOut(thing) !== undefined);
    return (await chooseOwner(known, { owner: claim.owner, statement: claim.statement, state })).things;
  }
  const callable = offered.filter(
    ({ kind, parameters, name, owner }) =>
      (kind === "symbol" || kind === "member") &&
      parameters !== undefined &&
      name === claim.name &&
      !(claim.isPlain && owner.length > 0),
  );
  const said = claim.owner.at(-1);
  const exact = callable.filter(({ owner }) => said !== undefined && owner.at(-1) === said);
  return exact.length > 0 ? exact : callable.filter((thing) => isOwner(thing, said));
}

/** The owner that the page gives is the type, the module or an instance that is named after the type. */
function isOwner({ owner, path }: Thing, said: string | undefined): boolean {
  if (said === undefined) return true;
  const type = owner.at(-1);
  if (type !== undefined && (fold(type) === fold(said) || fold(type).endsWith(fold(said)))) return true;
  const parts = path.replace(/\.\w+$/, "").split("/");
  return owner.length === 0 && (parts.includes(said) || parts.at(-1) === said);
}

async function truthOf(claim: SignatureClaim, thing: Thing, state: State): Promise<Truth> {
  switch (claim.of) {
    case "error":
      return (await raisedBy(thing, state)).has(lastName(claim.says)) ? TRUE : FALSE;
    case "parameter":
      return hasParameter(claim.says, thing.parameters ?? []);
    case "list":
      return hasList(claim, thing);
    case "result":
      return returns(claim.says, thing.type);
    case "need": {
      const optional = mayBeLeftOut(thing);
      return optional === undefined ? UNKNOWN : optional === claim.isOptional ? TRUE : FALSE;
    }
  }
}

/**
 * Whether a shown list is that of a function: the same names in the same order, and none missing that a caller must pass.
 * Parameters that are passed by name only may stand anywhere, and may be left out where a caller may. Where callers cannot
 * use names, another name in the same place says nothing.
 */
function hasList(
  { parameters: shown }: Extract<SignatureClaim, { of: "list" }>,
  { parameters = [], path }: Thing,
): Truth {
  const named = new Map(
    parameters.filter(({ keyword, rest }) => keyword === "only" || rest).map((one) => [one.name, one]),
  );
  // JavaScript calls with too few arguments run; only types say that they may not.
  const isLoose = familyOf(path) === "javascript";
  const isNeeded = (one: ThingParameter): boolean => isRequired(one) && !(isLoose && one.type === undefined);
  const isFirst = habitsOf(path)?.notation === "name type";
  const said = shown.map((one) => (isFirst ? nameBeforeType(one) : one.name));
  const given = new Set(said);
  if ([...named.values()].some((one) => isNeeded(one) && !given.has(one.name))) return FALSE;
  const names = said.filter((name) => !named.has(name));
  const placed = parameters.filter(({ name }) => !named.has(name));
  const isPrefix = names.every((name, at) => name === placed[at]?.name);
  if (isPrefix) return placed.slice(names.length).some(isNeeded) ? FALSE : TRUE;
  if (names.length > placed.length && !parameters.some(({ rest }) => rest)) return FALSE;
  if (names.length < placed.filter(isNeeded).length) return FALSE;
  const isMoved = names.some(
    (name, at) => placed[at]?.name !== name && placed.some((one) => one.name === name),
  );
  return isMoved || habitsOf(path)?.namesArguments === true ? FALSE : UNKNOWN;
}

/** Whether a declaration that was shown with every parameter lacks one that callers may leave out. */
function isCut(claim: SignatureClaim, before: Thing, after: Thing): boolean {
  if (claim.of !== "list" || !claim.isDeclared) return false;
  const given = new Set(claim.parameters.flatMap((one) => [one.name, nameBeforeType(one)]));
  const showsAll = ({ parameters = [] }: Thing): boolean => parameters.every(({ name }) => given.has(name));
  return showsAll(before) && !showsAll(after);
}

function hasParameter(name: string, parameters: readonly ThingParameter[]): Truth {
  if (parameters.some((one) => one.name === name)) return TRUE;
  return parameters.every(isPlain) ? FALSE : UNKNOWN;
}

const NOTHING = /^(?:null|none|nil|undefined)$/i;

function returns(says: string, type: string | undefined): Truth {
  if (type === undefined) return UNKNOWN;
  if (NOTHING.test(says)) return mayBeNothing(type, says) ? TRUE : FALSE;
  const plain = type.replace(/^(?:Promise|Task|ValueTask|Awaitable)<(.*)>$/, "$1");
  // A page may leave the arguments of a type out.
  const bare = /</.test(says) ? plain : plain.replace(/<.*>/, "");
  return [type, plain, bare].some((one) => sameType(says, one)) ? TRUE : FALSE;
}

function mayBeNothing(type: string, says: string): boolean {
  // TypeScript has two words for nothing, and a type names the one that it means.
  const named = type.match(/\b(?:null|undefined)\b/g);
  if (named && /^(?:null|undefined)$/.test(says)) return named.includes(says as "null");
  return /\?$|^\?|\b(?:null|None|undefined|nil|Option|Optional|Maybe|any|unknown|void|Any)\b/.test(type);
}

/** Whether a caller may leave out a member or a parameter; undefined where the declaration does not say. */
function mayBeLeftOut({ kind, name, declaration = "", value, path }: Thing): boolean | undefined {
  if (kind === "parameter") return value !== undefined ? true : undefined;
  if (familyOf(path) !== "javascript" || (kind !== "member" && kind !== "setting")) return undefined;
  const at = declaration.indexOf(name);
  const mark = at < 0 ? null : /^["']?\s*(?:(\?)\s*)?:/.exec(declaration.slice(at + name.length));
  return mark ? mark[1] === "?" : undefined;
}
