import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Evidence } from "../../../text/model/edit.ts";
import type { Excerpt, ItemView } from "../../review/view.ts";
import { DiffView } from "../parts/diff-view.tsx";
import { type EditorName, editorAddress, editors } from "../parts/editor-address.ts";
import { MarkdownPreview } from "../parts/markdown.tsx";
import { useRemembered } from "../parts/remembered.ts";
import { ShownSentence, ShownText } from "../parts/shown-text.tsx";
import { isWaiting } from "./list.ts";
import type { Layout, PageState, Store } from "./store.ts";

/** One edit: its change, reason, evidence and actions. */
export function EditPane({ store, state }: { store: Store; state: PageState }): VNode {
  const { view, selected } = state;
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.scrollTo(0, 0), [selected]);
  return (
    <main class="edit" ref={box} aria-busy={view === null && selected >= 0}>
      <div class="sheet">
        <button type="button" class="back quiet" onClick={() => store.setPane("list")}>
          ‹ All edits
        </button>
        {view ? (
          <Sheet store={store} state={state} view={view} />
        ) : (
          <p class="loading">{selected < 0 ? "No edit matches the filter." : "…"}</p>
        )}
      </div>
      {view && <Actions store={store} state={state} view={view} />}
    </main>
  );
}

function Badges({ view }: { view: ItemView }): VNode {
  return (
    <p class="badges">
      {view.tier && <span class={`badge ${view.tier}`}>{view.tier}</span>}
      {view.says === undefined ? null : (
        <span class="badge">
          claim{" "}
          <code>
            <ShownText text={view.says} />
          </code>
        </span>
      )}
      <span class="badge">
        rule <ShownText text={view.kind} />
      </span>
      {view.by && (
        <span class="badge">
          worded by <ShownText text={view.by} />
        </span>
      )}
      <StateBadge view={view} />
    </p>
  );
}

type AboutProps = { thing: NonNullable<ItemView["thing"]>; root: string | undefined };

/** The thing that the claim is about: its name, its place and the line that declared it. */
function AboutThing({ thing: { name, path, line, declaration }, root }: AboutProps): VNode {
  return (
    <section class="thing" aria-label="what the claim is about">
      <p>
        about{" "}
        <code>
          <ShownText text={name} />
        </code>{" "}
        <span class="path">
          <ShownText text={path} />:{line}
        </span>{" "}
        <EditorLink root={root} path={path} line={line} />
      </p>
      {declaration !== "" && (
        <pre>
          <ShownText text={declaration} />
        </pre>
      )}
    </section>
  );
}

function Sheet({ store, state, view }: { store: Store; state: PageState; view: ItemView }): VNode {
  return (
    <article>
      <p class="crumb">
        <span class="path">
          <ShownText text={view.path} />
        </span>
        {view.section !== null && (
          <span class="section">
            <ShownText text={view.section} />
          </span>
        )}
        <span>line {view.line}</span>
        <EditorLink root={state.run?.roots?.pages} path={view.path} line={view.line} />
      </p>
      <h2 class="reason">
        <ShownSentence text={view.message} />
      </h2>
      <Badges view={view} />
      {view.thing && <AboutThing thing={view.thing} root={state.run?.roots?.code} />}
      <Alike store={store} state={state} />
      {view.verdict !== undefined && (
        <p class="verdict">
          <ShownText text={view.verdict} />
        </p>
      )}
      {view.cautions.map((caution) => (
        <Note tone="warning">
          <ShownText text={caution} />
        </Note>
      ))}
      {view.obstacle !== null && isWaiting(view) && (
        <Note tone="warning">
          <ShownText text={view.obstacle} />
          {view.excerpt && view.excerpt.cut > 0 && (
            <button type="button" class="small" onClick={() => void store.showWhole()}>
              Show {view.excerpt.cut.toLocaleString()} more lines
            </button>
          )}
        </Note>
      )}
      {view.conflicts.length > 0 && (
        <Note tone="warning">
          Only one of these can be made:
          <ul>
            {view.conflicts.map(({ key, line, message }) => (
              <li>
                <button type="button" class="inline" onClick={() => void store.select(key)}>
                  line {line}
                </button>{" "}
                <ShownSentence text={message} />
              </li>
            ))}
          </ul>
        </Note>
      )}
      {view.excerpt?.marked ? (
        <>
          <EvidenceList evidence={view.evidence} root={state.run?.roots?.code} />
          <MarkedLines excerpt={view.excerpt} />
        </>
      ) : (
        <>
          <Passage store={store} state={state} view={view} />
          <EvidenceList evidence={view.evidence} root={state.run?.roots?.code} />
        </>
      )}
    </article>
  );
}

