import type { ItemSummary } from "../../review/view.ts";

export type Filter = {
  readonly query: string;
  readonly tier: "all" | "certain" | "likely" | "possible";
  readonly state: "all" | "open" | "accepted" | "rejected";
};

/** A row of the list: a page with its counts, or one of its edits. */
export type ListRow =
  | {
      readonly kind: "page";
      readonly path: string;
      readonly count: number;
      readonly open: number;
    }
  | { readonly kind: "item"; readonly item: ItemSummary };

export function isWaiting({ state }: ItemSummary): boolean {
  return state === "open" || state === "reworded";
}

/** The edits that match the filter, in the order of their pages. */
export function findItems(items: readonly ItemSummary[], { query, tier, state }: Filter): ItemSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    if (tier !== "all" && item.tier !== tier) return false;
    if (state !== "all" && !(state === "open" ? isWaiting(item) : item.state === state)) return false;
    if (words.length === 0) return true;
    const text = `${item.path} ${item.message} ${item.kind} ${item.by ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Groups the edits by page. */
export function rowsOf(items: readonly ItemSummary[]): ListRow[] {
  return [...Map.groupBy(items, ({ path }) => path)].flatMap(([path, here]): ListRow[] => [
    { kind: "page", path, count: here.length, open: here.filter(isWaiting).length },
    ...here.map((item): ListRow => ({ kind: "item", item })),
  ]);
}
