import { closingAt, splitAt } from "../../syntax/source/brackets.ts";
import { dropComments } from "../../syntax/source/doc-comments.ts";
import { outlineSource } from "../../syntax/source/source.ts";
import { defined } from "../../text/model/defined.ts";
import type { State } from "../state/state.ts";
import type { Thing, ThingParameter } from "../surface/thing.ts";
import { findDeclared } from "./find-declared.ts";
import { resolveName } from "./resolve.ts";

/** Where a type of TypeScript is written: in a file of a state. */
export type TypePlace = { readonly state: State; readonly path: string };

/** One way to call a value: what a caller passes, and what it gets. */
export type CallSignature = {
  readonly parameters: readonly ThingParameter[];
  readonly type?: string;
  readonly path: string;
};

const DEEPEST = 8;

/** The ways to call a value of a type, none where it is no function; null where not all of them can be listed. */
export async function signaturesOf(
  type: string,
  place: TypePlace,
  depth = DEEPEST,
): Promise<readonly CallSignature[] | null> {
  const text = bareType(type);
  if (text === "" || depth === 0) return null;
  const shown = await readSignature(text, place.path);
  if (shown) return [shown];
  const parts = splitAt(text, "&");
  if (parts.length > 1) return joinSignatures(parts, place, depth);
  if (text.startsWith("{")) {
    const members = membersIn(text).filter((member) => /^[(<]/.test(member));
    const own = await Promise.all(members.map((member) => readSignature(member, place.path)));
    return own.every((one) => one !== null) ? own : null;
  }
  const named = readNamed(text);
  const meant = named && (await unfold(named, place));
  return meant ? joinSignatures(meant.parts, { ...place, path: meant.path }, depth - 1) : null;
}

async function joinSignatures(
  types: readonly string[],
  place: TypePlace,
  depth: number,
): Promise<readonly CallSignature[] | null> {
  const all: CallSignature[] = [];
  for (const type of types) {
    const own = await signaturesOf(type, place, depth);
    if (!own) return null;
    all.push(...own);
  }
  return all;
}

/** `<T>(url: string, options?: T) => Answer`, or the same with a colon as a member of an interface. */
async function readSignature(text: string, path: string): Promise<CallSignature | null> {
  const open = text.startsWith("<") ? closingAt(text, 0) + 1 : 0;
  const list = text.slice(open).trimStart();
  const end = list.startsWith("(") ? closingAt(list, 0) : -1;
  if (end < 0) return null;
  const [, result] = /^\s*(?:=>|:)\s*([\s\S]*)$/.exec(list.slice(end + 1)) ?? [];
  if (result === undefined) return null;
  const declaration = `declare function shown${list.slice(0, end + 1)}: ${result};`;
  const [shown] = (await outlineSource("shown.ts", declaration)).declarations;
  if (!shown?.parameters) return null;
  return { parameters: shown.parameters, path, ...defined({ type: shown.returns }) };
}

/** A type without the sign before a list of types and without brackets around it. */
export function bareType(type: string): string {
  const text = type.trim().replace(/^[|&]/, "").trim();
  return text.startsWith("(") && closingAt(text, 0) === text.length - 1 ? bareType(text.slice(1, -1)) : text;
}

/** A name of a type and what it is given. */
export type NamedType = { readonly name: string; readonly given: readonly string[] };

export function readNamed(text: string): NamedType | null {
  const named = /^((?:\w+\.)*[A-Za-z_]\w*)(?:<([\s\S]*)>)?$/.exec(text);
  return named && { name: named[1]!, given: splitAt(named[2] ?? "", ",") };
}

/** The members that stand between the braces of an object type. */
export function membersIn(text: string): readonly string[] {
  const members: string[] = [];
  for (const line of splitAt(text.slice(1, text.lastIndexOf("}")), ";", ",", "\n")) {
    const member = line.trim();
    // A type may go on in the next line.
    if (/^[|&?:=]/.test(member) && members.length > 0) members.push(`${members.pop()} ${member}`);
    else if (member !== "") members.push(member);
  }
  return members;
}

/** The type of a name: in the file that writes it, in the file that it imports it from, or the only one. */
export async function findOne(written: string, { state, path }: TypePlace): Promise<Thing | undefined> {
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

/** What a name of a type stands for: `interface A extends B { … }` for B and its own, `type A<T> = B<T> & { … }`. */
export async function unfold(
  { name, given }: NamedType,
  place: TypePlace,
): Promise<{ readonly parts: readonly string[]; readonly path: string } | null> {
  const declared = await findOne(name, place);
  if (!declared) return null;
  const { path, region } = declared;
  const text = dropComments(path, (await place.state.text(path)) ?? "").slice(region.start, region.end);
  const head = /\b(?:type|interface)\s+\w+/.exec(text);
  if (!head) return null;
  const rest = text.slice(head.index + head[0].length);
  const list = rest.startsWith("<") ? rest.slice(0, closingAt(rest, 0) + 1) : "";
  const fill = (type: string): string => withArguments(type, namesIn(list), given);
  const body = rest.slice(list.length).trim();
  if (head[0].startsWith("type"))
    return body.startsWith("=") ? { parts: [fill(body.slice(1).replace(/;\s*$/, ""))], path } : null;
  const open = body.indexOf("{");
  const bases = /^extends\b([\s\S]*)$/.exec(body.slice(0, open).trim())?.[1];
  const parts = bases === undefined ? [] : splitAt(fill(bases), ",");
  return open < 0 ? null : { parts: [...parts, body.slice(open)], path };
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
        return at < 0 ? word : given[at]?.trim() || word;
      });
}
