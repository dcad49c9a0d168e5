import type { ChangeModel } from "./change-model.ts";
import { createContradiction } from "./contradiction.ts";
import { findSubstitutions, type Site } from "./substitutions.ts";

/** The new name of a renamed one, and the sites that show the rename. */
type NewName = { readonly name: string; readonly sites: readonly Site[] };

/** The new name of each replaced name. None if two names qualify or the code contradicts the rename. */
export function pairNames(change: ChangeModel): (name: string) => NewName | null {
  const substitutions = findSubstitutions(change.sites);
  const contradicts = createContradiction(change);
  return (name) => {
    const successor = chooseSuccessor(substitutions.get(name));
    return successor && contradicts(name, successor.name, successor.sites) ? null : successor;
  };
}

/** The one name that clearly replaced another; nothing if two qualify. */
function chooseSuccessor(successors: ReadonlyMap<string, readonly Site[]> | undefined): NewName | null {
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
