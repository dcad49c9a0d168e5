import { RECORD } from "../../syntax/source/constructors.ts";
import { defined } from "../../text/model/defined.ts";
import type { State } from "../state/state.ts";
import type { Thing, ThingParameter } from "../surface/thing.ts";
import { type FamilyState, findDeclared } from "./find-declared.ts";
import { writtenType } from "./made-types.ts";
import { familyOf } from "./page-samples.ts";
import { resolveName } from "./resolve.ts";
import { signaturesOf } from "./written-types.ts";

/** The type, and those that it inherits from, the nearest first. `near` is a file that names the type. */
export async function lineageOf(
  type: string,
  { family, state, near }: FamilyState & { readonly near?: string },
): Promise<{ readonly types: readonly Thing[] }> {
  const types: Thing[] = [];
  const waiting: { readonly name: string; readonly near?: string }[] = [
    { name: type, ...defined({ near: near || undefined }) },
  ];
  for (let at = 0; at < waiting.length && at < MOST_BASES; at++) {
    const { name, near: from } = waiting[at]!;
    const own = await findType(name, { family, state, ...defined({ near: from || undefined }) });
    types.push(...own);
    for (const one of own) for (const base of one.bases ?? []) waiting.push({ name: base, near: one.path });
  }
  return { types };
}

/** The declarations of one type: in the file that names it, in the file that it imports it from, or the only ones. */
async function findType(
  name: string,
  { family, state, near }: FamilyState & { readonly near?: string },
): Promise<readonly Thing[]> {
  const found = (await findDeclared(name, { family, state })) ?? [];
  const all = found.filter(({ kind, declaration = "" }) => kind === "symbol" || NESTED.test(declaration));
  const top = all.filter(({ owner }) => owner.length === 0);
  const types = top.length > 0 ? top : all;
  if (new Set(types.map(({ path }) => path)).size < 2) return types;
  const here = all.filter(({ path }) => path === near);
  if (here.length > 0 || !/^(?:javascript|python)$/.test(family)) return here.length > 0 ? here : types;
  const path = near === undefined ? null : await resolveName(name, near, state);
  return types.filter((one) => one.path === path);
}

const NESTED = /^[^(=]*\b(?:class|struct|interface|enum|record|object|module|trait)\s/;
const MOST_BASES = 12;

/** The overloads that callers see: TypeScript hides the declaration with the body behind those without. */
export async function dropImplementations(
  things: readonly Thing[],
  { text }: State,
): Promise<readonly Thing[]> {
  const [first, second] = things;
  if (!first || !second || !/\.[cm]?tsx?$/.test(first.path) || second.path !== first.path) return things;
  const source = (await text(first.path)) ?? "";
  // What has no body ends with its declaration.
  const shown = things.filter(({ region: { start, end }, declaration = "" }) =>
    source.slice(start, end).trimEnd().replace(/;$/, "").endsWith(declaration.replace(/;$/, "")),
  );
  return shown.length > 0 ? shown : things;
}

/** Whether a sample makes a value of a type by naming its fields: a struct of Go or Rust. */
export function isRecord({ path, kind, declaration = "" }: Thing): boolean {
  return kind === "symbol" && /^(?:go|rust)$/.test(familyOf(path) ?? "") && /\bstruct\b/.test(declaration);
}

/** The fields of a record, each as a parameter that is passed by name. In Go, each may be left out. */
async function fieldsOf({ path, name, owner }: Thing, { surface }: State): Promise<ThingParameter[]> {
  const isGo = path.endsWith(".go");
  return (await surface(path)).flatMap((field) =>
    field.owner.length === owner.length + 1 && field.owner.at(-1) === name && !field.parameters
      ? [
          {
            name: field.name,
            ...defined({ type: field.type || undefined }),
            optional: isGo,
            keyword: "only" as const,
          },
        ]
      : [],
  );
}

/** The thing with the parameters that a caller passes, once for each way to call it; none where it cannot be called. */
export async function asCallable(thing: Thing, state: State): Promise<readonly Thing[]> {
  // What a getter returns may be called; the getter itself is not.
  if (/^(?:(?:public|static|override)\s+)*get\s+[\w$]+\s*\(\)/.test(thing.declaration ?? "")) return [];
  if (thing.parameters) return [thing];
  const family = familyOf(thing.path);
  if (isRecord(thing)) return [{ ...thing, parameters: await fieldsOf(thing, state) }];
  if (family === "javascript") {
    const written = await writtenType(thing, state);
    const ways = written && (await signaturesOf(written.text, { state, path: written.path }));
    if (ways && ways.length > 0)
      return ways.map(({ parameters, type }) => withoutType({ ...thing, parameters }, type));
  }
  if (family === null || thing.kind !== "symbol") return [];
  const alias = /^(?:export\s+)?(?:const\s+)?[\w$]+\s*=\s*([A-Za-z_]\w*);?$/.exec(
    thing.declaration ?? "",
  )?.[1];
  if (alias !== undefined) {
    const meant = (await state.surface(thing.path)).find(
      ({ name, kind, owner }) => name === alias && kind === "symbol" && owner.length === 0,
    );
    const callable = meant ? await asCallable(meant, state) : [];
    return callable.map(({ parameters = [], declaration = "" }) => ({ ...thing, parameters, declaration }));
  }
  if (!/\bclass\b/.test(thing.declaration ?? "")) return [];
  // Without a base and without a constructor, it is made of nothing.
  if (!thing.bases) return (await isMadeOfNothing(thing, state)) ? [{ ...thing, parameters: [] }] : [];
  const { types } = await lineageOf(thing.name, { family, state, near: thing.path });
  const base = types.find(({ parameters }) => parameters !== undefined);
  // Between the type and the base with a constructor, every type is the project's and has one base.
  const between = base ? types.slice(0, types.indexOf(base)) : [];
  const isOnly = async (one: Thing): Promise<boolean> =>
    (one.bases?.length === 1 || !SEVERAL_BASES.test(family)) && !(await addsFields(one, state));
  return base && (await Promise.all(between.map(isOnly))).every(Boolean)
    ? [{ ...thing, parameters: base.parameters! }]
    : [];
}

/** What a function gives takes the place of the type that the function itself has. */
function withoutType({ type: _, ...thing }: Thing, type: string | undefined): Thing {
  return type === undefined ? thing : { ...thing, type };
}

/** In these languages a type without a constructor is made without arguments, unless a decorator makes one. */
async function isMadeOfNothing({ path, region, declaration = "" }: Thing, { text }: State): Promise<boolean> {
  if (!/^(?:javascript|python|java)$/.test(familyOf(path) ?? "")) return false;
  const source = ((await text(path)) ?? "").slice(region.start, region.end);
  return !/^[ \t]*@\w/m.test(source.slice(0, source.indexOf(declaration)));
}

/** A type of these languages may have its constructor from several. */
const SEVERAL_BASES = /^(?:python|c)$/;

/** Whether Python makes a constructor of a type's own fields and those of its base. */
async function addsFields({ path, region }: Thing, { text }: State): Promise<boolean> {
  const head = path.endsWith(".py")
    ? ((await text(path)) ?? "").slice(region.start).split(/^[ \t]*class\b/m)[0]!
    : "";
  return RECORD.test(head);
}
