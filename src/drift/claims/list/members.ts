import { fold, inStyle, partsOf } from "../../change/names.ts";
import { isProduct, type State } from "../../state/state.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing, ThingKind } from "../../surface/thing.ts";

/** The public members of one owner: values of an enumeration, keys of a type, flags of a command, scripts of a file. */
export type Membership = {
  readonly id: string;
  readonly kind: ThingKind;
  readonly path: string;
  /** The name of the owner; empty for a file. */
  readonly owner: string;
  readonly members: readonly Member[];
};

export type Member = {
  readonly thing: Thing;
  /** As pages may write it, folded: its name and, of a value, what it stands for. */
  readonly names: readonly string[];
};

const LISTED: ReadonlySet<ThingKind> = new Set<ThingKind>([
  "flag",
  "environment",
  "setting",
  "command",
  "member",
  "enum-value",
  "error",
  "script",
  "symbol",
]);

/** Methods that a language or a library calls by itself. Lists of methods leave them out. */
const PROTOCOL =
  /^(?:(?:un)?marshal\w+|gostring|error|unwrap|len|less|swap|scan|to_?(?:string|s|json)|hash_?code|equals)$/i;

/** The owners in a file and their members, in the order of the code. */
export async function readMemberships(path: string, state: State): Promise<Membership[]> {
  if (!isProduct(path)) return [];
  const groups = Map.groupBy((await state.surface(path)).filter(isOffered), ({ kind, owner, parameters }) =>
    [kind, ...owner, parameters ? "called" : ""].join("\0"),
  );
  const chosen = (await state.surface(path)).flatMap((thing) => choicesOf(thing) ?? []);
  const listed = [...groups].map(([id, things]) => {
    const [{ kind, owner }] = things as [Thing];
    const ordered = [...new Map(things.map((thing) => [thing.name, thing])).values()];
    return {
      id,
      kind,
      path,
      owner: owner.at(-1) ?? "",
      members: ordered.map((thing) => ({ thing, names: namesOfMember(thing) })),
    };
  });
  return [...listed, ...chosen];
}

/** The values that a setting accepts, where its declaration lists them. */
function choicesOf(setting: Thing): Membership | null {
  const { kind, choices = [], owner, name, path, exported } = setting;
  if ((kind !== "setting" && kind !== "environment") || exported === "no" || choices.length < 2) return null;
  const members = choices.map((choice) => {
    const { value: _, choices: __, description: ___, ...place } = setting;
    return { thing: { ...place, kind: "enum-value" as const, name: choice }, names: [fold(choice)] };
  });
  return { id: ["choices", ...owner, name].join("\0"), kind: "enum-value", path, owner: name, members };
}

function isOffered({ kind, name, exported }: Thing): boolean {
  const plain = plainName(name);
  return LISTED.has(kind) && exported !== "no" && !plain.startsWith("_") && !PROTOCOL.test(plain);
}

function namesOfMember({ kind, name, value }: Thing): string[] {
  const stands = kind === "enum-value" ? /^["'`](.+)["'`]$/.exec(value ?? "")?.[1] : undefined;
  return [fold(plainName(name)), ...(stands === undefined ? [] : [fold(stands)])];
}

/** The owners whose members these names may be, from the files that hold most of the names. */
export async function findMemberships(names: readonly string[], state: State): Promise<Membership[]> {
  const asked = names.slice(0, MOST_NAMES);
  const words = asked.map(spellings);
  const held = await state.holders(words.flat());
  const counts = new Map<string, number>();
  for (const own of words)
    for (const path of new Set(own.flatMap((word) => held.get(word) ?? [])))
      if (isProduct(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const least = Math.max(2, Math.ceil(asked.length / 2));
  const files = [...counts].filter(([, count]) => count >= least).sort((a, b) => b[1] - a[1]);
  const found: Membership[] = [];
  for (const [path] of files.slice(0, MOST_FILES)) found.push(...(await readMemberships(path, state)));
  return found;
}

const MOST_NAMES = 12;
const MOST_FILES = 12;

/** The words by which code may declare a name. */
export function spellings(name: string): string[] {
  const parts = partsOf(name);
  if (parts.length < 2)
    return [...new Set([name, name.toLowerCase(), name.toUpperCase(), inStyle(parts, "pascal")])];
  const styles = ["camel", "snake", "kebab", "constant", "pascal"] as const;
  return [...new Set([name, ...styles.map((style) => inStyle(parts, style))])];
}

/** The same owner in another state: in its file, or in the file that its members moved to. */
export async function sameMembership(was: Membership, state: State): Promise<Membership | null> {
  const isSame = ({ id }: Membership): boolean => id === was.id;
  const here = (await readMemberships(was.path, state)).find(isSame);
  if (here || state.has(was.path)) return here ?? null;
  const names = was.members.map(({ thing }) => plainName(thing.name));
  return (await findMemberships(names, state)).find(isSame) ?? null;
}
