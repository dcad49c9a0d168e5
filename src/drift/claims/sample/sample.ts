import { dropComments } from "../../../syntax/source/doc-comments.ts";
import type { SampleCall } from "../../../syntax/source/fragment.ts";
import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import { bindCall, type CalledBy, passedTo, type UnboundBy } from "../../calls/bind-call.ts";
import { isRecord } from "../../calls/declared.ts";
import { findReshaped, printShape, sameFunctions } from "../../calls/evidence.ts";
import { type CallFit, type CallMisfit, fitCall, UNKNOWN } from "../../calls/fits.ts";
import { choicesFor, keyTypesFor, lostField, valuesOf, wrongArgument } from "../../calls/option-keys.ts";
import { type CodeSample, readSamples } from "../../calls/page-samples.ts";
import type { ChangeModel, DocumentPage } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import type { State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import type { Thing } from "../../surface/thing.ts";
import type { Claim, Drift, Kind, PastStates, Truth } from "../claim.ts";
import { evidenceOf } from "../evidence.ts";
import { repairCall, repairChoice, repairKey } from "./repair-call.ts";

/** A call that a sample makes: it fits the declaration of what it calls. */
export type SampleClaim = Claim & {
  readonly sample: CodeSample;
  readonly call: SampleCall;
  /** The change touched a declaration of the called name. */
  readonly isTouched: boolean;
};

export const sample: Kind<"sample", SampleClaim> = {
  name: "sample",
  docs: "A sample calls a function with arguments that its declaration no longer takes, or does not await it.",
  mayEdit: true,
  formerly: { samples: "sample" },
  read: (page) => readCalls(page, () => false),
  names: ({ call, sample: { isPast, imports } }) =>
    isPast ? [] : [call.callee.at(-1)!, ...imports.flatMap(({ name }) => (/^\w+$/.test(name) ? [name] : []))],
  touched: findTouched,
  judge,
  evaluate,
};

async function findTouched({ input, pages }: ChangeModel, states: States): Promise<SampleClaim[]> {
  const files = input.files.filter(({ path }) => fileKind(path) === "product");
  const types = await findReshapedTypes(files, states);
  const names = new Set([...(await findReshaped(files, states)), ...types]);
  for (const name of await findTakers(input, types, states)) names.add(name);
  for (const name of await findPublicNames(input, names, states.head)) names.add(name);
  if (names.size === 0) return [];
  const mentions = createPageFinder(names);
  const found: SampleClaim[] = [];
  for (const page of pages)
    if (mentions(page).length > 0)
      found.push(...(await readCalls(page, (name) => names.has(name))).filter(({ isTouched }) => isTouched));
  return found;
}

/** The types of changed files whose keys a caller has to write otherwise now. */
async function findReshapedTypes(
  files: readonly { readonly path: string; readonly from?: string }[],
  { base, head }: States,
): Promise<Set<string>> {
  const types = new Set<string>();
  for (const { path, from } of files) {
    const now = new Set((await head.surface(path)).map(printKey));
    const old = new Set((await base.surface(from ?? path)).map(printKey));
    for (const key of [...old, ...now])
      if (key !== "" && !(old.has(key) && now.has(key))) types.add(key.split("\0")[0]!);
  }
  return types;
}

/** A key of a type, or the type that an alias stands for. */
function printKey({ owner, name, kind, type, parameters, declaration = "" }: Thing): string {
  if (kind === "symbol" && owner.length === 0 && type !== undefined && !parameters)
    return `${name}\0\0${type}`;
  return owner.length === 1 ? `${owner[0]}\0${name}\0${declaration.slice(0, name.length + 20)}` : "";
}

/** The functions that take one of these types, or a type that has one of them. */
async function findTakers(
  input: ChangeModel["input"],
  types: ReadonlySet<string>,
  states: States,
  depth = DEEPEST_TYPE,
): Promise<string[]> {
  const found: string[] = [];
  const wider = new Set<string>();
  const isOf = (type = ""): boolean => type.match(/[\p{L}_]\w*/gu)?.some((word) => types.has(word)) ?? false;
  for (const paths of (await input.occurrences([...types])).values())
    for (const path of paths.filter((one) => fileKind(one) === "product").slice(0, MOST_TAKERS))
      for (const { name, owner, type, parameters } of await states.head.surface(path))
        if (parameters && (isOf(type) || parameters.some((one) => isOf(one.type)))) found.push(name);
        else if (!parameters && !types.has(owner[0] ?? name) && isOf(type)) {
          wider.add(owner[0] ?? name);
          if (owner.length === 0) found.push(name);
        }
  if (wider.size > 0 && depth > 0)
    found.push(...wider, ...(await findTakers(input, wider, states, depth - 1)));
  return found;
}

/** The other names by which modules pass functions on: `export { createSaw as saw }`. */
async function findPublicNames(
  input: ChangeModel["input"],
  names: ReadonlySet<string>,
  { text }: State,
): Promise<string[]> {
  const paths = [...(await input.occurrences([...names])).values()].flatMap((held) =>
    held.filter((path) => SCRIPT.test(path) && fileKind(path) === "product").slice(0, MOST_TAKERS),
  );
  const texts = await Promise.all([...new Set(paths)].map(text));
  return texts.flatMap((code) =>
    Array.from((code ?? "").matchAll(/([\w$]+)\s+as\s+([\w$]+)/g), ([, own, local]) =>
      names.has(own!) && local !== "default" ? [local!] : [],
    ).flat(),
  );
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|pyi?)$/;
const DEEPEST_TYPE = 2;
const MOST_TAKERS = 20;

async function readCalls(page: DocumentPage, isTouched: (name: string) => boolean): Promise<SampleClaim[]> {
  const samples = await readSamples(page);
  return samples.flatMap((sample) =>
    sample.fragment.calls.map((call) => ({
      page,
      region: { start: sample.region.start + call.region.start, end: sample.region.start + call.region.end },
      sample,
      call,
      isTouched: namesOf(call, sample).some(isTouched),
    })),
  );
}

/** The names that the declaration of a call may have: its own, that which it is imported by, that of its base. */
function namesOf({ callee }: SampleCall, { imports, types }: CodeSample): string[] {
  const [first, ...rest] = callee;
  if (rest.length > 0) return [callee.at(-1)!];
  const imported = imports.flatMap(({ local, name }) => (local === first ? name : []));
  return [first!, ...imported, ...(types.get(first!)?.bases.map((base) => base.at(-1)!) ?? [])];
}

async function judge(claim: SampleClaim, { base, head }: PastStates): Promise<Drift<SampleClaim> | null> {
  if (!base || claim.sample.isPast) return null;
  const bound = await bindCall(claim.call, claim.sample, base);
  if (bound.is === "unbound" || bound.hasForeignBase || !mayJudge(claim, bound.by)) return null;
  const fitting = await findFitting(claim, bound.things, base);
  const [before, ...others] = fitting;
  // What stands outside of a type may be meant as well: only types would tell.
  if (!before || others.some(({ id }) => id !== before.id)) return null;
  const now = await sameFunctions([before], head);
  const fit = await fitAll(claim, now, head);
  const overload = overloadNow(bound.things, now);
  const after = overload ?? now[0];
  if (!after || fit.is !== "misfit") return null;
  const repair = overload && (await repairOf(claim, fit, { before, after }, { base, head }));
  return {
    claim,
    tier: bound.by === "shape" ? "possible" : "likely",
    message: {
      what: fit.why === "not-awaited" ? "async" : "call",
      old: claim.page.text.slice(claim.region.start, claim.region.end),
      new: shown(after),
      owner: after.name,
    },
    evidence: [await evidenceOf(before, after, { base, head })],
    cause: `call:${before.id}`,
    ...defined({ repair }),
  };
}

/** What became of the overload that a call used: the only declaration that is new. */
function overloadNow(was: readonly Thing[], is: readonly Thing[]): Thing | undefined {
  const old = new Set(was.map(printShape));
  const [fresh, ...others] =
    is.length === 1 && was.length === 1 ? is : is.filter((one) => !old.has(printShape(one)));
  return others.length === 0 ? fresh : undefined;
}

async function repairOf(
  claim: SampleClaim,
  { why, name, literal, choices }: CallMisfit,
  things: { readonly before: Thing; readonly after: Thing },
  { base, head }: States,
): Promise<string | undefined> {
  if (why === "not-awaited" || why === "result") return undefined;
  const key = claim.call.arguments.flatMap(({ keys = [] }) => keys).find((one) => one.name === name);
  if (key) {
    const was = await keyTypesFor(key, claim.call, things.before, base);
    const is = await keyTypesFor(key, claim.call, things.after, head);
    return was && is ? repairKey(claim, key, { was, is }) : undefined;
  }
  if (why !== "choice") {
    const asPassed = (thing: Thing): Thing => ({ ...thing, parameters: passedTo(claim.call, thing) });
    return repairCall(claim, { before: asPassed(things.before), after: asPassed(things.after) });
  }
  const was = literal && (await choicesFor(literal, claim.call, things.before, base));
  return literal && was && choices ? repairChoice(claim, literal, { was, is: choices }) : undefined;
}

/** Without an import, only the very declaration that the change touched proves which function a sample means. */
function mayJudge({ isTouched }: SampleClaim, by: CalledBy): boolean {
  return by === "import" || isTouched;
}

async function findFitting(
  claim: SampleClaim,
  things: readonly Thing[],
  state: State,
): Promise<readonly Thing[]> {
  const fits = await Promise.all(things.map((thing) => fitOf(claim, thing, state)));
  return things.filter((_, at) => fits[at]!.is === "fits");
}

async function fitOf(
  { call, sample: { family } }: SampleClaim,
  declared: Thing,
  state: State,
): Promise<CallFit> {
  const parameters = passedTo(call, declared);
  const thing = { ...declared, parameters };
  if (isRecord(thing) !== (call.isLiteral ?? false)) return UNKNOWN;
  const fit = fitCall(call, thing, family);
  // A parameter that only some builds have.
  if (fit.is === "misfit" && /#\[cfg/.test(declared.declaration ?? "")) return UNKNOWN;
  const isField = fit.is === "misfit" && fit.why === "keyword" && call.isLiteral;
  if (isField && (await holdsWord(thing, fit.name!, state))) return UNKNOWN;
  if (fit.is !== "fits") return fit;
  const wrong = await wrongArgument(call, thing, state);
  if (wrong) return { is: "misfit", ...wrong };
  if (isAsync(thing) && !call.isAwaited && call.use === "value") return { is: "misfit", why: "not-awaited" };
  const isShort = call.takes && "values" in call.takes && family === "go" && thing.type !== undefined;
  const isLost = isShort
    ? valuesOf(thing) !== (call.takes as { values: number }).values
    : (await lostField(call, thing, state)) !== undefined;
  return isLost ? { is: "misfit", why: "result" } : fit;
}

/** Whether the declaration of a record has a word that may stand for a field: of an embedded type, of a macro. */
async function holdsWord({ path, region }: Thing, name: string, { text }: State): Promise<boolean> {
  const code = dropComments(path, (await text(path)) ?? "").slice(region.start, region.end);
  return new RegExp(String.raw`\b${name}\b`).test(code);
}

/** How a call fits the best of the overloads. */
async function fitAll(claim: SampleClaim, things: readonly Thing[], state: State): Promise<CallFit> {
  const fits: CallFit[] = [];
  for (const thing of things) fits.push(await fitOf(claim, thing, state));
  return (
    fits.find(({ is }) => is === "fits") ?? fits.find(({ is }) => is === "unknown") ?? fits[0] ?? UNKNOWN
  );
}

function isAsync({ declaration = "", type = "" }: Thing): boolean {
  return (
    /^[^()]*\b(?:async|suspend)\b/.test(declaration) ||
    /^(?:Promise|PromiseLike|Awaitable|Coroutine|Task|ValueTask)\b/.test(type)
  );
}

function shown({ declaration = "", name }: Thing): string {
  return declaration === ""
    ? name
    : declaration.replace(/\s+/g, " ").replace(/(?<!\s)\s*(?:=>|[={:])\s*$/, "");
}

async function evaluate(claim: SampleClaim, state: State): Promise<Truth> {
  if (claim.sample.isPast) return { is: "undecidable", why: "the page tells of another time" };
  const bound = await bindCall(claim.call, claim.sample, state);
  if (bound.is === "unbound") return UNBOUND[bound.why];
  const to = boundTo(bound.things, bound.by);
  const fit = await fitAll(claim, bound.things, state);
  if (fit.is === "fits") return { is: "true", ...to };
  if (fit.is === "unknown" || bound.hasForeignBase)
    return { is: "undecidable", why: "not all arguments are written out", ...to };
  const [{ path, line }] = bound.things;
  return {
    is: "false",
    evidence: [{ path, revision: state.revision, startLine: line, endLine: line }],
    ...to,
  };
}

/** What a call is that names no function for certain: about nothing of the project, or undecidable. */
const UNBOUND: Readonly<Record<UnboundBy, Truth>> = {
  foreign: { is: "none", why: "it belongs to another package or program" },
  "declared-by-the-sample": { is: "none", why: "the sample declares it" },
  "unknown receiver": { is: "none", why: "the sample does not say on what it is called" },
  "no function of that name": { is: "none", why: "the project declares no function of this name" },
  "no-such-member": { is: "undecidable", why: "no such member of the type is read" },
  "not in the module": { is: "undecidable", why: "not read in the module that the sample imports" },
  "several functions": { is: "undecidable", why: "several functions have this name" },
  "too many files": { is: "undecidable", why: "too many files may declare the name" },
};
