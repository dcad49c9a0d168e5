import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { RunView } from "../../review/view.ts";
import { ShownText } from "../parts/shown-text.tsx";
import { type Theme, useTheme } from "../parts/theme.ts";
import { Time } from "../parts/time.tsx";
import { isWaiting } from "./list.ts";
import type { PageState, Store } from "./store.ts";

const themeNames: Record<Theme, string> = { auto: "Auto", light: "Light", dark: "Dark" };

export function Header({ store, state }: { store: Store; state: PageState }): VNode {
  const [theme, nextTheme] = useTheme();
  const { run, place } = state;
  const total = run?.items.length ?? 0;
  const decided = useMemo(() => total - (run?.items.filter(isWaiting).length ?? 0), [run]);
  return (
    <header class="top">
      <div class="brand">
        <Mark />
        <div>
          <h1>{run ? <ShownText text={run.folder} /> : "Suture"}</h1>
          {run && (
            <p class="about">
              <ShownText text={origin(run)} />
              {run.base && (
                <>
                  {" · "}
                  <code>
                    {short(run.base)}..{short(run.head)}
                  </code>
                </>
              )}
              {" · "}
              <Time at={store.source.made ?? run.time} />
            </p>
          )}
        </div>
      </div>
      {run?.kind === "proposal" && total > 0 && (
        <div class="meter">
          <progress value={decided} max={total} aria-label="decided" />
          <span>
            {decided} of {total} decided
          </span>
        </div>
      )}
      {state.progress && run && (
        <p class="going">
          <span class="pulse small" aria-hidden="true" />
          <ShownText text={state.progress.doing} />
          {state.progress.total !== undefined && ` ${state.progress.done} of ${state.progress.total}`}
        </p>
      )}
      <nav class="places" aria-label="places">
        <button type="button" aria-pressed={place === "review"} onClick={() => store.goTo("review")}>
          Review
        </button>
        <button type="button" aria-pressed={place === "history"} onClick={() => store.goTo("history")}>
          History
        </button>
      </nav>
      <div class="corner">
        <button type="button" class="quiet" onClick={nextTheme} title="Colours">
          <span class="aside">Colours: </span>
          {themeNames[theme]}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => store.openDialog("help")}
          aria-label="Keys"
          title="Keys"
        >
          ?
        </button>
      </div>
    </header>
  );
}

function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="ground" />
      <path d="M5 16h22" class="seam" />
      <path d="m9 10 4 12m3-12 4 12m3-12-1 12" class="stitch" />
    </svg>
  );
}

function origin({ kind, source, model }: RunView): string {
  if (kind === "record") return `written by ${model ?? source}`;
  return source === "review" ? "found by check" : `proposed by ${model ?? source}`;
}

function short(revision: string | null): string {
  return revision === null ? "" : /^[0-9a-f]{40,64}$/.test(revision) ? revision.slice(0, 8) : revision;
}
