import { useEffect, useState } from "preact/hooks";
import type { BatchPreview, EntryView, ItemSummary, ItemView, Progress, RunView } from "../../review/view.ts";
import { type Filter, findItems, type Grouping, isWaiting, noFilter, usualGrouping } from "./list.ts";
import type { Reply, RunSource } from "./source.ts";

export type Layout = "split" | "inline" | "preview";
export type OpenDialog = null | "help" | "reject" | "reject-all" | "reword" | "batch";

/** Everything that the page shows. */
export type PageState = {
  readonly run: RunView | null;
  readonly progress: Progress | null;
  readonly error: string | null;
  readonly connected: boolean;
  readonly selected: number;
  readonly view: ItemView | null;
  /** When the shown view appeared. It cannot be approved at once. */
  readonly seenAt: number;
  readonly filter: Filter;
  /** `null`: as the run suggests. */
  readonly grouping: Grouping | null;
  readonly layout: Layout;
  readonly place: "review" | "history";
  /** On a narrow screen: the list, or the edit. */
  readonly pane: "list" | "edit";
  readonly dialog: OpenDialog;
  readonly batch: BatchPreview | null;
  readonly notice: { readonly text: string; readonly tone: "plain" | "warning" } | null;
  readonly busy: boolean;
  readonly entries: readonly EntryView[] | null;
  readonly moreEntries: boolean;
};

const initialState: PageState = {
  run: null,
  progress: null,
  error: null,
  connected: true,
  selected: -1,
  view: null,
  seenAt: 0,
  filter: noFilter,
  grouping: null,
  layout: "split",
  place: "review",
  pane: "list",
  dialog: null,
  batch: null,
  notice: null,
  busy: false,
  entries: null,
  moreEntries: false,
};

/** An approval that comes sooner than this, in milliseconds, was not read. */
const shortestSight = 200;

const entriesAtOnce = 100;

/** The state of the review page, and everything that a person can do with it. */
export class Store {
  readonly source: RunSource;
  #state = initialState;
  readonly #watchers = new Set<() => void>();
  readonly #views = new Map<number, ItemView>();
  /** Keys that were decided on this page, newest last. Those that one undo takes back together are named by one. */
  readonly #decided: (readonly number[])[] = [];
  /** The filtered items, computed once for each run and filter. */
  #filtered:
    | {
        readonly run: RunView | null;
        readonly filter: Filter;
        readonly grouping: Grouping;
        readonly items: ItemSummary[];
      }
    | undefined;
  /** The grouping that the run suggests. It is worked out once, so that decisions do not move rows. */
  #usual: Grouping | undefined;