/** Decides about every listed finding that has the cause of the shown one. */
function Alike({ store, state }: { store: Store; state: PageState }): VNode | null {
  const alike = store.source.live && state.run?.kind === "proposal" ? store.alike() : [];
  if (alike.length < 2) return null;
  return (
    <p class="alike">
      <span>{alike.length} places with this cause:</span>
      <button
        type="button"
        class="small"
        disabled={state.busy || !alike.some(({ edits }) => edits)}
        onClick={() => void store.acceptAlike()}
      >
        Accept all <kbd>A</kbd>
      </button>
      <button
        type="button"
        class="small"
        disabled={state.busy}
        onClick={() => store.openDialog("reject-all")}
      >
        Reject all <kbd>R</kbd>
      </button>
    </p>
  );
}

function isEditor(name: string): name is EditorName {
  return Object.hasOwn(editors, name);
}

type EditorLinkProps = { root: string | undefined; path: string; line: number };

/** Opens a line in an editor on this machine. An exported page has no such link. */
function EditorLink({ root, path, line }: EditorLinkProps): VNode | null {
  const [editor, choose] = useRemembered<EditorName>("editor", isEditor, "VS Code");
  if (root === undefined) return null;
  const address = editorAddress(editor, { path: `${root}/${path}`, line });
  return (
    <span class="editor">
      <a href={address} title={`Open ${path}:${line} in ${editor}`}>
        Open in
      </a>
      <select
        aria-label="the editor"
        value={editor}
        onChange={({ currentTarget: { value } }) => isEditor(value) && choose(value)}
      >
        {Object.keys(editors).map((name) => (
          <option>{name}</option>
        ))}
      </select>
    </span>
  );
}

/** A passage without an edit: the lines that the finding points at, marked. */
function MarkedLines({ excerpt }: { excerpt: Excerpt }): VNode {
  const { before, startLine, marked } = excerpt;
  const isMarked = (line: number): boolean =>
    marked !== undefined && line >= marked.startLine && line <= marked.endLine;
  return (
    <section class="card" aria-label="the page">
      <header>
        <h3>The page</h3>
        <p class="muted">present text</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
      <section class="diff inline" aria-label="the passage" tabIndex={0}>
        {before
          .replace(/\n$/, "")
          .split("\n")
          .map((text, i) => (
            <div class={`side ${isMarked(startLine + i) ? "marked" : "same"}`}>
              <span class="number" aria-hidden="true">
                {startLine + i}
              </span>
              <span class="sign" aria-hidden="true">
                {isMarked(startLine + i) ? "›" : " "}
              </span>
              <span class="code" dir="ltr">
                {isMarked(startLine + i) && <span class="aside">this passage: </span>}
                <ShownText text={text} />
              </span>
            </div>
          ))}
      </section>
    </section>
  );
}

function StateBadge({ view }: { view: ItemView }): VNode | null {
  if (view.state === "open") return null;
  const entry = view.entry === null ? "" : ` · entry ${view.entry}`;
  const says = {
    reworded: "your wording",
    accepted: `accepted${entry}`,
    rejected: `rejected${entry}`,
    undone: `taken back${entry}`,
  };
  return <span class={`badge ${view.state}`}>{says[view.state]}</span>;
}

function Note({ tone, children }: { tone: "plain" | "warning"; children: ComponentChildren }): VNode {
  return <div class={`note ${tone}`}>{children}</div>;
}

const layoutNames: Record<Layout, string> = { split: "Side by side", inline: "Inline", preview: "Preview" };

