import type { ChangeModel } from "./change-model.ts";
import { createContradiction } from "./contradiction.ts";
import { fold, isDistinct } from "./names.ts";
import { findSubstitutions, type Site } from "./substitutions.ts";

/** The new name of a renamed one, and the sites that show the rename. */
export type NewName = { readonly name: string; readonly sites: readonly Site[] };

/** The result for a name: it has one new name, none, or shares one with another name. */
export type Pairing =
  | { readonly successor: NewName; readonly shared: boolean }
  | { readonly successor: null; readonly shared: false };

/**
 * The new name of each replaced name. None if two names qualify or the code contradicts the rename; `shared` if another
 * vanished name has the same new name, so that neither rename is certain.
 */
export function pairNames(change: ChangeModel): (name: string) => Pairing {
  const substitutions = findSubstitutions(change.sites);
  const contradicts = createContradiction(change);
  const known = new Map<string, NewName | null>();
  const successorOf = (name: string): NewName | null => {
    let successor = known.get(name);
    if (successor === undefined) {
      successor = chooseSuccessor(substitutions.get(name));
      if (successor && contradicts(name, successor.name, successor.sites)) successor = null;
      known.set(name, successor);
    }
    return successor;
  };
  const claims = Map.groupBy(
    [...substitutions.keys()].filter((name) => isVanishedDeclaration(change, name)),
    (name) => successorOf(name)?.name,
  );
  return (name) => {
    const successor = successorOf(name);
    if (!successor) return { successor, shared: false };
    const shared = claims
      .get(successor.name)
      ?.some(
        (rival) =>
          fold(rival) !== fold(name) && successorOf(rival)!.sites.length * 2 > successor.sites.length,
      );
    return { successor, shared: shared ?? false };
  };
}

function isVanishedDeclaration(change: ChangeModel, name: string): boolean {
  const { before, after, removed } = change.usage(name);
  return after < before && removed.declared > 0 && (after === 0 || isDistinct(name));
}

/** The one name that clearly replaced another; nothing if two qualify. */
export function chooseSuccessor(
  successors: ReadonlyMap<string, readonly Site[]> | undefined,
): NewName | null {
  if (!successors) return null;
  const ranked = [...successors]
    .filter(([name]) => !BUILT_IN.has(name) && !NOTHING.test(name))
    .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const [first, second] = ranked;
  if (!first) return null;
  if (second && second[1].length * 2 > first[1].length) return null;
  return { name: first[0], sites: first[1] };
}

/** Built-in types. One of them in place of a name means that the type was written out, not renamed. */
const BUILT_IN: ReadonlySet<string> = new Set(
  "Array Record Promise Map Set Object String Number Boolean Partial Readonly Required Pick Omit Iterable List Dict Optional Union Tuple Sequence Mapping Any Callable Vec Option Result Box Arc Rc HashMap string number boolean unknown never object bool int float str dict list tuple bytes usize".split(
    " ",
  ),
);

/** Words for nothing, yes or no. One of them in place of a name means that the name was removed. */
const NOTHING = /^(?:undefined|null|nil|none|true|false|void|unit)$/i;

const NEGATION =
  /^(no|not|non|dis|disable|disabled|without|skip|ignore|un|exclude|hide|deny|missing|absent)$/;

/** Whether a rename turned a yes into a no (`no-color` to `color`), so that values beside it flip too. */
export function flipsMeaning(oldParts: readonly string[], newParts: readonly string[]): boolean {
  const count = (parts: readonly string[]): number => parts.filter((part) => NEGATION.test(part)).length;
  return count(oldParts) % 2 !== count(newParts) % 2;
}
