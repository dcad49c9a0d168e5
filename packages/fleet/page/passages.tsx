import type { VNode } from "preact";
import { DiffView } from "../../../src/web/page/parts/diff-view.tsx";
import { ShownSentence, ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import type { ReasonView } from "../src/serve/view.ts";

/** Passages with the reason and the edit of each, and for a fix whether it was made. */
export function Passages({
  reasons,
  ofFix = false,
}: {
  reasons: readonly ReasonView[];
  ofFix?: boolean;
}): VNode {
  return (
    <>
      {reasons.map((reason) => (
        <section class="passage" key={`${reason.path} ${reason.startLine} ${reason.message}`}>
          <p>
            <code>
              <ShownText text={`${reason.path}:${reason.startLine}`} />
            </code>{" "}
            <span class={`badge ${reason.tier}`}>{reason.tier}</span>{" "}
            {ofFix && <span class="badge">{reason.fixed ? "edited" : "left"}</span>}
          </p>
          <p>
            <ShownSentence text={reason.message} />
          </p>
          {reason.edits.map(({ old_string, new_string }) => (
            <DiffView
              key={old_string}
              before={old_string}
              after={new_string}
              startLine={reason.startLine}
              layout="inline"
              label={`the edit of ${reason.path}`}
            />
          ))}
        </section>
      ))}
    </>
  );
}
