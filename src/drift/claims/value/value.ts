import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import { placeOf } from "../../binding/foreign.ts";
import { chooseOwner, namedBy, type OwnedBy } from "../../binding/owners.ts";
import { sameThings } from "../../binding/same-things.ts";
import type { ChangeModel } from "../../change/change-model.ts";
import { isDistinct, partsOf } from "../../change/names.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import { isProduct, type State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import { isCalled } from "../../surface/contracts/contracts.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { evidenceAt, evidenceOf, lineOfOffset } from "../evidence.ts";
import { type Measure, readCoded, readWritten, respell, sameValue } from "./measures.ts";
import { type Aspect, readValues, type Subject, type ValueClaim } from "./read.ts";

export const value: Kind<"value", ValueClaim> = {
  name: "value",
  docs: "A page states a default, a limit or a type that the code no longer has.",
  mayEdit: true,
  rules: ["default"],
  formerly: { defaults: "default" },
  read: readValues,
  names: ({ subjects }) => subjects.map(({ name }) => name),
  touched: findTouched,
  judge,
  evaluate,
};

/** The claims about the things whose value the change touched. */
async function findTouched(change: ChangeModel, states: States): Promise<ValueClaim[]> {
  const names = await findChangedNames(change, states);
  if (names.size === 0) return [];
  const hasPort = [...names].some((name) => /^ports?$/i.test(name));
  const mentions = createPageFinder([...names, ...(hasPort ? ["localhost", "127", "port"] : [])]);
  return change.pages
    .filter((page) => mentions(page).length > 0)
    .flatMap((page) =>
      readValues(page).filter(({ subjects }) => subjects.some(({ name }) => names.has(name))),
    );
}

async function findChangedNames({ input }: ChangeModel, { base, head }: States): Promise<Set<string>> {
  const names = new Set<string>();
  const constants = new Set<string>();
  for (const { path, from } of input.files) {
    if (!isProduct(path) && !isCalled(path)) continue;
    const [before, after] = [await base.surface(from ?? path), await head.surface(path)];
    const known = new Set(after.flatMap(printValues));
    const ids = new Set(after.map(({ id }) => id));
    // Of a thing that is gone, a value that another thing has now did not change.
    const anywhere = new Set([...known].map(withoutOwner));
    for (const thing of before)
      for (const printed of printValues(thing)) {
        if (known.has(printed) || (!ids.has(thing.id) && anywhere.has(withoutOwner(printed)))) continue;
        names.add(printed.split("\0")[1]!);
      }
    for (const { kind, name, value: now } of before)
      if (CONSTANTS.has(kind) && now && names.has(name)) constants.add(name);
  }
  for (const constant of constants) for (const name of await findUsers(constant, base)) names.add(name);
  return names;
}

/** One line for each value that a thing carries: who has it, its name, what it is. */
function printValues(thing: Thing): string[] {
  const { id, name, value: own, type, parameters = [] } = thing;
  const stated = [own, type, limitOf(thing, "maximum"), limitOf(thing, "minimum"), describedUnit(thing)].join(
    "\u0001",
  );
  return [
    `${id}\0${plainName(name)}\0${stated}`,
    ...parameters.map((one) => `${id}\0${one.name}\0${one.default ?? ""}\u0001${one.type ?? ""}`),
  ];
}

function withoutOwner(printed: string): string {
  return printed.slice(printed.indexOf("\0"));
}

/** Names whose value is a constant: `timeout = DEFAULT_TIMEOUT`. */
async function findUsers(constant: string, { users }: State): Promise<string[]> {
  return (await users(constant)).map(({ name }) => plainName(name));
}

type BoundValue = {
  readonly things: readonly Thing[];
  readonly subject: Subject;
  readonly by: OwnedBy;
  readonly factor: number;
  /** The declaration names another thing as the value: `Level.Info`. */
  readonly isNamed: boolean;
};

async function judge(claim: ValueClaim, { base, head }: PastStates): Promise<Drift<ValueClaim> | null> {
  const bound = base && (await bind(claim, base));
  if (!base || !bound) return null;
  const kept = await Promise.all(bound.things.map((thing) => sameThings([thing], head, bound.subject.name)));
  const still = kept.flatMap((things) => things.slice(0, 1));
  const same = await Promise.all(still.map((thing) => withFallback(thing, claim.aspect, head)));
  const now = same.length > 0 ? same : await underRenamedOwner(bound, { base, head });
  if (!now.every((thing) => hasAspect(thing, claim.aspect))) return null;
  const measures = await measureAll(now, claim.aspect, head);
  if (measures.length === 0) return null;
  const written = readWritten(claim.says);
  if (measures.some((measure) => isSame(claim, written, measure) || !isDecided(measure, bound.isNamed)))
    return null;
  const [thing, measure] = [now[0]!, measures[0]!];
  if (claim.aspect === "type" && !(await isKnownType(thing.type ?? "", head))) return null;
  const repair = repairOf(claim, measure, bound.factor);
  const before = bound.things[0]!;
  return {
    claim,
    tier: "likely",
    message: { what: "value", old: claim.says, new: repair ?? textOf(measure), owner: bound.subject.name },
    evidence: [await evidenceOf(await lineOf(before, base), await lineOf(thing, head), { base, head })],
    cause: `value:${before.id}`,
    rule: "default",
    ...defined({ repair: repair ?? undefined }),
  };
}

