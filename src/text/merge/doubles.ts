import type { MergeNode, MergeText } from "./merge-tree.ts";
import type { ThreeWays } from "./three-ways.ts";

/** Whether a merge has a name, key or import twice in one place, and neither side has. */
export function hasDoubles(merged: MergeText, { ours, theirs }: Omit<ThreeWays<MergeText>, "base">): boolean {
  const before = [countKeys(ours), countKeys(theirs)];
  return [...countKeys(merged)].some(
    ([key, count]) => count > 1 && before.every((known) => count > (known.get(key) ?? 0)),
  );
}

function countKeys({ root }: MergeText): Map<string, number> {
  const counts = new Map<string, number>();
  const visit = (node: MergeNode, path: string): void => {
    for (const child of node.children) {
      const own = child.key === undefined ? path : `${path}\0${child.group ?? child.kind} ${child.key}`;
      if (child.group !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1);
      visit(child, own);
    }
  };
  visit(root, "");
  return counts;
}
