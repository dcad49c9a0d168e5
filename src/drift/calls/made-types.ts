import { dropComments } from "../../syntax/source/doc-comments.ts";
import { readFragment } from "../../syntax/source/fragment.ts";
import type { State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";
import { familyOf } from "./page-samples.ts";
import { resolveName, resolvePath } from "./resolve.ts";

/** The types that a value may have, and a file that names them. */
export type MadeBy = { readonly types: readonly string[]; readonly near: string };

/** In these languages a file is a module of its own, and a value may have its type from what it is made by. */
export const FILES_ARE_MODULES = /^(?:javascript|python)$/;

const DEEPEST = 4;
const NO_TYPES = { types: [], near: "" };

/** The types of what a function gives, of a value, or of what a type makes: the type itself. */
export async function typesMadeBy(thing: Thing, state: State, depth = DEEPEST): Promise<MadeBy> {
  const { declaration = "", name, path, owner, type, parameters } = thing;
  if (TYPE.test(declaration)) return { types: [name], near: path };
  if (type !== undefined) {
    const types = typeNames(type).flatMap((one) => (OWN_TYPE.test(one) ? (owner.at(-1) ?? []) : one));
    return { types, near: path };
  }
  if (parameters) return { types: await typesReturned(thing, state), near: path };
  const written = await writtenType(thing, state, depth);
  return written ? { types: typeNames(written.text), near: written.path } : NO_TYPES;
}

/**
 * The type that a value of a module has, as it is written in a file: its own, that of the type that it is made of, or that
 * of what the function that makes it gives.
 */
export async function writtenType(
  { declaration = "", kind, name, path, region, type }: Thing,
  state: State,
  depth = DEEPEST,
): Promise<{ readonly text: string; readonly path: string } | null> {
  if (TYPE.test(declaration) || ALIAS.test(declaration) || depth === 0) return null;
  if (type !== undefined) return { text: type, path };
  if (kind !== "symbol" || !FILES_ARE_MODULES.test(familyOf(path) ?? "")) return null;
  const fragment = await readFragment(path, ((await state.text(path)) ?? "").slice(region.start, region.end));
  const made = fragment.variables.get(name);
  if (made?.type !== undefined) return { text: made.type, path };
  const [first, ...rest] = made?.call === undefined ? [] : fragment.calls[made.call]!.callee;
  const place = first === undefined ? null : await resolvePath([first, ...rest], path, state);
  if (!place) return null;
  const maker = (await state.surface(place.path)).find(
    (one) => one.name === place.names.at(-1) && one.owner.length === place.names.length - 1,
  );
  if (!maker) return null;
  if (TYPE.test(maker.declaration ?? "")) return { text: maker.name, path: maker.path };
  return maker.parameters ? (maker.type === undefined ? null : { text: maker.type, path: maker.path }) : null;
}

const TYPE = /^[^(]*\b(?:class|struct|record|object)\b/;
const ALIAS = /^(?:export\s+)?(?:declare\s+)?(?:type|interface|enum)\b/;
const OWN_TYPE = /^(?:Self|self|static|this)$/;

/** The one type that a function without a written result makes in all its returns. */
async function typesReturned({ path, region }: Thing, state: State): Promise<string[]> {
  if (!FILES_ARE_MODULES.test(familyOf(path) ?? "")) return [];
  const code = dropComments(path, (await state.text(path)) ?? "").slice(region.start, region.end);
  const made = Array.from(
    code.matchAll(/\breturn\b[^\S\n]*(?:(?:await|new)\s+)?(?:([A-Z]\w*)\()?/g),
    ([, type]) => type ?? "",
  );
  const [type, ...others] = new Set(made);
  return type && others.length === 0 && (await resolveName(type, path, state)) !== null ? [type] : [];
}

const WRAPPERS =
  /^(?:Promise|Awaitable|Coroutine|Task|ValueTask|Option|Optional|Result|Box|Arc|Rc|Pin|impl|dyn|mut|const|struct|readonly|typing|Any|None|null|undefined|error|anyhow|io)$/;

/** The first type that a written type names, without what wraps it; none of a list and of several types. */
export function typeNames(type: string): string[] {
  const [first = ""] = type.replaceAll("::", ".").split(",");
  // What wraps nothing is the type itself.
  const path = /^\(?\*?((?:\w+\.)*\p{Lu}\w*)\)?$/u.exec(first.trim())?.[1];
  if (path !== undefined) return [path.split(".").at(-1)!];
  const names = (first.match(/[\p{L}_][\w]*/gu) ?? []).filter((name) => !WRAPPERS.test(name));
  return names.length === 0 ? [] : [names.at(/\./.test(first) ? -1 : 0)!];
}
