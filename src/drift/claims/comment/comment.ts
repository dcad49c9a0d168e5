import { parsedLanguageAt } from "../../../syntax/languages/registry.ts";
import { findConstructors } from "../../../syntax/source/constructors.ts";
import type { Declaration, Parameter } from "../../../syntax/source/declaration.ts";
import { outlineSource } from "../../../syntax/source/source.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Evidence } from "../../../text/model/edit.ts";
import { lineNumber } from "../../../text/model/lines.ts";
import { boundTo } from "../../binding/bound-by.ts";
import { isKindOf, lastName, raisedIn, raisedInstead } from "../../calls/raised.ts";
import { isPlain, renamedParameter } from "../../calls/renamed-parameter.ts";
import { type ChangeModel, type DocumentPage, openPage } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { fold } from "../../change/names.ts";
import type { Message } from "../../findings.ts";
import type { State } from "../../state/state.ts";
import type { States } from "../../state/states.ts";
import type { ThingParameter } from "../../surface/thing.ts";
import type { Claim, Drift, Kind, PastStates, Truth } from "../claim.ts";
import { readCoded, readWritten, respell, sameValue } from "../value/measures.ts";
import { type CommentEntry, readEntries } from "./entries.ts";
import { nullable, sameType, widens } from "./types.ts";

/** An entry of a doc comment. The page is the source file. */
export type CommentClaim = Claim & {
  readonly entry: CommentEntry;
  /** The path of the declaration below the comment, and which of the declarations with that path it is. */
  readonly path: readonly string[];
  readonly nth: number;
  /** The names that the same comment has entries for. */
  readonly documented: ReadonlySet<string>;
};

export const comment: Kind<"comment", CommentClaim> = {
  name: "comment",
  docs: "A doc comment names a parameter, a type, an error or a default that the declaration below it no longer has.",
  mayEdit: true,
  read: async (page) => claimsOf(page, await sourceOf(page.path, page.whole)),
  touched: findTouched,
  judge,
  evaluate,
};

async function evaluate(claim: CommentClaim, state: State): Promise<Truth> {
  const { truth, source, by } = await truthIn(claim, state, "own");
  if (!source || !by) return truth;
  const line = lineNumber(source.text, by.nameRegion.start);
  return { ...truth, ...boundTo([{ name: by.name, path: source.path, line }], "declaration") };
}

/** The declarations of a source file. */
type Source = { readonly path: string; readonly text: string; readonly declarations: readonly Declaration[] };

async function findTouched({ input }: ChangeModel, { base, head }: States): Promise<CommentClaim[]> {
  if (input.comments === false) return [];
  const found: CommentClaim[] = [];
  for (const { path, before, after } of input.files) {
    if (before === null || after === null || fileKind(path) !== "product") continue;
    const [old, now] = [await openSource(base, path), await openSource(head, path)];
    if (!old || !now) continue;
    const known = new Set(old.declarations.map((one) => printDeclaration(old, one)));
    const claims = claimsOf(openPage(path, after), now);
    found.push(
      ...claims.filter(
        (claim) =>
          claim.entry.of === "default" || !known.has(printDeclaration(now, declarationOf(claim, now)!)),
      ),
    );
  }
  return found;
}

/** A declaration without its comment: what an entry can be true or false about. */
function printDeclaration(source: Source, declaration: Declaration): string {
  const own = codeOf(source, declaration);
  return `${declaration.path.join("\0")}\0${own.replace(/\s+/g, " ").trim()}`;
}

function claimsOf(page: DocumentPage, { text, declarations }: Source): CommentClaim[] {
  const counts = new Map<string, number>();
  return declarations.flatMap((declaration) => {
    const key = declaration.path.join("\0");
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    if (!declaration.doc || declaration.visibility === "private") return [];
    const entries = readEntries(text, declaration.doc);
    const documented = new Set(entries.map(({ name }) => name));
    return entries.map((entry) => ({
      page,
      region: entry.region,
      entry,
      path: declaration.path,
      nth,
      documented,
    }));
  });
}

function declarationOf({ path, nth }: CommentClaim, { declarations }: Source): Declaration | undefined {
  return declarations.filter((one) => isSamePath(one.path, path))[nth];
}

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}

async function judge(claim: CommentClaim, { base, head }: PastStates): Promise<Drift<CommentClaim> | null> {
  if (!base) return null;
  const before = await truthIn(claim, base, "any");
  if (before.truth.is !== "true" || !before.by) return null;
  const after = await truthIn(claim, head, "own");
  if (after.truth.is !== "false" || !after.by) return null;
  const successor = successorOf(claim, before as CommentAnswer, after as CommentAnswer);
  if (
    claim.entry.of === "error" &&
    (successor === undefined || (await isKindOf(successor, claim.entry.says, head)))
  )
    return null;
  const owner = claim.path.at(-1)!;
  return {
    claim,
    tier: "likely",
    message: messageOf(claim, owner, successor ?? after.truth.now),
    evidence: [evidenceOf(before as CommentAnswer, after as CommentAnswer, head)],
    cause: `${claim.entry.of}:${claim.path.join(".")}.${claim.entry.says}`,
    ...defined({ repair: successor }),
  };
}

