import { isProduct, type State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";
import { familyOf } from "./page-samples.ts";

const known = new WeakMap<State, Map<string, Promise<readonly Thing[] | null>>>();

/**
 * The symbols and members of a name that product files of a language family declare; null where too many files may
 * declare it. Files that only use the name are not parsed.
 */
export function findDeclared(
  name: string,
  { family, state }: { readonly family: string; readonly state: State },
): Promise<readonly Thing[] | null> {
  const answers = known.get(state) ?? new Map<string, Promise<readonly Thing[] | null>>();
  known.set(state, answers);
  const key = `${family}\0${name}`;
  const answer = answers.get(key) ?? search(name, family, state);
  answers.set(key, answer);
  return answer;
}

const MOST_FILES = 60;

async function search(name: string, family: string, state: State): Promise<readonly Thing[] | null> {
  const held = (await state.holders([name])).get(name) ?? [];
  const declares = declarationOf(name);
  const things: Thing[] = [];
  let parsed = 0;
  for (const path of held) {
    if (familyOf(path) !== family || !isProduct(path)) continue;
    if (!declares.test((await state.text(path)) ?? "")) continue;
    if (++parsed > MOST_FILES) return null;
    for (const thing of await state.surface(path))
      if (thing.name === name && (thing.kind === "symbol" || thing.kind === "member")) things.push(thing);
  }
  return things.filter(({ exported }) => exported !== "no");
}

/** A line where the name may be declared: words may stand before it, a sign that opens a declaration behind it. */
function declarationOf(name: string): RegExp {
  const own = name.replace(/\W/g, String.raw`\$&`);
  const lead = String.raw`^\s*(?:[^\s=(){};"']+\s+)*(?:func\s*\([^()\n]*\)\s*)?`;
  return new RegExp(String.raw`${lead}[$*&@:"'\w.]*?\b${own}["']?\s*(?:[=:(<?{[,;!]|$|\s)`, "mu");
}

/** The type, and those that it inherits from, the nearest first. Stops where a base is not the project's. */
export async function lineageOf(
  type: string,
  place: { readonly family: string; readonly state: State },
): Promise<{ readonly types: readonly Thing[]; readonly isWhole: boolean }> {
  const types: Thing[] = [];
  const waiting = [type];
  let isWhole = true;
  for (let at = 0; at < waiting.length && at < MOST_BASES; at++) {
    const found = (await findDeclared(waiting[at]!, place)) ?? [];
    const own = found.filter(({ kind, owner }) => kind === "symbol" && owner.length === 0);
    isWhole &&= own.length > 0 && at < MOST_BASES - 1;
    types.push(...own);
    for (const base of own.flatMap(basesOf)) if (!waiting.includes(base)) waiting.push(base);
  }
  return { types, isWhole };
}

const MOST_BASES = 12;

/** The types that the head of a type names as its bases: `class A(B, c.D)`, `class A extends B`, `class A : B, C`. */
export function basesOf({ name, declaration = "", path }: Thing): string[] {
  const head = declaration.slice(declaration.indexOf(name) + name.length).replace(/<[^<>]*>/g, "");
  const list = path.endsWith(".py")
    ? /^\s*(?:\[[^\]]*\])?\s*\(([^()]*)\)/.exec(head)?.[1]
    : (/\bextends\s+([\w.,\s]+?)(?:\bimplements\b|$)/.exec(head)?.[1] ??
      /^\s*(?:<|:)\s*([\w.,:\s()]+)/.exec(head)?.[1]);
  return (list ?? "")
    .split(",")
    .map((part) => part.replace(/\[.*|\(.*/, "").trim())
    .filter((part) => /^[\w.:]+$/.test(part) && part !== "object")
    .map((part) => part.split(/\.|::/).at(-1)!);
}

/** The thing with the parameters that a caller passes: a type without a constructor has that of its base. */
export async function asCallable(thing: Thing, state: State): Promise<Thing | null> {
  if (thing.parameters) return thing;
  const family = familyOf(thing.path);
  if (family === null || thing.kind !== "symbol") return null;
  const alias = /^(?:export\s+)?(?:const\s+)?[\w$]+\s*=\s*([A-Za-z_]\w*);?$/.exec(thing.declaration ?? "")?.[1];
  if (alias !== undefined) {
    const meant = (await state.surface(thing.path)).find(
      ({ name, kind, owner }) => name === alias && kind === "symbol" && owner.length === 0,
    );
    const callable = meant && (await asCallable(meant, state));
    return callable ? { ...thing, parameters: callable.parameters!, declaration: callable.declaration ?? "" } : null;
  }
  const [first] = basesOf(thing);
  if (first === undefined || !/\bclass\b/.test(thing.declaration ?? "")) return null;
  const { types } = await lineageOf(thing.name, { family, state });
  const base = types.find(({ parameters }) => parameters !== undefined);
  // Between the type and the base with a constructor, every type is the project's and has one base.
  const between = base ? types.slice(0, types.indexOf(base)) : [];
  return base && between.every((one) => basesOf(one).length === 1)
    ? { ...thing, parameters: base.parameters! }
    : null;
}
