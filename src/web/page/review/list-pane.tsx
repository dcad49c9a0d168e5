import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { ItemSummary } from "../../review/view.ts";
import { ShownSentence, ShownText } from "../parts/shown-text.tsx";
import { Windowed } from "../parts/windowed.tsx";
import { LeftSummary } from "./left-pages.tsx";
import { type Filter, type Grouping, type GroupRow, isWaiting, type ListRow, rowsOf } from "./list.ts";
import type { PageState, Store } from "./store.ts";

const tiers = ["certain", "likely", "possible"] as const;
const heightOf = (row: ListRow): number => (row.kind === "item" ? 62 : row.kind === "page" ? 44 : 62);
const keyOf = (row: ListRow): string | number =>
  row.kind === "item" ? row.item.key : `${row.kind} ${row.id}`;

export function ListPane({ store, state }: { store: Store; state: PageState }): VNode {
  const { run, filter, selected } = state;
  const grouping = store.grouping();
  const items = useMemo(() => store.visible(), [run, filter, grouping]);
  const rows = useMemo(() => rowsOf(items, grouping), [items, grouping]);
  const reveal = useMemo(
    () => rows.findIndex((row) => row.kind === "item" && row.item.key === selected),
    [rows, selected],
  );
  return (
    <aside class="list" aria-label="pages and edits">
      <Filters store={store} state={state} shown={items.length} />
      {run && <LeftSummary run={run} />}
      {items.length === 0 ? (
        <p class="empty">No edit matches.</p>
      ) : (
        <Windowed
          rows={rows}
          height={heightOf}
          rowKey={keyOf}
          reveal={reveal}
          label={`edits by ${grouping}`}
          pinned={(index) => <GroupTitle row={groupOf(rows, index)} />}
          render={(row) =>
            row.kind !== "item" ? (
              <GroupTitle row={row} />
            ) : (
              <ItemRow
                item={row.item}
                grouping={grouping}
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

/** The group that a row belongs to: the nearest one above it. */
function groupOf(rows: readonly ListRow[], index: number): GroupRow {
  for (let i = index; i >= 0; i--) {
    const row = rows[i]!;
    if (row.kind !== "item") return row;
  }
  return { kind: "page", id: "", title: "", count: 0, open: 0 };
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
            {shown} {shown === 1 ? "finding" : "findings"}
          </span>
        )}
        <button type="button" class="small" onClick={() => store.toggleGrouping()}>
          By {store.grouping() === "page" ? "cause" : "page"} <kbd>g</kbd>
        </button>
      </div>
    </div>
  );
}

function GroupTitle({ row }: { row: GroupRow }): VNode {
  const slash = row.title.lastIndexOf("/") + 1;
  return (
    <p class={row.kind === "page" ? "page-row" : "page-row cause-row"}>
      {row.kind === "cause" ? (
        <span class="says">
          <ShownSentence text={row.title} />
        </span>
      ) : (
        <span class="path">
          {slash > 0 && (
            <span class="folder">
              <ShownText text={row.title.slice(0, slash)} />
            </span>
          )}
          <ShownText text={row.title.slice(slash)} />
        </span>
      )}
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
  reworded: "rewritten",
  accepted: "accepted",
  rejected: "rejected",
  undone: "taken back",
};

type ItemRowProps = { item: ItemSummary; grouping: Grouping; selected: boolean; onSelect: () => void };

function ItemRow({ item, grouping, selected, onSelect }: ItemRowProps): VNode {
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
        {grouping === "page" ? <ShownSentence text={item.message} /> : <ShownText text={item.path} />}
      </span>
      <span class="facts">
        line {item.line}
        {item.edits ? "" : " · no edit yet"} · <ShownText text={item.kind} />
        {item.tier && ` · ${item.tier}`}
      </span>
    </button>
  );
}