function messageOf({ entry }: CommentClaim, owner: string, now: string | undefined): Message {
  const said = { old: entry.says, ...defined({ new: now }) };
  switch (entry.of) {
    case "parameter":
      return now === undefined ? { what: "parameter", ...said, owner } : { what: "renamed", ...said, owner };
    case "error":
      return { what: "renamed", ...said, owner };
    case "default":
      return { what: "value", ...said, owner: entry.name || owner };
    case "type":
      return { what: "value", ...said, owner: entry.name };
    case "result":
    case "returns":
      return { what: "result", ...said, owner };
  }
}

function evidenceOf(before: CommentAnswer, after: CommentAnswer, { revision }: State): Evidence {
  const { path } = after.source;
  const [was, is] = [lineOf(before), lineOf(after)];
  return { path, revision, startLine: is.line, endLine: is.line, before: was.text, after: is.text };
}

function lineOf({ source, by }: CommentAnswer): { line: number; text: string } {
  const { text } = source;
  const at = by.nameRegion.start;
  const end = text.indexOf("\n", at);
  const words = text.slice(text.lastIndexOf("\n", at - 1) + 1, end < 0 ? text.length : end);
  return { line: lineNumber(text, at), text: words.replace(/\r$/, "") };
}

/** What a state says, and the declaration that says it. */
type CommentAnswer = { readonly truth: Truth; readonly source: Source; readonly by: Declaration };

const UNKNOWN = { is: "undecidable", why: "the declaration does not say" } as const;

/** Overloads of a language with one comment for all of them are asked together. */
const ONE_COMMENT = /^(?:javascript|typescript|tsx|python|component)$/;

async function truthIn(
  claim: CommentClaim,
  state: State,
  which: "own" | "any",
): Promise<{ readonly truth: Truth; readonly source?: Source; readonly by?: Declaration }> {
  const source = await openSource(state, claim.page.path);
  if (!source) return { truth: UNKNOWN };
  const all = source.declarations.filter(({ path }) => isSamePath(path, claim.path));
  const merged = ONE_COMMENT.test(parsedLanguageAt(source.path, source.text)?.name ?? "");
  const asked = which === "any" || merged ? all : all.slice(claim.nth, claim.nth + 1);
  let answer: { readonly truth: Truth; readonly by: Declaration } | undefined;
  for (const by of asked) {
    const truth = await truthFor(claim.entry, by, { source, state });
    if (truth.is === "true") return { truth, source, by };
    if (answer === undefined || truth.is === "undecidable") answer = { truth, by };
  }
  return answer ? { ...answer, source } : { truth: UNKNOWN };
}

type SourcePlace = { readonly source: Source; readonly state: State };

async function truthFor(entry: CommentEntry, by: Declaration, place: SourcePlace): Promise<Truth> {
  switch (entry.of) {
    case "parameter":
      return hasParameter(entry.name, parametersOf(by, place.source));
    case "type": {
      const list = parametersOf(by, place.source) ?? [];
      return isOfType(entry.says, typeOf(list.find(({ name }) => name === entry.name)), "parameter");
    }
    case "result":
      return isOfType(entry.says, by.returns, "result");
    case "returns":
      return by.returns === undefined
        ? UNKNOWN
        : NO_RESULT.test(by.returns)
          ? falseNow(by.returns)
          : { is: "true" };
    case "error":
      return raisedIn(codeOf(place.source, by)).has(lastName(entry.says)) ? { is: "true" } : falseNow();
    case "default":
      return hasDefault(entry, by, place);
  }
}

/** A declaration without its doc comment. */
function codeOf({ text }: Source, { region, doc }: Declaration): string {
  return doc
    ? text.slice(region.start, doc.start) + text.slice(doc.end, region.end)
    : text.slice(region.start, region.end);
}

function falseNow(now?: string): Truth {
  return { is: "false", evidence: [], ...defined({ now }) };
}

function hasParameter(name: string, list: readonly Parameter[] | undefined): Truth {
  if (!list) return UNKNOWN;
  if (list.some((one) => one.name === name)) return { is: "true" };
  return list.every(isPlain) ? falseNow() : UNKNOWN;
}

/** The type of a parameter. One that is nothing by default may be nothing, whatever its type says. */
function typeOf(parameter: Parameter | undefined): string | undefined {
  const { type, default: value = "" } = parameter ?? {};
  return type !== undefined && /^(?:null|None|nil)$/i.test(value) ? nullable(type) : type;
}

const NO_RESULT = /^(?:void|Unit|None|nil|(?:Promise|Task|ValueTask)<void>|Task|ValueTask)$/;

