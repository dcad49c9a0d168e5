import type { State } from "../state/state.ts";

/** The errors that the code of a declaration raises itself, or says that it throws. */
export function raisedIn(code: string): ReadonlySet<string> {
  return new Set(
    Array.from(code.matchAll(/\b(?:raise|throws?)\s+(?:new\s+)?([\w.\\:]+(?:\s*,\s*[\w.]+)*)/g)).flatMap(
      ([, names]) => names!.split(",").map((name) => lastName(name.trim())),
    ),
  );
}

type RaisedSets = { readonly was: ReadonlySet<string>; readonly is: ReadonlySet<string> };

/** The error that a declaration raises in place of another one. */
export function raisedInstead(name: string, { was, is }: RaisedSets): string | undefined {
  const gone = [...was].filter((one) => !is.has(one));
  const fresh = [...is].filter((one) => !was.has(one));
  // A declaration that became abstract leaves its errors to others.
  if (fresh.some((one) => /^(?:NotImplemented|Unimplemented)/.test(one))) return undefined;
  return gone.length === 1 && fresh.length === 1 && gone[0] === lastName(name) ? fresh[0] : undefined;
}

export function lastName(path: string): string {
  return path.split(/[.\\:]+/).at(-1)!;
}

/** Errors from which so many others descend that a new name may be one of them. */
const BROAD = /^(?:\w*Exception|Error|(?:OS|IO|Lookup|Runtime|Arithmetic|Value|Type|Standard)Error)$/;

/** Whether an error is a kind of another one, by the types of the project; also where nothing is known of it. */
export async function isKindOf(name: string, wide: string, state: State): Promise<boolean> {
  let at = name;
  for (let turn = 0; turn < 4; turn++) {
    const { things } = await state.things(at);
    const text = things.find(({ declaration }) => declaration?.includes(at))?.declaration;
    if (text === undefined) return BROAD.test(lastName(wide));
    if (new RegExp(`\\b${lastName(wide)}\\b`).test(text.replace(at, ""))) return true;
    const base = /(?:\(|extends\s+|:\s*|<\s*)([\w.:\\]+)/.exec(text.slice(text.indexOf(at) + at.length))?.[1];
    if (base === undefined) return false;
    at = lastName(base);
  }
  return true;
}
