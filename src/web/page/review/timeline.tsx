import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { EntryView } from "../../review/view.ts";
import { ShownSentence, ShownText } from "../parts/shown-text.tsx";
import { Time } from "../parts/time.tsx";
import type { PageState, Store } from "./store.ts";

/** The entries of the journal, newest first, each with a way to undo it. */
export function Timeline({ store, state }: { store: Store; state: PageState }): VNode {
  const { entries, moreEntries } = state;
  useEffect(() => {
    if (entries === null) store.goTo("history");
  }, [entries]);
  return (
    <main class="history">
      <div class="sheet">
        <h2 class="reason">History</h2>
        {state.notice && (
          <p class={`notice ${state.notice.tone}`}>
            <ShownText text={state.notice.text} />
          </p>
        )}
        {entries?.length === 0 && <p class="muted">Nothing has been written yet.</p>}
        <ol class="timeline">
          {(entries ?? []).map((entry) => (
            <Event key={entry.entry} entry={entry} store={store} busy={state.busy} />
          ))}
        </ol>
        {moreEntries && (
          <button type="button" onClick={() => void store.moreHistory()}>
            Older
          </button>
        )}
      </div>
    </main>
  );
}

const kinds: Record<string, string> = {
  edit: "edited",
  undo: "took back",
  redo: "did again",
  restore: "restored",
  tidy: "tidied",
};

function Event({ entry, store, busy }: { entry: EntryView; store: Store; busy: boolean }): VNode {
  const isGone = entry.undone || entry.aborted;
  return (
    <li class={`moment ${isGone || entry.kind === "undo" ? "gone" : ""}`}>
      <EventHeader entry={entry} />
      {entry.reason !== "" && (
        <p class="why">
          <ShownSentence text={entry.reason} />
        </p>
      )}
      {entry.edits.length > 1 && (
        <details>
          <summary>{entry.edits.length} reasons</summary>
          <ul>
            {entry.edits.map((edit) => (
              <li>
                <code>
                  <ShownText text={edit.path} />
                </code>{" "}
                <ShownSentence text={edit.reason} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {!isGone && <UndoEntry entry={entry.entry} store={store} busy={busy} />}
    </li>
  );
}

function EventHeader({ entry }: { entry: EntryView }): VNode {
  return (
    <>
      <p class="when">
        <Time at={entry.time} />
        <span class="badge">entry {entry.entry}</span>
        {entry.run && (
          <span class="badge">
            <ShownText text={entry.run} />
          </span>
        )}
        {entry.undone && <span class="badge undone">taken back</span>}
        {entry.aborted && <span class="badge rejected">aborted</span>}
      </p>
      <p class="who">
        <strong>
          <ShownText text={entry.author} />
        </strong>{" "}
        {kinds[entry.kind] ?? entry.kind} {entry.undoes.length > 0 && `entry ${entry.undoes.join(", ")}: `}
        {entry.files.slice(0, 4).map((path, i) => (
          <>
            {i > 0 && ", "}
            <code>
              <ShownText text={path} />
            </code>
          </>
        ))}
        {entry.files.length > 4 && ` and ${entry.files.length - 4} more`}
      </p>
    </>
  );
}

/** Undoes an entry after a second click. An exported page shows the command instead. */
function UndoEntry({ entry, store, busy }: { entry: string; store: Store; busy: boolean }): VNode {
  const [sure, setSure] = useState(false);
  if (!store.source.live)
    return (
      <p class="back">
        <code>suture undo {entry}</code>
      </p>
    );
  return (
    <p class="back">
      {sure ? (
        <>
          <button type="button" class="small" disabled={busy} onClick={() => void store.undoEntry(entry)}>
            Yes, take entry {entry} back
          </button>
          <button type="button" class="small quiet" onClick={() => setSure(false)}>
            Keep it
          </button>
        </>
      ) : (
        <button type="button" class="small quiet" onClick={() => setSure(true)}>
          Take back …
        </button>
      )}
      <code class="muted">suture undo {entry}</code>
    </p>
  );
}
