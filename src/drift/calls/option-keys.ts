import { dropComments } from "../../syntax/source/doc-comments.ts";
import type { SampleCall } from "../../syntax/source/fragment.ts";
import type { State } from "../state/state.ts";
import type { ThingParameter } from "../surface/thing.ts";
import { findDeclared } from "./declared.ts";

/** The keys that an options object may have, each with whether it must have it. */
type OptionKeys = ReadonlyMap<string, boolean>;

const DEEPEST = 6;

/** A key that the options type does not have, or a required one that the object of a call lacks; null where it fits. */
export async function wrongKey(
  call: SampleCall,
  parameters: readonly ThingParameter[],
  state: State,
): Promise<string | null> {
  for (const [at, { keys }] of call.arguments.entries()) {
    const type = parameters[at]?.type;
    const known = keys && type !== undefined ? await keysOf(type, state, DEEPEST) : null;
    if (!known || !keys) continue;
    const given = new Set(keys.map(({ name }) => name));
    const unknown = [...given].find((name) => !known.has(name));
    const missing = [...known].find(([name, isRequired]) => isRequired && !given.has(name))?.[0];
    if (unknown !== undefined || missing !== undefined) return unknown ?? missing!;
  }
  return null;
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
  if (/^(?:Partial|Readonly)$/.test(name!)) {
    const keys = await keysOf(inner, state, depth - 1);
    return name === "Partial" && keys ? new Map([...keys.keys()].map((key) => [key, false])) : keys;
  }
  return keysOfDeclared(name!, state, depth - 1);
}

async function joined(types: readonly string[], state: State, depth: number): Promise<OptionKeys | null> {
  const all = new Map<string, boolean>();
  for (const type of types) {
    const keys = await keysOf(type, state, depth);
    if (!keys) return null;
    for (const [key, isRequired] of keys) all.set(key, isRequired);
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
  const head = /\binterface\s+\w+\b([^{]*)\{/.exec(text);
  if (!head) return null;
  const bases = /\bextends\b([\s\S]*)$/.exec(head[1]!)?.[1];
  const body = text.slice(head.index + head[0].length - 1);
  return joined([...(bases === undefined ? [] : splitAt(bases, ",")), body], state, depth);
}

/** The members between the braces of an object type; null where one has no name of its own. */
function readMembers(body: string): OptionKeys | null {
  const keys = new Map<string, boolean>();
  for (const line of splitAt(body, ";", ",", "\n")) {
    const member = line.trim();
    if (member === "" || /^[|&?:=]/.test(member)) continue;
    const named = /^(?:readonly\s+)?(["']?)([\w$-]+)\1(\??)\s*[:(<]/.exec(member);
    if (!named) return null;
    keys.set(named[2]!, named[3] === "" && !keys.has(named[2]!));
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
