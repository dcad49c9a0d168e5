import { dropComments } from "../../syntax/source/doc-comments.ts";
import type { CallArgument, SampleCall, SampleKey, SampleLiteral } from "../../syntax/source/fragment.ts";
import type { State } from "../state/state.ts";
import type { ThingParameter } from "../surface/thing.ts";
import { findDeclared } from "./declared.ts";

/** The keys that an options object may have, each with its type and whether the object must have it. */
type OptionKeys = ReadonlyMap<string, { readonly isRequired: boolean; readonly type: string }>;

const DEEPEST = 6;

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
  parameters: readonly ThingParameter[],
  state: State,
): Promise<WrongArgument | null> {
  for (const [at, argument] of call.arguments.entries()) {
    const type = typeOf(argument, at, parameters);
    const known = argument.keys && type !== undefined ? await keysOf(type, state, DEEPEST) : null;
    const name = known && wrongKey(argument.keys!, known);
    if (name) return { why: "keyword", name };
  }
  for (const literal of literalsOf(call)) {
    const choices = await choicesFor(literal, call, parameters, state);
    if (choices && !choices.has(literal.text)) return { why: "choice", literal, choices };
  }
  return null;
}

function typeOf(
  { keyword }: CallArgument,
  at: number,
  parameters: readonly ThingParameter[],
): string | undefined {
  return (keyword ? parameters.find(({ name }) => name === keyword.name) : parameters[at])?.type;
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
  parameters: readonly ThingParameter[],
  state: State,
): Promise<ReadonlySet<string> | null> {
  for (const [at, argument] of call.arguments.entries()) {
    const type = typeOf(argument, at, parameters);
    if (type === undefined) continue;
    if (argument.literal === literal) return choicesOf(type, state, DEEPEST);
    const key = argument.keys?.find((one) => one.literal === literal);
    const own = key && (await keysOf(type, state, DEEPEST))?.get(key.name);
    if (key) return own ? choicesOf(own.type, state, DEEPEST) : null;
  }
  return null;
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
async function choicesOf(type: string, state: State, depth: number): Promise<ReadonlySet<string> | null> {
  const listed = /^(?:typing\.)?Literal\[([\s\S]*)\]$/.exec(type.trim())?.[1];
  const choices = new Set<string>();
  for (const part of listed === undefined ? splitAt(type, "|") : splitAt(listed, ",")) {
    const one = part.trim();
    if (one === "" || /^(?:undefined|null|None)$/.test(one)) continue;
    const quoted = /^(["'])([^"']*)\1$/.exec(one)?.[2];
    const named = quoted === undefined && depth > 0 ? await choicesOfNamed(one, state, depth - 1) : null;
    if (quoted === undefined && named === null) return null;
    for (const choice of named ?? [quoted!]) choices.add(choice);
  }
  return choices.size > 0 ? choices : null;
}

async function choicesOfNamed(
  name: string,
  state: State,
  depth: number,
): Promise<ReadonlySet<string> | null> {
  if (!/^[A-Z]\w*$/.test(name)) return null;
  const [declared, ...others] = (await findDeclared(name, { family: "javascript", state })) ?? [];
  const type = others.length === 0 ? declared?.type : undefined;
  return type !== undefined && /^\s*\|?\s*["']/.test(type) ? choicesOf(type, state, depth) : null;
}

/** The keys of an object type as TypeScript writes it; null where not all of them can be listed. */
async function keysOf(type: string, state: State, depth: number): Promise<OptionKeys | null> {
  const text = type.trim().replace(/^\|/, "").trim();
  const parts = splitAt(text, "&");
  if (parts.length > 1) return joined(parts, state, depth);
  const choices = splitAt(text, "|").filter((part) => !/^(?:undefined|null)$/.test(part.trim()));
  if (choices.length !== 1 || depth === 0) return null;
  const only = choices[0]!.trim();
  if (only.startsWith("{")) return readMembers(only.slice(1, only.lastIndexOf("}")));
  const named = /^([A-Za-z_]\w*)(?:<([\s\S]*)>)?$/.exec(only);
  if (!named) return null;
  const [, name, inner = ""] = named;
  if (/^(?:Partial|Readonly|Required)$/.test(name!)) {
    const keys = await keysOf(inner, state, depth - 1);
    if (!keys || name === "Readonly") return keys;
    const isRequired = name === "Required";
    return new Map([...keys].map(([key, { type: own }]) => [key, { isRequired, type: own }]));
  }
  if (/^(?:Omit|Pick)$/.test(name!)) return keysOfPart(name === "Pick", inner, state, depth);
  return keysOfDeclared(name!, state, depth - 1);
}

/** `Pick<A, "b" | "c">`, `Omit<A, "b">`. */
async function keysOfPart(
  isPick: boolean,
  inner: string,
  state: State,
  depth: number,
): Promise<OptionKeys | null> {
  const [of = "", chosen = ""] = splitAt(inner, ",");
  const keys = await keysOf(of, state, depth - 1);
  const named = await choicesOf(chosen, state, 0);
  return keys && named && new Map([...keys].filter(([key]) => named.has(key) === isPick));
}

async function joined(types: readonly string[], state: State, depth: number): Promise<OptionKeys | null> {
  const all = new Map<string, { readonly isRequired: boolean; readonly type: string }>();
  for (const type of types) {
    const keys = await keysOf(type, state, depth);
    if (!keys) return null;
    for (const [key, own] of keys) all.set(key, own);
  }
  return all;
}

/** `interface A extends B { … }`, `type A = B & { … }`. */
async function keysOfDeclared(name: string, state: State, depth: number): Promise<OptionKeys | null> {
  const [declared, ...others] = (await findDeclared(name, { family: "javascript", state })) ?? [];
  if (!declared || others.length > 0) return null;
  const { path, region } = declared;
  const text = dropComments(path, (await state.text(path)) ?? "").slice(region.start, region.end);
  const alias = /\btype\s+\w+(?:<[^=]*>)?\s*=/.exec(text);
  if (alias) return keysOf(text.slice(alias.index + alias[0].length).replace(/;\s*$/, ""), state, depth);
  const head = /\binterface\s+\w+([^{]*)\{/.exec(text);
  if (!head) return null;
  const bases = /\bextends\b([\s\S]*)$/.exec(head[1]!)?.[1];
  const body = text.slice(head.index + head[0].length - 1);
  return joined([...(bases === undefined ? [] : splitAt(bases, ",")), body], state, depth);
}

/** The members between the braces of an object type; null where one has no name of its own. */
function readMembers(body: string): OptionKeys | null {
  const keys = new Map<string, { readonly isRequired: boolean; readonly type: string }>();
  for (const line of splitAt(body, ";", ",", "\n")) {
    const member = line.trim();
    if (member === "" || /^[|&?:=]/.test(member)) continue;
    const named = /^(?:readonly\s+)?(["']?)([\w$-]+)\1(\??)\s*([:(<])/.exec(member);
    if (!named) return null;
    const [whole, , name, mark, sign] = named;
    const type = sign === ":" ? member.slice(whole.length) : "function";
    keys.set(name!, { isRequired: mark === "" && !keys.has(name!), type });
  }
  return keys.size > 0 ? keys : null;
}

/** The parts of a type between separators that stand in no brackets. */
function splitAt(text: string, ...separators: readonly string[]): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if ("([{<".includes(sign)) depth++;
    else if (")]}".includes(sign) || (sign === ">" && text[at - 1] !== "=")) depth--;
    if (depth > 0 || !separators.includes(sign)) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}
