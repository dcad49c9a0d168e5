import type { ItemSummary } from "../../review/view.ts";

export type Filter = {
  readonly query: string;
  readonly tier: "all" | "certain" | "likely" | "possible";
  readonly state: "all" | "open" | "accepted" | "rejected";
};

export const noFilter: Filter = { query: "", tier: "all", state: "all" };

/** How the list is grouped: by page, or by what the code did. */
export type Grouping = "page" | "cause";

/** A row of the list: a page or a cause with its counts, or one of its findings. */
export type ListRow = GroupRow | { readonly kind: "item"; readonly item: ItemSummary };

export type GroupRow = {
  readonly kind: Grouping;
  /** The path of the page, or what the code did. */
  readonly title: string;
  readonly id: string;
  readonly count: number;
  readonly open: number;
};

export function isWaiting({ state }: ItemSummary): boolean {
  return state === "open" || state === "reworded";
}

/** The findings that match the filter, in the order in which the list shows them. */
export function findItems(
  items: readonly ItemSummary[],
  { query, tier, state }: Filter,
  grouping: Grouping,
): ItemSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter((item) => {
    if (tier !== "all" && item.tier !== tier) return false;
    if (state !== "all" && !(state === "open" ? isWaiting(item) : item.state === state)) return false;
    if (words.length === 0) return true;
    const text = `${item.path} ${item.message} ${item.kind} ${item.by ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...groupsOf(found, grouping).values()].flat();
}

/** Groups findings by page or by cause, each with a row of its own. */
export function rowsOf(items: readonly ItemSummary[], grouping: Grouping): ListRow[] {
  return [...groupsOf(items, grouping)].flatMap(([id, here]): ListRow[] => [
    {
      kind: grouping,
      id,
      title: grouping === "page" ? id : titleOf(here),
      count: here.length,
      open: here.filter(isWaiting).length,
    },
    ...here.map((item): ListRow => ({ kind: "item", item })),
  ]);
}

/** By cause where one cause has several findings, else by page. */
export function usualGrouping(items: readonly ItemSummary[]): Grouping {
  return groupsOf(items, "cause").size < items.length ? "cause" : "page";
}

/** The groups, those with the surest finding first. */
function groupsOf(items: readonly ItemSummary[], grouping: Grouping): Map<string, ItemSummary[]> {
  const groups = Map.groupBy(items, (item) => (grouping === "page" ? item.path : item.cause));
  return new Map([...groups].sort(([, a], [, b]) => rankOf(a) - rankOf(b)));
}

const tiers: readonly ItemSummary["tier"][] = ["certain", "likely", "possible"];

function rankOf(items: readonly ItemSummary[]): number {
  const ranks = items.map(({ tier }) => tiers.indexOf(tier));
  return Math.min(...ranks.map((rank) => (rank < 0 ? tiers.length : rank)));
}

function titleOf(items: readonly ItemSummary[]): string {
  const pages = new Set(items.map(({ path }) => path)).size;
  const what = (items[0]?.message ?? "").replace(/\.$/, "");
  return items.length === 1
    ? what
    : `${what}: ${items.length} places in ${pages} ${pages === 1 ? "page" : "pages"}`;
}