/** A setting whose declaration states no default now: the one that its file gives it where it is read. */
async function withFallback(thing: Thing, aspect: Aspect, { things }: State): Promise<Thing> {
  if (aspect !== "default" || thing.kind !== "setting" || hasAspect(thing, aspect)) return thing;
  const here = (await things(thing.name)).things.filter(
    ({ kind, path, value: own }) => kind === "setting" && path === thing.path && own !== undefined,
  );
  return here.length === 1 ? here[0]! : thing;
}

async function evaluate(claim: ValueClaim, state: State): Promise<Truth> {
  const found = await findThings(claim, state);
  if (found === null) return unbound(claim, state);
  const { subject, things } = found;
  const written = readWritten(claim.says);
  const measures = await measureAll(things, claim.aspect, state);
  const by = namedBy(found, subject.isFlag || isDistinct(subject.name));
  const same = measures.findIndex((measure) => isSame(claim, written, measure));
  if (same >= 0) return { is: "true", ...boundTo([things[same]!], by) };
  if (subject.from === "address") return { is: "none", why: "no server of the project has this port" };
  const to = boundTo(things, by);
  if (!measures.every((measure) => isDecided(measure, false)))
    return { is: "undecidable", why: "the value is worked out when the program runs", ...to };
  return {
    is: "false",
    evidence: [await evidenceAt(await lineOf(things[0]!, state), state)],
    now: textOf(measures[0]!),
    ...to,
  };
}

/** Words about a thing that the project has, whose value is not read; or about nothing of the project. */
async function unbound({ subjects }: ValueClaim, state: State): Promise<Truth> {
  for (const subject of subjects) {
    const things = (await state.things(subject.name)).things.filter(({ exported }) => exported !== "no");
    const { things: owned, by } = { things, by: subject.isFlag || isDistinct(subject.name) };
    if (by && owned.length > 0)
      return { is: "undecidable", why: "its declaration states no value", ...boundTo(owned, "shape") };
  }
  return { is: "none", why: "nothing of this name has a value" };
}

/** The things whose value the claim states, where it is true; null where it is not. */
async function bind(claim: ValueClaim, base: State): Promise<BoundValue | null> {
  const found = await findThings(claim, base);
  if (found === null) return null;
  const written = readWritten(claim.says);
  const measures = await measureAll(found.things, claim.aspect, base);
  const same = measures.map((measure) => isSame(claim, written, measure));
  // An address names its server by the port alone.
  const meant = found.subject.from === "address" ? found.things.filter((_, at) => same[at]) : found.things;
  const first = same.find((one) => one !== null);
  const isOne = found.subject.from === "address" ? meant.length === 1 : same.every((one) => one !== null);
  return first && isOne
    ? {
        ...found,
        things: meant,
        factor: first.factor,
        isNamed: measures.some(({ is }) => is === "expression"),
      }
    : null;
}

/** The things of the first subject that has a value at all. A later subject may only coincide. */
async function findThings(
  claim: ValueClaim,
  state: State,
): Promise<Omit<BoundValue, "factor" | "isNamed"> | null> {
  for (const subject of claim.subjects) {
    // The value is told of another program's flag.
    if (
      subject.isFlag &&
      (await placeOf(claim.statement, subject.region.start, subject, state)) === "foreign"
    )
      return null;
    const { things } = await state.things(subject.name);
    const valued = things.filter(
      (thing) =>
        thing.exported !== "no" &&
        hasAspect(thing, claim.aspect) &&
        (!subject.isFlag || thing.kind === "flag"),
    );
    if (valued.length === 0) continue;
    const { things: owned, by } = await chooseOwner(valued, {
      owner: subject.owner,
      statement: claim.statement,
      state,
    });
    return { things: owned, subject, by };
  }
  return null;
}

/** The bound thing under the new name of its owner: the one owner of such a thing that the file lost, and the one it got. */
async function underRenamedOwner(
  { things: [thing], subject }: Pick<BoundValue, "things" | "subject">,
  { base, head }: { readonly base: State; readonly head: State },
): Promise<Thing[]> {
  if (thing === undefined || thing.owner.length === 0) return [];
  const isAlike = (one: Thing): boolean =>
    one.path === thing.path && one.kind === thing.kind && one.owner.length === thing.owner.length;
  const was = (await base.things(subject.name)).things.filter(isAlike);
  const is = (await head.things(subject.name)).things.filter(isAlike);
  const lost = was.filter(({ id }) => !is.some((one) => one.id === id));
  const fresh = is.filter(({ id }) => !was.some((one) => one.id === id));
  return lost.length === 1 && fresh.length === 1 ? fresh : [];
}

function hasAspect(thing: Thing, aspect: Aspect): boolean {
  if (aspect === "type") return thing.type !== undefined;
  if (aspect === "unit") return describedUnit(thing) !== null;
  return aspect === "default" ? thing.value !== undefined : limitOf(thing, aspect) !== undefined;
}

