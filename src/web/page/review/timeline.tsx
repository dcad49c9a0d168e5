import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Moment } from "../../review/view.ts";
import { ShownSentence, ShownText } from "../parts/shown-text.tsx";
import { Time } from "../parts/time.tsx";
import type { State, Store } from "./store.ts";

/** Who changed what, why and when, newest first; and how it is taken back. */
export function Timeline({ store, state }: { store: Store; state: State }): VNode {
  const { moments, moreMoments } = state;
  useEffect(() => {
    if (moments === null) store.goTo("history");
  }, [moments]);
  return (
    <main class="history">
      <div class="sheet">
        <h2 class="reason">History</h2>
        {state.notice && (
          <p class={`notice ${state.notice.tone}`}>
            <ShownText text={state.notice.text} />
          </p>
        )}
        {moments?.length === 0 && <p class="muted">Nothing has been written yet.</p>}
        <ol class="timeline">
          {(moments ?? []).map((moment) => (
            <Event key={moment.entry} moment={moment} store={store} busy={state.busy} />
          ))}
        </ol>
        {moreMoments && (
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

function Event({ moment, store, busy }: { moment: Moment; store: Store; busy: boolean }): VNode {
  const [sure, setSure] = useState(false);
  const gone = moment.undone || moment.aborted;
  return (
    <li class={`moment ${gone || moment.kind === "undo" ? "gone" : ""}`}>
      <p class="when">
        <Time at={moment.time} />
        <span class="badge">entry {moment.entry}</span>
        {moment.run && (
          <span class="badge">
            <ShownText text={moment.run} />
          </span>
        )}
        {moment.undone && <span class="badge undone">taken back</span>}
        {moment.aborted && <span class="badge rejected">aborted</span>}
      </p>
      <p class="who">
        <strong>
          <ShownText text={moment.author} />
        </strong>{" "}
        {kinds[moment.kind] ?? moment.kind}{" "}
        {moment.undoes.length > 0 && `entry ${moment.undoes.join(", ")}: `}
        {moment.files.slice(0, 4).map((path, i) => (
          <>
            {i > 0 && ", "}
            <code>
              <ShownText text={path} />
            </code>
          </>
        ))}
        {moment.files.length > 4 && ` and ${moment.files.length - 4} more`}
      </p>
      {moment.reason !== "" && (
        <p class="why">
          <ShownSentence text={moment.reason} />
        </p>
      )}
      {moment.edits.length > 1 && (
        <details>
          <summary>{moment.edits.length} reasons</summary>
          <ul>
            {moment.edits.map((edit) => (
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
      {!gone &&
        (store.source.live ? (
          <p class="back">
            {sure ? (
              <>
                <button
                  type="button"
                  class="small"
                  disabled={busy}
                  onClick={() => void store.undoEntry(moment.entry)}
                >
                  Yes, take entry {moment.entry} back
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
            <code class="muted">suture undo {moment.entry}</code>
          </p>
        ) : (
          <p class="back">
            <code>suture undo {moment.entry}</code>
          </p>
        ))}
    </li>
  );
}
