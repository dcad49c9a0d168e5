import type { VNode } from "preact";
import type { RunView } from "../../review/view.ts";
import { ShownSentence, ShownText } from "../parts/shown-text.tsx";

/** The pages that a run left with their refused drafts, and the remarks on those that it wrote. */
export function LeftPages({ run }: { run: RunView }): VNode | null {
  const { unknown, remarks = [] } = run;
  if (unknown.length + remarks.length === 0) return null;
  return (
    <ul class="left-pages">
      {unknown.map(({ path, why, draft }) => (
        <li>
          <code>
            <ShownText text={path} />
          </code>
          : <ShownSentence text={why} />
          {draft !== undefined && <Draft text={draft} />}
        </li>
      ))}
      {remarks.map(({ path, what, detail }) => (
        <li>
          <code>
            <ShownText text={path} />
          </code>
          : {what}: <ShownSentence text={detail} />
        </li>
      ))}
    </ul>
  );
}

function Draft({ text }: { text: string }): VNode {
  return (
    <details>
      <summary>The refused draft, which was not written</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <ShownText text={text} />
      </pre>
    </details>
  );
}

/** The same, folded, above the edits that the run has made. */
export function LeftSummary({ run }: { run: RunView }): VNode | null {
  const count = run.unknown.length + (run.remarks?.length ?? 0);
  if (count === 0) return null;
  return (
    <details class="left-summary">
      <summary>{count === 1 ? "1 passage to look at" : `${count} passages to look at`}</summary>
      <LeftPages run={run} />
    </details>
  );
}
