import { splitAt } from "../../syntax/source/brackets.ts";
import type { CallArgument, SampleCall, SampleKey, SampleLiteral } from "../../syntax/source/fragment.ts";
import type { State } from "../state/state.ts";
import type { Thing, ThingParameter } from "../surface/thing.ts";
import { bareType, findOne, membersIn, readNamed, type TypePlace, unfold } from "./written-types.ts";

/** A key of an options object: its type, the file that writes it, and whether the object must have it. */
type OptionKey = { readonly isRequired: boolean; readonly type: string; readonly path: string };
type OptionKeys = ReadonlyMap<string, OptionKey>;

const DEEPEST = 10;

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

/** The keys of an object type as TypeScript writes it; null where not all of them can be listed. */
async function keysOf(type: string, place: TypePlace, depth: number): Promise<OptionKeys | null> {
  const text = bareType(type);
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
  if (only.startsWith("{")) return readMembers(only, place.path);
  const named = readNamed(only);
  if (!named) return null;
  const { name, given } = named;
  if (/^(?:Partial|Readonly|Required|NoInfer)$/.test(name)) {
    const keys = await keysOf(given[0]!, place, depth - 1);
    if (!keys || name === "Readonly" || name === "NoInfer") return keys;
    const isRequired = name === "Required";
    return new Map([...keys].map(([key, own]) => [key, { ...own, isRequired }]));
  }
  if (/^(?:Omit|Pick)$/.test(name)) return keysOfPart(name === "Pick", given, place, depth);
  const meant = await unfold(named, place);
  return meant && joined(meant.parts, { ...place, path: meant.path }, depth - 1);
}

const NO_OBJECT = /^(?:undefined|null|string|number|boolean|bigint|symbol|true|false|["'\d].*)?$/;

/** `Pick<A, "b" | "c">`, `Omit<A, "b">`. */
async function keysOfPart(
  isPick: boolean,
  [of = "", chosen = ""]: readonly string[],
  place: TypePlace,
  depth: number,
): Promise<OptionKeys | null> {
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

/** The members between the braces of an object type; null where one has no name of its own. */
function readMembers(text: string, path: string): OptionKeys | null {
  const keys = new Map<string, OptionKey>();
  for (const member of membersIn(text)) {
    const named = /^(?:readonly\s+)?(["']?)([\w$-]+)\1(\??)\s*([:(<])/.exec(member);
    if (!named) return null;
    const [whole, , name, mark, sign] = named;
    const type = sign === ":" ? member.slice(whole.length) : "function";
    keys.set(name!, { isRequired: mark === "" && !keys.has(name!), type, path });
  }
  return keys.size > 0 ? keys : null;
}