function Passage({ store, state, view }: { store: Store; state: PageState; view: ItemView }): VNode | null {
  const { excerpt, original } = view;
  if (excerpt === null) return null;
  const layout = state.layout === "preview" && !excerpt.markdown ? "split" : state.layout;
  const layouts: Layout[] = excerpt.markdown ? ["split", "inline", "preview"] : ["split", "inline"];
  return (
    <section class="card" aria-label="the page">
      <header>
        <h3>The page</h3>
        <fieldset class="switch" aria-label="how the change is shown">
          {layouts.map((each) => (
            <button type="button" aria-pressed={layout === each} onClick={() => store.setLayout(each)}>
              {layoutNames[each]}
            </button>
          ))}
        </fieldset>
      </header>
      {layout === "preview" ? (
        <div class="previews">
          <div>
            <p class="label">Before</p>
            <MarkdownPreview text={excerpt.before} other={excerpt.after} label="before" />
          </div>
          <div>
            <p class="label">After</p>
            <MarkdownPreview text={excerpt.after} other={excerpt.before} label="after" />
          </div>
        </div>
      ) : (
        <DiffView
          key={`${view.key} ${excerpt.after.length} ${view.state}`}
          before={excerpt.before}
          after={excerpt.after}
          startLine={excerpt.startLine}
          layout={layout}
          label="the change of the page"
        />
      )}
      {original !== null && (
        <details>
          <summary>What was proposed</summary>
          <pre>
            <ShownText text={original} />
          </pre>
        </details>
      )}
    </section>
  );
}

type EvidenceProps = { evidence: readonly Evidence[]; root: string | undefined };

function EvidenceList({ evidence, root }: EvidenceProps): VNode | null {
  if (evidence.length === 0) return null;
  return (
    <section class="card" aria-label="evidence">
      <header>
        <h3>Evidence</h3>
        <p class="muted">what the code says</p>
      </header>
      {evidence.map((one) => (
        <div class="proof">
          <p class="place">
            <span class="path">
              <ShownText text={one.path} />:{one.startLine}
            </span>
            <EditorLink root={root} path={one.path} line={one.startLine} />
            <span class="muted">
              <ShownText
                text={/^[0-9a-f]{40,64}$/.test(one.revision) ? one.revision.slice(0, 8) : one.revision}
              />
            </span>
          </p>
          {(one.before !== undefined || one.after !== undefined) && (
            <DiffView
              before={one.before === undefined ? "" : `${one.before}\n`}
              after={one.after === undefined ? "" : `${one.after}\n`}
              startLine={one.startLine}
              layout="inline"
              label="the line of code"
            />
          )}
        </div>
      ))}
    </section>
  );
}

function Actions({ store, state, view }: { store: Store; state: PageState; view: ItemView }): VNode {
  const items = store.visible();
  const at = items.findIndex(({ key }) => key === view.key);
  const waiting = isWaiting(view);
  const decides = store.source.live && state.run?.kind === "proposal";
  return (
    <footer class="actions">
      {state.notice && (
        <p class={`notice ${state.notice.tone}`}>
          <ShownText text={state.notice.text} />
          <button type="button" class="quiet" aria-label="Close" onClick={() => store.clearNotice()}>
            ×
          </button>
        </p>
      )}
      <div class="buttons">
        {decides && waiting && (
          <>
            <button
              type="button"
              class="primary"
              disabled={view.hash === null || state.busy}
              onClick={() => void store.accept()}
            >
              Accept <kbd>a</kbd>
            </button>
            <button type="button" disabled={state.busy} onClick={() => store.openDialog("reject")}>
              Reject <kbd>r</kbd>
            </button>
            <button
              type="button"
              disabled={state.busy || view.passage === null}
              onClick={() => store.openDialog("reword")}
            >
              Edit<span class="wide-only"> wording</span> <kbd>e</kbd>
            </button>
          </>
        )}
        {store.source.live && (!waiting || view.state === "reworded") && view.state !== "undone" && (
          <button type="button" disabled={state.busy} onClick={() => void store.revert()}>
            {view.state === "reworded" ? "Drop my wording" : "Take back"} <kbd>u</kbd>
          </button>
        )}
        {!store.source.live && view.entry !== null && (
          <p class="muted">
            Take it back with <code>suture undo {view.entry}</code>
          </p>
        )}
        <span class="spring" />
        <span class="position">
          {at + 1} of {items.length}
        </span>
        <button
          type="button"
          class="step"
          aria-label="Previous edit"
          disabled={at <= 0}
          onClick={() => store.step(-1)}
        >
          <kbd>k</kbd>
          <span class="arrow">‹</span>
        </button>
        <button
          type="button"
          class="step"
          aria-label="Next edit"
          disabled={at >= items.length - 1}
          onClick={() => store.step(1)}
        >
          <kbd>j</kbd>
          <span class="arrow">›</span>
        </button>
      </div>
    </footer>
  );
}
