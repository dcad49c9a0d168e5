import type { MergeNode, MergeText } from "./merge-tree.ts";
import { splitWords } from "./pair-children.ts";
import type { ThreeWays } from "./three-ways.ts";

type Sides = Omit<ThreeWays<MergeText>, "base">;

/** Whether a merge has a name, key, import or number twice that should be there once, and neither side has. */
export function hasDoubles(merged: MergeText, sides: Sides): boolean {
  const before = [countKeys(sides.ours), countKeys(sides.theirs)];
  return (
    [...countKeys(merged)].some(
      ([key, count]) => count > 1 && before.every((known) => count > (known.get(key) ?? 0)),
    ) || hasEqualValues(merged, sides)
  );
}

/** How often a node has each key, at most. */
function countKeys({ root }: MergeText): Map<string, number> {
  const counts = new Map<string, number>();
  const visit = (node: MergeNode, path: string): void => {
    const own = new Map<string, number>();
    for (const child of node.children) {
      const key = child.key === undefined ? path : `${path}\0${child.group ?? child.kind} ${child.key}`;
      if (child.group !== undefined) own.set(key, (own.get(key) ?? 0) + 1);
      visit(child, key);
    }
    for (const [key, count] of own) counts.set(key, Math.max(count, counts.get(key) ?? 0));
  };
  visit(root, "");
  return counts;
}

/** Fewer values may all differ by chance. */
const LEAST_VALUES = 5;

/** Whether what each side sets to another value every time, such as a number of messages, has one value twice. */
function hasEqualValues({ text }: MergeText, { ours, theirs }: Sides): boolean {
  const isCounted = ({ all, distinct }: Values = none): boolean =>
    all >= LEAST_VALUES && distinct.size === all;
  const before = [valuesIn(ours.text), valuesIn(theirs.text)];
  return [...valuesIn(text)].some(
    ([name, { all, distinct }]) =>
      distinct.size < all && before.every((values) => isCounted(values.get(name))),
  );
}

type Values = { readonly distinct: Set<string>; all: number };
const none: Values = { distinct: new Set(), all: 0 };

function valuesIn(text: string): Map<string, Values> {
  const found = new Map<string, Values>();
  const words = splitWords(text).filter((word) => word !== '"');
  words.forEach((word, i) => {
    const name = words[i - 1];
    const value = words[i + 1];
    if ((word !== "=" && word !== ":") || name === undefined || value === undefined) return;
    const values = found.get(name) ?? { distinct: new Set(), all: 0 };
    values.distinct.add(value);
    values.all++;
    found.set(name, values);
  });
  return found;
}
