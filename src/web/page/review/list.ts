import type { ItemLine } from "../../review/view.ts";

export type Filter = {
  readonly query: string;
  readonly tier: "all" | "certain" | "likely" | "possible";
  readonly state: "all" | "open" | "accepted" | "rejected";
};

/** What the list shows: a page with its count, or an edit of it. */
export type ListRow =
  | {
      readonly kind: "page";
      readonly path: string;
      readonly count: number;
      readonly open: number;
    }
  | { readonly kind: "item"; readonly item: ItemLine };

export function isWaiting({ state }: ItemLine): boolean {
  return state === "open" || state === "reworded";
}

/** The edits that fit, in the order of their pages. */
export function findItems(items: readonly ItemLine[], { query, tier, state }: Filter): ItemLine[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    if (tier !== "all" && item.tier !== tier) return false;
    if (state !== "all" && !(state === "open" ? isWaiting(item) : item.state === state)) return false;
    if (words.length === 0) return true;
    const text = `${item.path} ${item.message} ${item.kind} ${item.by ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Edits under the pages they are of. */
export function rowsOf(items: readonly ItemLine[]): ListRow[] {
  return [...Map.groupBy(items, ({ path }) => path)].flatMap(([path, here]): ListRow[] => [
    { kind: "page", path, count: here.length, open: here.filter(isWaiting).length },
    ...here.map((item): ListRow => ({ kind: "item", item })),
  ]);
}
