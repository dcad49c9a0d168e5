import type { Site } from "./facts.ts";

/** What took a name's place, and the sites that show it. */
export type Partner = { readonly name: string; readonly sites: readonly Site[] };

/** The one name that clearly took the place of another; nothing when two fit. */
export function choosePartner(partners: ReadonlyMap<string, readonly Site[]> | undefined): Partner | null {
  if (!partners) return null;
  const ranked = [...partners].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const [first, second] = ranked;
  if (!first) return null;
  if (second && second[1].length * 2 > first[1].length) return null;
  return { name: first[0], sites: first[1] };
}

const NEGATION = /^(no|not|non|dis|disable|disabled|without|skip|ignore|un|exclude|hide|deny)$/;

/** Whether a rename turned a yes into a no (`no-color` to `color`), so that values beside it flip too. */
export function flipsMeaning(oldParts: readonly string[], newParts: readonly string[]): boolean {
  const count = (parts: readonly string[]): number => parts.filter((part) => NEGATION.test(part)).length;
  return count(oldParts) % 2 !== count(newParts) % 2;
}
