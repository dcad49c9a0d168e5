import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { diffWords } from "../../../text/diff/diff-rows.ts";
import type { BatchPreview } from "../../review/view.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ShownText } from "../parts/shown-text.tsx";
import { Windowed } from "../parts/windowed.tsx";
import { keys } from "./keys.ts";
import type { PageState, Store } from "./store.ts";

export function Dialogs({ store, state }: { store: Store; state: PageState }): VNode | null {
  switch (state.dialog) {
    case "help":
      return <KeyTable store={store} />;
    case "reject":
      return <Rejection store={store} />;
    case "reject-all":
      return <Rejection store={store} all />;
    case "reword":
      return state.view?.passage === null || !state.view ? null : <Rewording store={store} state={state} />;
    case "batch":
      return <BatchDialog store={store} batch={state.batch} busy={state.busy} />;
    default:
      return null;
  }
}

function KeyTable({ store }: { store: Store }): VNode {
  return (
    <Dialog title="Keys" onClose={() => store.openDialog(null)}>
      <dl class="keys">
        {keys.map(([key, says]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => store.openDialog(null)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Rejection({ store, all = false }: { store: Store; all?: boolean }): VNode {
  const count = all ? store.alike().length : 1;
  const [reason, setReason] = useState("");
  const [dismiss, setDismiss] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Dialog
      title={all ? `Reject ${count} with this cause` : "Reject this edit"}
      onClose={() => store.openDialog(null)}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const why = reason.trim();
          const options = { dismiss, ...(why === "" ? {} : { reason: why }) };
          void (all ? store.rejectAlike(options) : store.reject(options));
        }}
      >
        <label class="field">
          Why (optional)
          <input
            ref={field}
            type="text"
            maxLength={2000}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={dismiss}
            onChange={(event) => setDismiss(event.currentTarget.checked)}
          />
          <span>
            The page is right as it is: do not report this again
            <small>
              remembered in <code>suture.config.json</code>
            </small>
          </span>
        </label>
        <div class="buttons">
          <button type="submit" class="primary">
            {all ? `Reject ${count}` : "Reject"}
          </button>
          <button type="button" onClick={() => store.openDialog(null)}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Rewording({ store, state }: { store: Store; state: PageState }): VNode {
  const { view } = state;
  const [text, setText] = useState(view!.passage ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Dialog title="Edit the wording" onClose={() => store.openDialog(null)} wide>
      <p class="muted">
        These lines of <code>{view!.path}</code> as they will be. You see the change once more before it is
        written.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void store.reword(text);
        }}
      >
        <label class="aside" for="wording">
          wording
        </label>
        <textarea
          id="wording"
          ref={field}
          rows={Math.min(16, Math.max(4, text.split("\n").length + 1))}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void store.reword(text);
          }}
        />
        {state.notice?.tone === "warning" && <p class="notice warning">{state.notice.text}</p>}
        <div class="buttons">
          <button type="submit" class="primary" disabled={state.busy || text === view!.passage}>
            Keep this wording
          </button>
          <button type="button" onClick={() => store.openDialog(null)}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type BatchProps = { store: Store; batch: BatchPreview | null; busy: boolean };

function BatchDialog({ store, batch, busy }: BatchProps): VNode {
  const write = useRef<HTMLButtonElement>(null);
  // Enter writes what is shown, so that a cause costs two keys.
  useEffect(() => write.current?.focus(), [batch]);
  const pages = new Set(batch?.changes.map(({ path }) => path)).size;
  return (
    <Dialog
      title={
        batch
          ? `Accept ${batch.keys.length} ${batch.keys.length === 1 ? "edit" : "edits"} of ${pages} ${pages === 1 ? "page" : "pages"}`
          : "Accept together"
      }
      onClose={() => store.openDialog(null)}
      wide
    >
      {batch === null ? (
        <p class="loading">Working out what would be written …</p>
      ) : (
        <>
          <Windowed
            class="changes"
            most={420}
            rows={batch.changes}
            height={heightOf}
            rowKey={({ key }) => key}
            label="what will be written"
            render={(change) => <ChangeRow change={change} />}
          />
          {batch.left.length > 0 && (
            <details>
              <summary>{batch.left.length} are left to be looked at one by one</summary>
              <ul>
                {batch.left.slice(0, 200).map(({ key, why }) => (
                  <li>
                    <code>{store.state().run?.items[key]?.path}</code>: {why}
                  </li>
                ))}
              </ul>
            </details>
          )}
          <p class="muted">One transaction: all of it is written, or nothing; one undo takes it back.</p>
          <div class="buttons">
            <button
              type="button"
              class="primary"
              ref={write}
              disabled={busy || batch.keys.length === 0}
              onClick={() => void store.acceptBatch()}
            >
              {busy ? "Writing …" : `Write ${batch.keys.length}`}
            </button>
            <button type="button" onClick={() => store.openDialog(null)}>
              Cancel
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

type PreviewChange = BatchPreview["changes"][number];

function heightOf({ before, after }: PreviewChange): number {
  return 44 + 22 * (before.split("\n").length + after.split("\n").length);
}

function ChangeRow({ change }: { change: PreviewChange }): VNode {
  const [before, after] = [change.before.split("\n"), change.after.split("\n")];
  const paired = before.length === after.length;
  return (
    <div class="change">
      <p class="place">
        <ShownText text={change.path} />:{change.line}
      </p>
      {before.map((line, i) => (
        <p class="line old" dir="ltr">
          {paired ? drawWords(line, after[i]!, 0) : <ShownText text={line} spaces />}
        </p>
      ))}
      {after.map((line, i) => (
        <p class="line new" dir="ltr">
          {paired ? drawWords(before[i]!, line, 1) : <ShownText text={line} spaces />}
        </p>
      ))}
    </div>
  );
}

function drawWords(before: string, after: string, side: 0 | 1): VNode[] {
  return diffWords(before, after)[side].map(({ text, changed }) => {
    const shown = <ShownText text={text} spaces={changed} />;
    return !changed ? shown : side === 0 ? <del>{shown}</del> : <ins>{shown}</ins>;
  });
}