/** The unit that the description of a thing names; null where it names none or several. */
function describedUnit({ description = "" }: Thing): string | null {
  const named = description
    .toLowerCase()
    .match(/\b(?:milliseconds|seconds|minutes|hours|days|bytes|kilobytes|megabytes)\b/g);
  return named && new Set(named).size === 1 ? named[0]! : null;
}

/** The limit of a thing; the value of one whose name says that it is a limit. */
function limitOf({ limits, name, value: own }: Thing, aspect: "maximum" | "minimum"): string | undefined {
  const [stated, words] =
    aspect === "maximum" ? [limits?.most, ["max", "maximum", "limit"]] : [limits?.least, ["min", "minimum"]];
  return stated ?? (partsOf(name).some((part) => words.includes(part)) ? own : undefined);
}

function measureAll(things: readonly Thing[], aspect: Aspect, state: State): Promise<Measure[]> {
  return Promise.all(things.map((thing) => measureOf(thing, aspect, state)));
}

async function measureOf(thing: Thing, aspect: Aspect, state: State): Promise<Measure> {
  if (aspect === "type") return { is: "text", text: plainType(thing.type!) };
  if (aspect === "unit") return { is: "text", text: describedUnit(thing)! };
  const measure = readCoded((aspect === "default" ? thing.value : limitOf(thing, aspect))!);
  // A bare word of a data file is a text.
  if (measure.is === "expression" && DATA.test(thing.path)) return { is: "text", text: measure.text };
  return (measure.is === "expression" && (await constantOf(measure.text, state))) || measure;
}

/** The value of a constant that the project declares once: `DEFAULT_TIMEOUT`, `Limits.MAX`. */
async function constantOf(expression: string, { things }: State): Promise<Measure | null> {
  const name = /^(?=[\w.:]*$)(?:.*[.:])?(\w+)$/.exec(expression)?.[1];
  if (name === undefined) return null;
  const { things: found } = await things(name);
  const values = found.filter(({ kind, value: own }) => own !== undefined && CONSTANTS.has(kind));
  const measures = values.map(({ value: own }) => readCoded(own!));
  return measures.length === 1 && measures[0]!.is !== "expression" ? measures[0]! : null;
}

/**
 * Whether a value is known without running the program. A name such as `Level.Info` is, where it replaced a name. Nothing
 * and an empty text are not: programs fill them in later.
 */
function isDecided(measure: Measure, wasNamed: boolean): boolean {
  if (measure.is === "nothing" || (measure.is === "text" && measure.text === "")) return false;
  return measure.is !== "expression" || (wasNamed && /^[\w$]+(?:(?:\.|::)[\w$]+)+$/.test(measure.text));
}

const DATA = /\.(?:ya?ml|json|toml|ini|env|tf|properties|graphqls?|gql|proto)$/i;
const CONSTANTS: ReadonlySet<string> = new Set(["symbol", "member", "setting"]);

function isSame(
  { aspect, says }: ValueClaim,
  written: Measure,
  measure: Measure,
): { readonly factor: number } | null {
  if (aspect !== "type") return sameValue(written, measure);
  return measure.is === "text" && measure.text === plainType(says) ? { factor: 1 } : null;
}

/** A type without white space and without what only says that it may be absent. */
function plainType(type: string): string {
  return type
    .replace(/\s+/g, "")
    .replace(/\|(?:undefined|null|None)\b/g, "")
    .replace(/^(?:undefined|null)\|/, "")
    .replace(/\?$/, "");
}

const BUILT_IN =
  /^(?:string|number|boolean|bool|int|integer|float|double|str|object|any|unknown|void|never|bytes|dict|list|u?int(?:8|16|32|64)|[ui](?:8|16|32|64|size)|f32|f64|String|Array|Record|Map|Set|Promise|Date|RegExp|Function|null|undefined|None|Vec|Option|true|false|readonly)$/;

/** Whether a type says by itself what it is. A name that the project declares may mean what the page says. */
async function isKnownType(type: string, _state: State): Promise<boolean> {
  const names = type.replace(/(["'`]).*?\1/g, "").match(/[\p{L}_$][\w$]*/gu) ?? [];
  return names.every((name) => BUILT_IN.test(name));
}

function repairOf({ says, aspect, isChoice }: ValueClaim, measure: Measure, factor: number): string | null {
  if (isChoice) return null;
  if (aspect === "type") return measure.is === "text" ? measure.text : null;
  return respell(says, measure, factor);
}

function textOf(measure: Measure): string {
  switch (measure.is) {
    case "number":
      return String(measure.number);
    case "flag":
      return String(measure.on);
    case "nothing":
      return "none";
    default:
      return measure.text;
  }
}

/** The line of the declaration that holds the value; the line of the name where it cannot be found. */
async function lineOf({ path, line, region, value: written }: Thing, state: State) {
  const source = written === undefined ? "" : ((await state.text(path)) ?? "");
  const inside = source.slice(region.start, region.end).indexOf(written ?? "");
  return written === undefined || inside < 0
    ? { path, line }
    : lineOfOffset(path, region.start + inside, state);
}
