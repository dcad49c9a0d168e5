import { useEffect, useState } from "preact/hooks";
import type { ItemLine, ItemView, Moment, Progress, RunView, Together } from "../../review/view.ts";
import { type Filter, findItems, isWaiting } from "./list.ts";
import type { Source, Verdict } from "./source.ts";

export type Layout = "split" | "inline" | "preview";
export type Asking = null | "help" | "reject" | "reword" | "together";

/** Everything the page knows at one moment. */
export type State = {
  readonly run: RunView | null;
  readonly progress: Progress | null;
  readonly trouble: string | null;
  readonly connected: boolean;
  readonly selected: number;
  readonly view: ItemView | null;
  /** When the shown view came to be seen: nothing is approved before it was. */
  readonly seenAt: number;
  readonly filter: Filter;
  readonly layout: Layout;
  readonly place: "review" | "history";
  /** On a narrow screen: the list, or the edit. */
  readonly pane: "list" | "edit";
  readonly asking: Asking;
  readonly together: Together | null;
  readonly notice: { readonly text: string; readonly tone: "plain" | "warning" } | null;
  readonly busy: boolean;
  readonly moments: readonly Moment[] | null;
  readonly moreMoments: boolean;
};

export type Store = ReturnType<typeof createStore>;

/** A hand that is quicker than this has not read what it approves. */
const leastSight = 200;