function isOfType(said: string, declared: string | undefined, of: "parameter" | "result"): Truth {
  if (declared === undefined) return UNKNOWN;
  if (sameType(said, declared)) return { is: "true" };
  // A parameter that takes more than before still takes what the comment says.
  return of === "parameter" && widens(said, declared) ? UNKNOWN : falseNow(declared);
}

async function hasDefault(
  entry: CommentEntry,
  by: Declaration,
  { source, state }: SourcePlace,
): Promise<Truth> {
  const list = entry.name === "" ? undefined : parametersOf(by, source);
  const parameter = list?.find(({ name }) => name === entry.name);
  const value = parameter
    ? parameter.default
    : entry.name === "" && !by.parameters
      ? await fieldValue(by, source, state)
      : undefined;
  if (value === undefined) return UNKNOWN;
  const measure = readCoded(value);
  if (sameValue(readWritten(entry.says), measure)) return { is: "true" };
  return measure.is === "expression" ? UNKNOWN : falseNow(value);
}

/** The value of a field or a constant: its own, or the one that the surface reads elsewhere in the file. */
async function fieldValue(by: Declaration, { path }: Source, state: State): Promise<string | undefined> {
  if (by.value !== undefined) return by.value;
  const things = await state.surface(path);
  const owner = by.path.slice(0, -1);
  const taken = things.find(({ parameters = [] }) => parameters.some((one) => isTaken(one, by.name, owner)));
  const unpacked = things.find(
    ({ kind, name, owner: [of] }) => kind === "parameter" && name === by.name && of === taken?.name,
  );
  if (unpacked?.value !== undefined) return unpacked.value;
  const own = things.find((thing) => thing.name === by.name && isSamePath(thing.owner, owner));
  if (own?.value !== undefined) return own.value;
  const settings = things.filter(({ kind, name }) => kind === "setting" && fold(name) === fold(by.name));
  return settings.length === 1 ? settings[0]!.value : undefined;
}

/** Whether a parameter takes the owner of a field apart and gives that field a default: `{ depth = 3 }: Options`. */
function isTaken({ name, type = "" }: ThingParameter, field: string, owner: readonly string[]): boolean {
  const of = owner.at(-1);
  const gives = new RegExp(String.raw`^\{[^]*\b${field}\s*=`);
  return of !== undefined && new RegExp(String.raw`\b${of}\b`).test(type) && gives.test(name);
}

/** The parameters of a function; of a type, those of its constructor or the fields that a constructor is made from. */
function parametersOf(by: Declaration, source: Source): readonly Parameter[] | undefined {
  if (by.parameters) return by.parameters;
  const [maker, ...others] = findConstructors(source.declarations, source).get(by.path.join("\0")) ?? [];
  return others.length === 0 ? maker?.parameters : undefined;
}

/** The words that the declaration gives for certain in place of those that are false. */
function successorOf(
  { entry, documented }: CommentClaim,
  before: CommentAnswer,
  after: CommentAnswer,
): string | undefined {
  switch (entry.of) {
    case "parameter": {
      const now = renamedParameter(entry.name, {
        was: parametersOf(before.by, before.source) ?? [],
        is: parametersOf(after.by, after.source) ?? [],
      });
      return now !== undefined && !documented.has(now) ? now : undefined;
    }
    case "error": {
      return raisedInstead(entry.says, {
        was: raisedIn(codeOf(before.source, before.by)),
        is: raisedIn(codeOf(after.source, after.by)),
      });
    }
    case "type":
    case "result": {
      const now = after.truth.is === "false" ? after.truth.now : undefined;
      return now !== undefined && now.length <= 60 ? now : undefined;
    }
    case "returns":
      return undefined;
    case "default":
      return respelled(entry.says, before, after);
  }
}

function respelled(says: string, before: CommentAnswer, after: CommentAnswer): string | undefined {
  const now = after.truth.is === "false" ? after.truth.now : undefined;
  if (now === undefined || before.truth.is !== "true") return undefined;
  const measure = readCoded(now);
  const factor = measure.is === "number" ? unitFactor(says) / (measure.unit?.scale ?? 1) : 1;
  return respell(says, measure, factor) ?? undefined;
}

/** How many units of the declaration one unit of the comment has. */
function unitFactor(says: string): number {
  const written = readWritten(says);
  return written.is === "number" ? (written.unit?.scale ?? 1) : 1;
}

const opened = new WeakMap<State, Map<string, Promise<Source | null>>>();

/** The declarations of a file in a state, read once. */
function openSource(state: State, path: string): Promise<Source | null> {
  const known = opened.get(state) ?? new Map<string, Promise<Source | null>>();
  opened.set(state, known);
  const source =
    known.get(path) ?? state.text(path).then((text) => (text === null ? null : sourceOf(path, text)));
  known.set(path, source);
  return source;
}

async function sourceOf(path: string, text: string): Promise<Source> {
  const { declarations } = await outlineSource(path, text);
  return { path, text, declarations };
}
