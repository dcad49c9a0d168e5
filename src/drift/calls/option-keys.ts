import { closingAt, splitAt } from "../../syntax/source/brackets.ts";
import { dropComments } from "../../syntax/source/doc-comments.ts";
import type { CallArgument, SampleCall, SampleKey, SampleLiteral } from "../../syntax/source/fragment.ts";
import type { State } from "../state/state.ts";
import type { Thing, ThingParameter } from "../surface/thing.ts";
import { findDeclared } from "./declared.ts";
import { resolveName } from "./resolve.ts";

/** A key of an options object: its type, the file that writes it, and whether the object must have it. */
type OptionKey = { readonly isRequired: boolean; readonly type: string; readonly path: string };
type OptionKeys = ReadonlyMap<string, OptionKey>;

const DEEPEST = 10;

/** Where a type is written: in a file of a state. */
type TypePlace = { readonly state: State; readonly path: string };

/** What a type does not allow in the arguments of a call. */
export type WrongArgument =
  | { readonly why: "keyword"; readonly name: string }
  | { readonly why: "choice"; readonly literal: SampleLiteral; readonly choices: ReadonlySet<string> };

/**
 * A key that the options type does not have, a required one that the object of a call lacks, or a string that is none of
 * the choices; null where the arguments fit.
 */
export async function wrongArgument(
  call: SampleCall,
  thing: Thing,
  state: State,
): Promise<WrongArgument | null> {
  for (const argument of call.arguments) {
    const known = argument.keys ? await keysFor(argument, call, thing, state) : null;
    const name = known && wrongKey(argument.keys!, known);
    if (name) return { why: "keyword", name };
  }
  for (const literal of literalsOf(call)) {
    const choices = await choicesFor(literal, call, thing, state);
    if (choices && !choices.has(literal.text)) return { why: "choice", literal, choices };
  }
  return null;
}

/** A field that a call takes out of a result that has none of that name. */
export async function lostField(
  { takes, isAwaited }: SampleCall,
  { type, path }: Thing,
  state: State,
): Promise<string | undefined> {
  if (!takes || !("fields" in takes) || type === undefined) return undefined;
  const result = isAwaited ? type.replace(/^(?:Promise|PromiseLike)<([\s\S]*)>$/, "$1") : type;
  const known = await keysOf(result, { state, path }, DEEPEST);
  return known ? takes.fields.find((name) => !known.has(name)) : undefined;
}

/** How many values a function of Go returns: `(*Board, error)`. */
export function valuesOf({ type = "" }: Thing): number {
  const list = /^\(([\s\S]*)\)$/.exec(type.trim())?.[1];
  return list === undefined ? 1 : splitAt(list, ",").length;
}

function parameterOf(
  argument: CallArgument,
  call: SampleCall,
  { parameters = [] }: Thing,
): ThingParameter | undefined {
  const { keyword } = argument;
  if (keyword) return parameters.find(({ name }) => name === keyword.name);
  return parameters[call.arguments.indexOf(argument)];
}

/** The keys of the object that an argument may be: of the type of its parameter, or those that the parameter takes apart. */
async function keysFor(
  argument: CallArgument,
  call: SampleCall,
  thing: Thing,
  state: State,
): Promise<OptionKeys | null> {
  const { name, type } = parameterOf(argument, call, thing) ?? {};
  const { path, owner } = thing;
  if (type !== undefined) return keysOf(type, { state, path }, DEEPEST);
  if (!name?.startsWith("{") || name.includes("...")) return null;
  const own = [...owner, thing.name].join(".");
  const taken = (await state.surface(path)).filter(
    (one) => one.kind === "parameter" && one.owner.join(".").replace(/\.constructor$/, "") === own,
  );
  return new Map(taken.map((one) => [one.name, { isRequired: false, type: "", path }]));
}

function literalsOf({ arguments: list }: SampleCall): SampleLiteral[] {
  return list.flatMap(({ literal, keys = [] }) =>
    [literal, ...keys.map((key) => key.literal)].flatMap((one) => one ?? []),
  );
}

/** The strings that may stand in the place of one that a call passes; null where others may too. */
export async function choicesFor(
  literal: SampleLiteral,
  call: SampleCall,
  thing: Thing,
  state: State,
): Promise<ReadonlySet<string> | null> {
  const { path } = thing;
  for (const argument of call.arguments) {
    const type = parameterOf(argument, call, thing)?.type;
    if (argument.literal === literal)
      return type === undefined ? null : choicesOf(type, { state, path }, DEEPEST);
    const key = argument.keys?.find((one) => one.literal === literal);
    const own = key && (await keysFor(argument, call, thing, state))?.get(key.name);
    if (key) return own ? choicesOf(own.type, { state, path: own.path }, DEEPEST) : null;
  }
  return null;
}