export function createStore(source: Source) {
  let state: State = {
    run: null,
    progress: null,
    trouble: null,
    connected: true,
    selected: -1,
    view: null,
    seenAt: 0,
    filter: { query: "", tier: "all", state: "all" },
    layout: "split",
    place: "review",
    pane: "list",
    asking: null,
    together: null,
    notice: null,
    busy: false,
    moments: null,
    moreMoments: false,
  };
  const watchers = new Set<() => void>();
  const views = new Map<number, ItemView>();
  /** Decisions of this page, newest last. */
  const trail: number[] = [];
  const set = (change: Partial<State>): void => {
    state = { ...state, ...change };
    for (const watcher of watchers) watcher();
  };
  const say = (text: string, tone: "plain" | "warning" = "plain"): void => set({ notice: { text, tone } });
  const remembered: { of?: readonly unknown[]; items: ItemLine[] } = { items: [] };
  /** The edits that fit the filter, worked out once for each list and filter. */
  const visible = (): ItemLine[] => {
    const [run, filter] = [state.run, state.filter];
    if (remembered.of?.[0] !== run || remembered.of[1] !== filter) {
      remembered.of = [run, filter];
      remembered.items = findItems(run?.items ?? [], filter);
    }
    return remembered.items;
  };

  const load = async (): Promise<void> => {
    const answer = await source.run();
    if ("error" in answer) return set({ trouble: answer.error });
    if (!("items" in answer)) {
      set({ progress: answer.progress, trouble: null });
      setTimeout(() => void load(), 300);
      return;
    }
    views.clear();
    set({ run: answer, progress: answer.progress, trouble: null });
    const items = visible();
    if (!items.some(({ key }) => key === state.selected)) {
      const first = items.find(isWaiting) ?? items[0];
      if (first) await select(first.key, { keepPane: true });
    } else await show(state.selected);
  };

  const show = async (key: number, whole = false): Promise<void> => {
    const known = whole ? undefined : views.get(key);
    const view = known ?? (await source.view(key, whole));
    if (state.selected !== key) return;
    if (view && !known) views.set(key, view);
    // What was in sight before and is the same still has been seen for as long.
    const same = view !== null && state.view?.key === key && state.view.hash === view.hash;
    set({ view, seenAt: same ? state.seenAt : performance.now() });
    const items = visible();
    const next = items[items.findIndex((item) => item.key === key) + 1];
    if (next && !views.has(next.key)) {
      const ahead = await source.view(next.key, false);
      if (ahead && views.size < 500) views.set(next.key, ahead);
    }
  };

  const select = async (key: number, { keepPane = false } = {}): Promise<void> => {
    const changes = { selected: key, view: views.get(key) ?? null, seenAt: performance.now() };
    set({ ...changes, notice: null, ...(keepPane ? {} : { pane: "edit" as const }) });
    await show(key);
  };

  const step = (by: number): void => {
    const items = visible();
    const at = items.findIndex(({ key }) => key === state.selected);
    const next = items[Math.min(Math.max(at + by, 0), items.length - 1)];
    if (next && next.key !== state.selected) void select(next.key, { keepPane: true });
  };

  const merge = (lines: readonly ItemLine[]): void => {
    if (!state.run || lines.length === 0) return;
    const paths = new Set(lines.map(({ path }) => path));
    for (const [key, { path }] of views) if (paths.has(path)) views.delete(key);
    const items = [...state.run.items];
    for (const line of lines) items[line.key] = line;
    set({ run: { ...state.run, items }, moments: null });
  };

  /** Sends a decision, and shows what came of it. */
  const decide = async (what: string, body: unknown, keys: readonly number[]): Promise<boolean> => {
    if (state.busy || !source.live) return false;
    set({ busy: true, notice: null });
    const verdict = await source.decide(what, body);
    set({ busy: false });
    if (verdict.is === "done") {
      merge(verdict.value.lines);
      say(verdict.value.said);
      if (state.place === "history") void loadMoments();
      return true;
    }
    return fail(verdict, keys);
  };

  const fail = (verdict: Exclude<Verdict<unknown>, { is: "done" }>, keys: readonly number[]): false => {
    if (verdict.is === "refused") {
      say(verdict.why, "warning");
      return false;
    }
    for (const key of keys) views.delete(key);
    if (verdict.view && verdict.view.key === state.selected)
      set({ view: verdict.view, seenAt: performance.now() });
    else void show(state.selected);
    set({ asking: null, together: null });
    say(
      "It has changed since it was shown, so nothing was written. Here is what stands there now.",
      "warning",
    );
    return false;
  };

  const goOn = (): void => {
    const items = visible();
    const at = items.findIndex(({ key }) => key === state.selected);
    const next = items.slice(at + 1).find(isWaiting) ?? items.find(isWaiting);
    if (next) void selectKeeping(next.key);
    else void show(state.selected);
  };

  /** Moves on without losing the word about what was just done. */
  const selectKeeping = async (key: number): Promise<void> => {
    const { notice } = state;
    const moving = select(key, { keepPane: true });
    set({ notice });
    await moving;
  };

  const loadMoments = async (): Promise<void> => {
    const moments = await source.history();
    set({ moments, moreMoments: moments.length >= 100 });
  };

  void load();
  source.listen(
    (lines) => {
      if (lines === null) void load();
      else {
        merge(lines);
        if (lines.some(({ path }) => path === state.view?.path)) void show(state.selected);
      }
    },
    (connected) => {
      if (connected !== state.connected) set({ connected });
    },
  );

  return {
    source,
    state: () => state,
    watch: (watcher: () => void) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    visible,
    select,
    step,
    setFilter: (change: Partial<Filter>) => set({ filter: { ...state.filter, ...change } }),
    setLayout: (layout: Layout) => set({ layout }),
    setPane: (pane: State["pane"]) => set({ pane }),
    ask: (asking: Asking) => set({ asking, together: null }),
    showWhole: () => show(state.selected, true),
    clearNotice: () => set({ notice: null }),
    goTo: (place: State["place"]) => {
      set({ place, notice: null });
      if (place === "history" && state.moments === null) void loadMoments();
    },
    moreHistory: async () => {
      const last = state.moments?.at(-1);
      const older = last ? await source.history(last.entry) : [];
      set({ moments: [...(state.moments ?? []), ...older], moreMoments: older.length >= 100 });
    },
    accept: async () => {
      const { view, selected, seenAt } = state;
      if (!view || view.key !== selected || !isWaiting(view)) return;
      if (view.hash === null) return say(view.obstacle ?? "It cannot be accepted as it stands.", "warning");
      if (performance.now() - seenAt < leastSight) return;
      if (await decide("approve", { keys: [selected], hash: view.hash }, [selected])) {
        trail.push(selected);
        goOn();
      }
    },
    reject: async (how: { readonly reason?: string; readonly dismiss?: boolean }) => {
      const { selected } = state;
      set({ asking: null });
      if (await decide("reject", { key: selected, ...how }, [selected])) {
        trail.push(selected);
        goOn();
      }
    },
    reword: async (text: string | null) => {
      const { selected } = state;
      if (await decide("reword", { key: selected, text }, [selected])) {
        set({ asking: null });
        await show(selected);
      }
    },
    takeBack: async () => {
      const own = state.run?.items[state.selected];
      const key = own && own.state !== "open" && own.state !== "undone" ? own.key : trail.pop();
      if (key === undefined) return say("There is nothing to take back.");
      if (await decide("take-back", { key }, [key])) await selectKeeping(key);
    },
    undoEntry: (entry: string) => decide("undo", { entry }, []),
    lookTogether: async (keys: readonly number[]) => {
      if (keys.length === 0) return;
      set({ asking: "together", together: null });
      const verdict = await source.together(keys);
      if (verdict.is === "done") set({ together: verdict.value });
      else {
        set({ asking: null });
        fail(verdict, keys);
      }
    },
    acceptTogether: async () => {
      const { together } = state;
      if (!together) return;
      const { keys, hash } = together;
      if (await decide("approve", { keys, hash }, keys)) {
        trail.push(keys[0]!);
        set({ asking: null, together: null });
        goOn();
      }
    },
  };
}

/** Draws again whenever the store has something new. */
export function useStore(store: Store): State {
  const [state, setState] = useState(store.state());
  useEffect(() => {
    const look = (): void => setState(store.state());
    // Something may have come in between the first drawing and now.
    look();
    return store.watch(look);
  }, [store]);
  return state;
}
