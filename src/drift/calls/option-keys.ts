import type { SampleCall } from "../../syntax/source/fragment.ts";
import type { State } from "../state/state.ts";
import type { Thing, ThingParameter } from "../surface/thing.ts";

/** A key that an options object may have. */
export type OptionKey = { readonly name: string; readonly isRequired: boolean };

/** The keys of an options type of the project; null where not all of them can be listed. */
export async function keysOf(type: string | undefined, state: State): Promise<readonly OptionKey[] | null> {
  if (type === undefined || !/^[A-Z]\w*$/.test(type)) return null;
  const { things, unread } = await state.things(type);
  const [declared, ...others] = things.filter(({ name, kind }) => name === type && kind === "symbol");
  if (!declared || others.length > 0 || unread.length > 0) return null;
  const { declaration = "", path } = declared;
  if (!/\b(?:interface|type)\b/.test(declaration) || /\bextends\b|[&|]/.test(declaration)) return null;
  const members = (await state.surface(path)).filter(({ owner }) => owner.length === 1 && owner[0] === type);
  return members.length === 0
    ? null
    : members.map((member) => ({ name: member.name, isRequired: isRequired(member) }));
}

function isRequired({ name, declaration = "", value }: Thing): boolean {
  const at = declaration.indexOf(name);
  return value === undefined && at >= 0 && !/^["']?\s*\?/.test(declaration.slice(at + name.length));
}

/** A key that the options type does not have, or a required one that the object of a call lacks; null where it fits. */
export async function wrongKey(
  call: SampleCall,
  parameters: readonly ThingParameter[],
  state: State,
): Promise<string | null> {
  for (const [at, { keys }] of call.arguments.entries()) {
    const known = keys && (await keysOf(parameters[at]?.type, state));
    if (!known) continue;
    const unknown = keys.find(({ name }) => !known.some((one) => one.name === name));
    const missing = known.find(
      ({ name, isRequired }) => isRequired && !keys.some((one) => one.name === name),
    );
    if (unknown || missing) return (unknown ?? missing)!.name;
  }
  return null;
}