  constructor(source: RunSource) {
    this.source = source;
    void this.#load();
    source.listen(
      (lines) => this.#onChange(lines),
      (connected) => {
        if (connected !== this.#state.connected) this.#set({ connected });
      },
    );
  }

  state(): PageState {
    return this.#state;
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** The items that match the filter. */
  visible(): ItemSummary[] {
    const { run, filter } = this.#state;
    const grouping = this.grouping();
    const known = this.#filtered;
    if (known?.run !== run || known.filter !== filter || known.grouping !== grouping)
      this.#filtered = { run, filter, grouping, items: findItems(run?.items ?? [], filter, grouping) };
    return this.#filtered!.items;
  }

  grouping(): Grouping {
    const { run, grouping } = this.#state;
    if (run) this.#usual ??= usualGrouping(run.items);
    return grouping ?? this.#usual ?? "page";
  }

  /** The listed findings with the cause of the selected one that wait for a decision. */
  alike(): ItemSummary[] {
    const items = this.visible();
    const cause = items.find(({ key }) => key === this.#state.selected)?.cause;
    return cause === undefined ? [] : items.filter((item) => item.cause === cause && isWaiting(item));
  }

  async select(key: number, { keepPane = false } = {}): Promise<void> {
    // Everything that is shown is in the list: a finding that the filter hides ends the filter.
    if (!this.visible().some((item) => item.key === key)) this.#set({ filter: noFilter });
    const view = this.#views.get(key) ?? null;
    const pane = keepPane ? this.#state.pane : "edit";
    this.#set({ selected: key, view, seenAt: performance.now(), notice: null, pane });
    await this.#show(key);
  }

  /** Selects the next item, or the previous one. */
  step(by: number): void {
    const items = this.visible();
    const at = items.findIndex(({ key }) => key === this.#state.selected);
    const next = items[Math.min(Math.max(at + by, 0), items.length - 1)];
    if (next && next.key !== this.#state.selected) void this.select(next.key, { keepPane: true });
  }

  setFilter(change: Partial<Filter>): void {
    this.#set({ filter: { ...this.#state.filter, ...change } });
    this.#keepListed();
  }

  toggleGrouping(): void {
    this.#set({ grouping: this.grouping() === "page" ? "cause" : "page" });
  }

  setLayout(layout: Layout): void {
    this.#set({ layout });
  }

  setPane(pane: PageState["pane"]): void {
    this.#set({ pane });
  }

  openDialog(dialog: OpenDialog): void {
    this.#set({ dialog, batch: null });
  }

  showWhole(): Promise<void> {
    return this.#show(this.#state.selected, { whole: true });
  }

  clearNotice(): void {
    this.#set({ notice: null });
  }

  goTo(place: PageState["place"]): void {
    this.#set({ place, notice: null });
    if (place === "history" && this.#state.entries === null) void this.#loadEntries();
  }

  async moreHistory(): Promise<void> {
    const last = this.#state.entries?.at(-1);
    const older = last ? await this.source.history(last.entry) : [];
    const entries = [...(this.#state.entries ?? []), ...older];
    this.#set({ entries, moreEntries: older.length >= entriesAtOnce });
  }

  async accept(): Promise<void> {
    const { view, selected, seenAt } = this.#state;
    if (!view || view.key !== selected || !isWaiting(view) || !this.#isListed(selected)) return;
    if (view.hash === null) return this.#warn(view.obstacle ?? "It cannot be accepted in its present form.");
    if (performance.now() - seenAt < shortestSight) return;
    if (await this.#decide("approve", { keys: [selected], hash: view.hash }, [selected]))
      this.#next([selected]);
  }

  async reject(options: Rejection): Promise<void> {
    const { selected } = this.#state;
    this.#set({ dialog: null });
    if (!this.#isListed(selected)) return;
    if (await this.#decide("reject", { key: selected, ...options }, [selected])) this.#next([selected]);
  }

  /** Rejects every listed finding that has the cause of the selected one. */
  async rejectAlike(options: Rejection): Promise<void> {
    const keys = this.alike().map(({ key }) => key);
    this.#set({ dialog: null });
    if (keys.length === 0) return;
    if (await this.#decide("reject-all", { keys, ...options }, keys)) this.#next(keys);
  }

  /** Shows what accepting every listed edit with the cause of the selected one would write. */
  acceptAlike(): Promise<void> {
    const keys = this.alike().flatMap(({ key, edits }) => (edits ? key : []));
    return this.previewBatch(keys);
  }

  async reword(text: string | null): Promise<void> {
    const { selected } = this.#state;
    if (await this.#decide("reword", { key: selected, text }, [selected])) {
      this.#set({ dialog: null });
      await this.#show(selected);
    }
  }

  /** Reverts the decision about the selected item, or the last decision. */
  async revert(): Promise<void> {
    const own = this.#state.run?.items[this.#state.selected];
    const keys =
      own && own.state !== "open" && own.state !== "undone"
        ? this.#decidedWith(own.key)
        : this.#decided.pop();
    const [first] = keys ?? [];
    if (keys === undefined || first === undefined) return this.#say("There is nothing to undo.");
    for (const key of keys) if (!(await this.#decide("take-back", { key }, [key]))) return;
    await this.#selectWithNotice(first);
  }

  /** A finding, and those that the last decision decided with it. */
  #decidedWith(key: number): readonly number[] {
    return this.#decided.at(-1)?.includes(key) ? this.#decided.pop()! : [key];
  }

  undoEntry(entry: string): Promise<boolean> {
    return this.#decide("undo", { entry }, []);
  }

  async previewBatch(keys: readonly number[]): Promise<void> {
    if (keys.length === 0) return;
    this.#set({ dialog: "batch", batch: null });
    const reply = await this.source.previewBatch(keys);
    if (reply.is === "done") return this.#set({ batch: reply.value, seenAt: performance.now() });
    this.#set({ dialog: null });
    this.#showFailure(reply, keys);
  }

  async acceptBatch(): Promise<void> {
    const { batch, seenAt } = this.#state;
    if (!batch || performance.now() - seenAt < shortestSight) return;
    const { keys, hash } = batch;
    if (!(await this.#decide("approve", { keys, hash }, keys))) return;
    this.#set({ dialog: null, batch: null });
    // One entry of the journal has written them, so taking back one takes back all.
    this.#next(keys.slice(0, 1));
  }

  #set(change: Partial<PageState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of this.#watchers) watcher();
  }

  #say(text: string): void {
    this.#set({ notice: { text, tone: "plain" } });
  }

  #warn(text: string): void {
    this.#set({ notice: { text, tone: "warning" } });
  }

  async #load(): Promise<void> {
    const run = await this.source.run();
    if ("error" in run) return this.#set({ error: run.error });
    if (!("items" in run)) {
      this.#set({ progress: run.progress, error: null });
      setTimeout(() => void this.#load(), 300);
      return;
    }
    this.#views.clear();
    this.#set({ run, progress: run.progress, error: null });
    const items = this.visible();
    if (items.some(({ key }) => key === this.#state.selected)) return this.#show(this.#state.selected);
    const first = items.find(isWaiting) ?? items[0];
    if (first) await this.select(first.key, { keepPane: true });
  }

  /** Loads and shows an item, and loads the next one ahead. */
  async #show(key: number, { whole = false } = {}): Promise<void> {
    const known = whole ? undefined : this.#views.get(key);
    const view = known ?? (await this.source.view(key, whole));
    const { selected, view: shown, seenAt } = this.#state;
    if (selected !== key) return;
    if (view && !known) this.#views.set(key, view);
    // If the same view was shown before, it has been seen since then.
    const isSame = view !== null && shown?.key === key && shown.hash === view.hash;
    this.#set({ view, seenAt: isSame ? seenAt : performance.now() });
    const items = this.visible();
    const next = items[items.findIndex((item) => item.key === key) + 1];
    if (next && !this.#views.has(next.key)) {
      const ahead = await this.source.view(next.key, false);
      if (ahead && this.#views.size < 500) this.#views.set(next.key, ahead);
    }
  }

  /** The server says what has changed; without items, everything may have. */
  #onChange(lines: readonly ItemSummary[] | null): void {
    if (lines === null) {
      void this.#load();
      return;
    }
    this.#merge(lines);
    const { view, selected } = this.#state;
    if (lines.some(({ path }) => path === view?.path)) void this.#show(selected);
  }

  #merge(lines: readonly ItemSummary[]): void {
    const { run } = this.#state;
    if (!run || lines.length === 0) return;
    const paths = new Set(lines.map(({ path }) => path));
    for (const [key, { path }] of this.#views) if (paths.has(path)) this.#views.delete(key);
    const items = [...run.items];
    for (const line of lines) items[line.key] = line;
    this.#set({ run: { ...run, items }, entries: null });
  }

  /** Sends a decision and shows its result. True if it was carried out. */
  async #decide(what: string, body: unknown, keys: readonly number[]): Promise<boolean> {
    if (this.#state.busy || !this.source.live) return false;
    this.#set({ busy: true, notice: null });
    const reply = await this.source.decide(what, body);
    this.#set({ busy: false });
    if (reply.is !== "done") {
      this.#showFailure(reply, keys);
      return false;
    }
    this.#merge(reply.value.lines);
    this.#say(reply.value.said);
    if (this.#state.place === "history") void this.#loadEntries();
    return true;
  }

  #showFailure(reply: Exclude<Reply<unknown>, { is: "done" }>, keys: readonly number[]): void {
    if (reply.is === "refused") {
      this.#warn(reply.why);
      return;
    }
    for (const key of keys) this.#views.delete(key);
    if (reply.view && reply.view.key === this.#state.selected)
      this.#set({ view: reply.view, seenAt: performance.now() });
    else void this.#show(this.#state.selected);
    this.#set({ dialog: null, batch: null });
    this.#warn("It has changed since it was shown, so nothing was written. Here is the present text.");
  }

  /** Remembers a decision and selects the next open item. */
  #next(decided: readonly number[]): void {
    if (decided.length > 0) this.#decided.push(decided);
    const items = this.visible();
    const at = items.findIndex(({ key }) => key === this.#state.selected);
    const next = items.slice(at + 1).find(isWaiting) ?? items.find(isWaiting);
    if (next) void this.#selectWithNotice(next.key);
    else if (this.#isListed(this.#state.selected)) void this.#show(this.#state.selected);
    else this.#set({ selected: -1, view: null });
  }

  #isListed(key: number): boolean {
    return this.visible().some((item) => item.key === key);
  }

  /** Selects a listed finding where the selected one is no longer listed, or none. */
  #keepListed(): void {
    if (this.#isListed(this.#state.selected)) return;
    const items = this.visible();
    const first = items.find(isWaiting) ?? items[0];
    if (first) void this.select(first.key, { keepPane: true });
    else this.#set({ selected: -1, view: null });
  }

  /** Selects an item and keeps the notice about the last decision. */
  async #selectWithNotice(key: number): Promise<void> {
    const { notice } = this.#state;
    const selecting = this.select(key, { keepPane: true });
    this.#set({ notice });
    await selecting;
  }

  async #loadEntries(): Promise<void> {
    const entries = await this.source.history();
    this.#set({ entries, moreEntries: entries.length >= entriesAtOnce });
  }
}

/** Why something is rejected, and whether for good. */
type Rejection = { readonly reason?: string; readonly dismiss?: boolean };

/** Renders again whenever the state changes. */
export function useStore(store: Store): PageState {
  const [state, setState] = useState(store.state());
  useEffect(() => {
    const update = (): void => setState(store.state());
    // The state may have changed between the first render and now.
    update();
    return store.watch(update);
  }, [store]);
  return state;
}
