import type { ChangeModel } from "./change-model.ts";
import { createContradiction } from "./contradiction.ts";
import { fold, isDistinct } from "./names.ts";
import { findSubstitutions, type Site } from "./substitutions.ts";

/** What took a name's place, and the sites that show it. */
export type Partner = { readonly name: string; readonly sites: readonly Site[] };

/** What is known of a name's partner: it has one, none took its place, or two names claim the same one. */
export type Pairing =
  | { readonly partner: Partner; readonly shared: boolean }
  | { readonly partner: null; readonly shared: false };

/**
 * The partner of each name that gave way in the change. None where two fit or the code speaks against it; `shared`
 * where another name that vanished has the same partner, so that neither can be said to have become it.
 */
export function pairNames(change: ChangeModel): (name: string) => Pairing {
  const substitutions = findSubstitutions(change.sites);
  const contradicts = createContradiction(change);
  const known = new Map<string, Partner | null>();
  const partnerOf = (name: string): Partner | null => {
    let partner = known.get(name);
    if (partner === undefined) {
      partner = choosePartner(substitutions.get(name));
      if (partner && contradicts(name, partner.name, partner.sites)) partner = null;
      known.set(name, partner);
    }
    return partner;
  };
  const claims = Map.groupBy(
    [...substitutions.keys()].filter((name) => isVanishedDeclaration(change, name)),
    (name) => partnerOf(name)?.name,
  );
  return (name) => {
    const partner = partnerOf(name);
    if (!partner) return { partner, shared: false };
    const shared = claims
      .get(partner.name)
      ?.some(
        (rival) => fold(rival) !== fold(name) && partnerOf(rival)!.sites.length * 2 > partner.sites.length,
      );
    return { partner, shared: shared ?? false };
  };
}

function isVanishedDeclaration(change: ChangeModel, name: string): boolean {
  const { before, after, removed } = change.usage(name);
  return after < before && removed.declared > 0 && (after === 0 || isDistinct(name));
}

/** The one name that clearly took the place of another; nothing when two fit. */
export function choosePartner(partners: ReadonlyMap<string, readonly Site[]> | undefined): Partner | null {
  if (!partners) return null;
  const ranked = [...partners]
    .filter(([name]) => !BUILT_IN.has(name) && !NOTHING.test(name))
    .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const [first, second] = ranked;
  if (!first) return null;
  if (second && second[1].length * 2 > first[1].length) return null;
  return { name: first[0], sites: first[1] };
}

/** Types of a language: one of them in the place of a name means that the name was written out, not renamed. */
const BUILT_IN: ReadonlySet<string> = new Set(
  "Array Record Promise Map Set Object String Number Boolean Partial Readonly Required Pick Omit Iterable List Dict Optional Union Tuple Sequence Mapping Any Callable Vec Option Result Box Arc Rc HashMap string number boolean unknown never object bool int float str dict list tuple bytes usize".split(
    " ",
  ),
);

/** Words for nothing, yes or no: one of them in the place of a name means that the name went. */
const NOTHING = /^(?:undefined|null|nil|none|true|false|void|unit)$/i;

const NEGATION =
  /^(no|not|non|dis|disable|disabled|without|skip|ignore|un|exclude|hide|deny|missing|absent)$/;

/** Whether a rename turned a yes into a no (`no-color` to `color`), so that values beside it flip too. */
export function flipsMeaning(oldParts: readonly string[], newParts: readonly string[]): boolean {
  const count = (parts: readonly string[]): number => parts.filter((part) => NEGATION.test(part)).length;
  return count(oldParts) % 2 !== count(newParts) % 2;
}