/** The type of each key of the object in which a call has a key; null where not all of them can be listed. */
export async function keyTypesFor(
  key: SampleKey,
  call: SampleCall,
  thing: Thing,
  state: State,
): Promise<ReadonlyMap<string, string> | null> {
  const argument = call.arguments.find(({ keys }) => keys?.includes(key));
  const keys = argument ? await keysFor(argument, call, thing, state) : null;
  return keys && new Map([...keys].map(([name, one]) => [name, one.type.trim()]));
}

/** A key that an object may not have, or one that it lacks. */
function wrongKey(keys: readonly SampleKey[], known: OptionKeys): string | undefined {
  const given = new Set(keys.map(({ name }) => name));
  return (
    [...given].find((name) => !known.has(name)) ??
    [...known].find(([name, { isRequired }]) => isRequired && !given.has(name))?.[0]
  );
}

/** The strings that a type allows; null where it allows others too. */
async function choicesOf(type: string, place: TypePlace, depth: number): Promise<ReadonlySet<string> | null> {
  const listed = /^(?:typing\.)?Literal\[([\s\S]*)\]$/.exec(type.trim())?.[1];
  const choices = new Set<string>();
  for (const part of listed === undefined ? splitAt(type, "|") : splitAt(listed, ",")) {
    const one = part.trim();
    if (one === "" || /^(?:undefined|null|None)$/.test(one)) continue;
    // What Python quotes outside of a list of literals is the name of a type.
    const isString = listed !== undefined || !place.path.endsWith(".py");
    const quoted = isString ? /^(["'])([^"']*)\1$/.exec(one)?.[2] : undefined;
    const named = quoted === undefined && depth > 0 ? await choicesOfNamed(one, place, depth - 1) : null;
    if (quoted === undefined && named === null) return null;
    for (const choice of named ?? [quoted!]) choices.add(choice);
  }
  return choices.size > 0 ? choices : null;
}

async function choicesOfNamed(
  name: string,
  place: TypePlace,
  depth: number,
): Promise<ReadonlySet<string> | null> {
  const declared = /^[A-Z]\w*$/.test(name) ? await findOne(name, place) : undefined;
  const type = declared?.type;
  return declared && type !== undefined && /^\s*\|?\s*["']/.test(type)
    ? choicesOf(type, { ...place, path: declared.path }, depth)
    : null;
}

/** The type of a name: in the file that writes it, in the file that it imports it from, or the only one. */
async function findOne(written: string, { state, path }: TypePlace): Promise<Thing | undefined> {
  const [name, space] = written.split(".").reverse() as [string, string?];
  const near = (await state.surface(path)).filter((one) => one.kind === "symbol" && one.name === name);
  if (space === undefined && near.length === 1) return near[0];
  const all = (await findDeclared(name, { family: "javascript", state, owner: space })) ?? [];
  const within = all.filter(({ owner }) => owner.at(-1) === space);
  if (space !== undefined && within.length > 0) return within.length === 1 ? within[0] : undefined;
  const top = all.filter(({ kind, owner }) => kind === "symbol" && owner.length === 0);
  if (top.length < 2) return top[0];
  const own = await resolveName(name, path, state);
  const [one, ...others] = top.filter((thing) => thing.path === own);
  return others.length === 0 ? one : undefined;
}

/** The keys of an object type as TypeScript writes it; null where not all of them can be listed. */
async function keysOf(type: string, place: TypePlace, depth: number): Promise<OptionKeys | null> {
  const text = type.trim().replace(/^\|/, "").trim();
  if (text.startsWith("(") && closingAt(text, 0) === text.length - 1)
    return keysOf(text.slice(1, -1), place, depth);
  const parts = splitAt(text, "&");
  if (parts.length > 1) return joined(parts, place, depth);
  const choices = splitAt(text, "|").filter((part) => !NO_OBJECT.test(part.trim()));
  const [only = "", ...others] = choices.map((part) => part.trim());
  if (only === "" || depth === 0) return null;
  if (others.length > 0) {
    // An object of one of several types may have the keys of each.
    const all = await joined(choices, place, depth);
    return all && new Map([...all].map(([key, own]) => [key, { ...own, isRequired: false }]));
  }
  if (only.startsWith("{")) return readMembers(only.slice(1, only.lastIndexOf("}")), place.path);
  const named = /^((?:\w+\.)*[A-Za-z_]\w*)(?:<([\s\S]*)>)?$/.exec(only);
  if (!named) return null;
  const [, name, inner = ""] = named;
  if (/^(?:Partial|Readonly|Required|NoInfer)$/.test(name!)) {
    const keys = await keysOf(inner, place, depth - 1);
    if (!keys || name === "Readonly" || name === "NoInfer") return keys;
    const isRequired = name === "Required";
    return new Map([...keys].map(([key, own]) => [key, { ...own, isRequired }]));
  }
  if (/^(?:Omit|Pick)$/.test(name!)) return keysOfPart(name === "Pick", inner, place, depth);
  return keysOfDeclared(name!, splitAt(inner, ","), place, depth - 1);
}

const NO_OBJECT = /^(?:undefined|null|string|number|boolean|bigint|symbol|true|false|["'\d].*)?$/;

/** `Pick<A, "b" | "c">`, `Omit<A, "b">`. */
async function keysOfPart(
  isPick: boolean,
  inner: string,
  place: TypePlace,
  depth: number,
): Promise<OptionKeys | null> {
  const [of = "", chosen = ""] = splitAt(inner, ",");
  const keys = await keysOf(of, place, depth - 1);
  const named = await choicesOf(chosen, place, 0);
  return keys && named && new Map([...keys].filter(([key]) => named.has(key) === isPick));
}

async function joined(types: readonly string[], place: TypePlace, depth: number): Promise<OptionKeys | null> {
  const all = new Map<string, OptionKey>();
  for (const type of types) {
    const keys = await keysOf(type, place, depth);
    if (!keys) return null;
    for (const [key, own] of keys) all.set(key, own);
  }
  return all;
}

/** `interface A extends B { … }`, `type A<T> = B<T> & { … }`. */
async function keysOfDeclared(
  name: string,
  given: readonly string[],
  place: TypePlace,
  depth: number,
): Promise<OptionKeys | null> {
  const declared = await findOne(name, place);
  if (!declared) return null;
  const { path, region } = declared;
  const own = { ...place, path };
  const text = dropComments(path, (await place.state.text(path)) ?? "").slice(region.start, region.end);
  const head = /\b(?:type|interface)\s+\w+/.exec(text);
  if (!head) return null;
  const rest = text.slice(head.index + head[0].length);
  const list = rest.startsWith("<") ? rest.slice(0, closingAt(rest, 0) + 1) : "";
  const fill = (type: string): string => withArguments(type, namesIn(list), given);
  const body = rest.slice(list.length).trim();
  if (head[0].startsWith("type"))
    return body.startsWith("=") ? keysOf(fill(body.slice(1).replace(/;\s*$/, "")), own, depth) : null;
  const open = body.indexOf("{");
  const bases = /^extends\b([\s\S]*)$/.exec(body.slice(0, open).trim())?.[1];
  const parts = bases === undefined ? [] : splitAt(fill(bases), ",");
  return open < 0 ? null : joined([...parts, body.slice(open)], own, depth);
}

/** `<A extends B, C = D>`: A, C. */
function namesIn(list: string): readonly string[] {
  return splitAt(list.slice(1, -1), ",").map((part) => /^\s*(?:const\s+)?(\w+)/.exec(part)?.[1] ?? "");
}

/** A type with what it is given in place of its parameters. */
function withArguments(type: string, names: readonly string[], given: readonly string[]): string {
  return names.every((name) => name === "")
    ? type
    : type.replace(/\b[A-Za-z_]\w*\b/g, (word) => {
        const at = names.indexOf(word);
        return at < 0 ? word : (given[at]?.trim() ?? word);
      });
}

/** The members between the braces of an object type; null where one has no name of its own. */
function readMembers(body: string, path: string): OptionKeys | null {
  const keys = new Map<string, OptionKey>();
  for (const line of splitAt(body, ";", ",", "\n")) {
    const member = line.trim();
    if (member === "" || /^[|&?:=]/.test(member)) continue;
    const named = /^(?:readonly\s+)?(["']?)([\w$-]+)\1(\??)\s*([:(<])/.exec(member);
    if (!named) return null;
    const [whole, , name, mark, sign] = named;
    const type = sign === ":" ? member.slice(whole.length) : "function";
    keys.set(name!, { isRequired: mark === "" && !keys.has(name!), type, path });
  }
  return keys.size > 0 ? keys : null;
}
