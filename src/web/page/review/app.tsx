import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { RunView } from "../../review/view.ts";
import { Dialogs } from "./dialogs.tsx";
import { EditPane } from "./edit-pane.tsx";
import { Header } from "./header.tsx";
import { listenToKeys } from "./keys.ts";
import { LeftPages } from "./left-pages.tsx";
import { ListPane } from "./list-pane.tsx";
import { type PageState, type Store, useStore } from "./store.ts";
import { Timeline } from "./timeline.tsx";

/** The review page: the list on the left, one edit on the right. */
export function App({ store }: { store: Store }): VNode {
  const state = useStore(store);
  useEffect(() => listenToKeys(store), [store]);
  return (
    <div class={`app ${state.pane === "edit" ? "at-edit" : "at-list"}`} data-place={state.place}>
      <Header store={store} state={state} />
      {!state.connected && (
        <p class="banner" role="alert">
          The server has stopped. Your decisions are kept; <code>suture review</code> opens the review again.
        </p>
      )}
      <Content store={store} state={state} />
      <Dialogs store={store} state={state} />
      <p class="aside" role="status" aria-live="polite">
        {state.notice?.text ?? ""}
      </p>
    </div>
  );
}

function Content({ store, state }: { store: Store; state: PageState }): VNode {
  if (state.error !== null)
    return (
      <main class="alone">
        <h1>Nothing to show</h1>
        <p>{state.error}</p>
      </main>
    );
  if (state.run === null) return <Waiting state={state} />;
  if (state.place === "history") return <Timeline store={store} state={state} />;
  if (state.run.items.length === 0) return <Clean run={state.run} />;
  return (
    <div class="columns">
      <ListPane store={store} state={state} />
      <EditPane store={store} state={state} />
    </div>
  );
}

function Waiting({ state }: { state: PageState }): VNode {
  return (
    <main class="alone" aria-busy="true">
      <div class="pulse" aria-hidden="true" />
      <h1>{state.progress?.doing ?? "Opening the run …"}</h1>
      {state.progress?.total !== undefined && (
        <progress value={state.progress.done ?? 0} max={state.progress.total} aria-label="progress" />
      )}
    </main>
  );
}

function Clean({ run }: { run: RunView }): VNode {
  return (
    <main class="alone">
      <h1>{titleOf(run)}</h1>
      <LeftPages run={run} />
    </main>
  );
}

function titleOf({ kind, unknown }: RunView): string {
  if (kind === "record") return "This run has written nothing.";
  return unknown.length === 0
    ? "No false passage was found."
    : "No false passage was found in the pages that could be checked.";
}
