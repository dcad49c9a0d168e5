import type { ThingParameter } from "../surface/thing.ts";

type ParameterLists = { readonly was: readonly ThingParameter[]; readonly is: readonly ThingParameter[] };

/** The parameter that stands in the same place with the same type, where neither name is in both lists. */
export function renamedParameter(name: string, { was, is }: ParameterLists): string | undefined {
  const gone = was.filter((one) => !is.some((other) => other.name === one.name));
  const fresh = is.filter((one) => !was.some((other) => other.name === one.name));
  const at = gone.findIndex((one) => one.name === name);
  const [old, now] = [gone[at], fresh[at]];
  if (!old || !now || gone.length !== fresh.length) return undefined;
  const moved = was.indexOf(old) !== is.indexOf(now);
  if (moved && gone.length > 1) return undefined;
  return (old.type ?? "") === (now.type ?? "") && Boolean(old.rest) === Boolean(now.rest) && isPlain(now)
    ? now.name
    : undefined;
}

/** It has a name, and stands for one argument. */
export function isPlain({ name, rest }: ThingParameter): boolean {
  return !rest && /^[\p{L}_$][\w$]*$/u.test(name);
}
