import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { ItemSummary } from "../../review/view.ts";
import { ShownSentence, ShownText } from "../parts/shown-text.tsx";
import { Windowed } from "../parts/windowed.tsx";
import { type Filter, isWaiting, type ListRow, rowsOf } from "./list.ts";
import type { PageState, Store } from "./store.ts";

type PageRowData = Extract<ListRow, { kind: "page" }>;

const tiers = ["certain", "likely", "possible"] as const;
const heightOf = (row: ListRow): number => (row.kind === "page" ? 44 : 62);
const keyOf = (row: ListRow): string | number => (row.kind === "page" ? `page ${row.path}` : row.item.key);

export function ListPane({ store, state }: { store: Store; state: PageState }): VNode {
  const { run, filter, selected } = state;
  const items = useMemo(() => store.visible(), [run, filter]);
  const rows = useMemo(() => rowsOf(items), [items]);
  const reveal = useMemo(
    () => rows.findIndex((row) => row.kind === "item" && row.item.key === selected),
    [rows, selected],
  );
  return (
    <aside class="list" aria-label="pages and edits">
      <Filters store={store} state={state} shown={items.length} />
      {items.length === 0 ? (
        <p class="empty">No edit matches.</p>
      ) : (
        <Windowed
          rows={rows}
          height={heightOf}
          rowKey={keyOf}
          reveal={reveal}
          label="edits by page"
          pinned={(index) => <PageRow row={pageOf(rows, index)} />}
          render={(row) =>
            row.kind === "page" ? (
              <PageRow row={row} />
            ) : (
              <ItemRow
                item={row.item}
                selected={row.item.key === selected}
                onSelect={() => void store.select(row.item.key)}
              />
            )
          }
        />
      )}
    </aside>
  );
}

/** The page that a row belongs to: the nearest one above it. */
function pageOf(rows: readonly ListRow[], index: number): PageRowData {
  for (let i = index; i >= 0; i--) {
    const row = rows[i]!;
    if (row.kind === "page") return row;
  }
  return { kind: "page", path: "", count: 0, open: 0 };
}

function Filters({ store, state, shown }: { store: Store; state: PageState; shown: number }): VNode {
  const { run, filter } = state;
  const proposes = run!.kind === "proposal";
  const ready = useMemo(() => {
    const waiting = run!.items.filter(isWaiting);
    return tiers.map((tier) => ({
      tier,
      count: run!.items.filter((item) => item.tier === tier).length,
      open: waiting.filter((item) => item.tier === tier && item.edits).map(({ key }) => key),
    }));
  }, [run]);
  const chosen = ready.find(({ tier }) => tier === filter.tier);
  return (
    <div class="filters">
      <div class="search">
        <label class="aside" for="search">
          Search pages, reasons, rules
        </label>
        <input
          id="search"
          type="search"
          placeholder="Search"
          value={filter.query}
          onInput={(event) => store.setFilter({ query: event.currentTarget.value })}
        />
        <kbd>/</kbd>
      </div>
      {proposes && (
        <fieldset class="chips" aria-label="tier">
          <button
            type="button"
            aria-pressed={filter.tier === "all"}
            onClick={() => store.setFilter({ tier: "all" })}
          >
            All <span class="count">{run!.items.length}</span>
          </button>
          {ready.map(({ tier, count }) => (
            <button
              type="button"
              class={tier}
              aria-pressed={filter.tier === tier}
              disabled={count === 0}
              onClick={() => store.setFilter({ tier: filter.tier === tier ? "all" : tier })}
            >
              {tier} <span class="count">{count}</span>
            </button>
          ))}
        </fieldset>
      )}
      <div class="narrow">
        <label>
          <span class="aside">Show </span>
          <select
            value={filter.state}
            onChange={(event) => store.setFilter({ state: event.currentTarget.value as Filter["state"] })}
          >
            <option value="all">All states</option>
            <option value="open">Waiting</option>
            <option value="accepted">Accepted</option>
            <option value="rejected">Rejected</option>
          </select>
        </label>
        {store.source.live && proposes && chosen && chosen.open.length > 0 ? (
          <button type="button" class="small" onClick={() => void store.previewBatch(chosen.open)}>
            Accept all {chosen.tier} …
          </button>
        ) : (
          <span class="muted">
            {shown} {shown === 1 ? "edit" : "edits"}
          </span>
        )}
      </div>
    </div>
  );
}

function PageRow({ row }: { row: PageRowData }): VNode {
  const slash = row.path.lastIndexOf("/") + 1;
  return (
    <p class="page-row">
      <span class="path">
        {slash > 0 && (
          <span class="folder">
            <ShownText text={row.path.slice(0, slash)} />
          </span>
        )}
        <ShownText text={row.path.slice(slash)} />
      </span>
      <span class="count" title={`${row.open} waiting of ${row.count}`}>
        {row.open > 0 ? row.open : "✓"}
        <span class="aside">{row.open > 0 ? " waiting" : " all decided"}</span>
      </span>
    </p>
  );
}

const stateMarks: Record<ItemSummary["state"], string> = {
  open: "",
  reworded: "✎",
  accepted: "✓",
  rejected: "✕",
  undone: "↺",
};
const stateNames: Record<ItemSummary["state"], string> = {
  open: "waiting",
  reworded: "worded anew",
  accepted: "accepted",
  rejected: "rejected",
  undone: "taken back",
};

type ItemRowProps = { item: ItemSummary; selected: boolean; onSelect: () => void };

function ItemRow({ item, selected, onSelect }: ItemRowProps): VNode {
  return (
    <button
      type="button"
      class={`item-row ${item.state}`}
      aria-current={selected ? "true" : undefined}
      onClick={onSelect}
    >
      <span class={`dot ${item.tier ?? "none"} ${item.state}`} title={stateNames[item.state]}>
        {stateMarks[item.state]}
        <span class="aside">{stateNames[item.state]}. </span>
      </span>
      <span class="says">
        <ShownSentence text={item.message} />
      </span>
      <span class="facts">
        line {item.line} · <ShownText text={item.kind} />
        {item.tier && ` · ${item.tier}`}
      </span>
    </button>
  );
}
