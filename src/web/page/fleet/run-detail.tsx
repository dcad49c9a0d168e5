import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FleetRunView, RunDetailView } from "../../../fleet/serve/view.ts";
import type { Connection } from "../connection.ts";
import { DiffView } from "../parts/diff-view.tsx";
import { ShownSentence, ShownText } from "../parts/shown-text.tsx";
import { Time } from "../parts/time.tsx";

/** One run: the reason and the edit of each passage. */
export function RunDetail({ connection, run }: { connection: Connection; run: FleetRunView }): VNode {
  const [detail, setDetail] = useState<RunDetailView | null>(null);
  useEffect(() => {
    void connection
      .get<RunDetailView>(`/api/runs/${run.id}`)
      .then(({ status, value }) => status === 200 && setDetail(value));
  }, [connection, run]);
  return (
    <main class="panel">
      <h2>
        {run.kind} of <ShownText text={`${run.organisation}/${run.name}`} />
      </h2>
      <p class="muted">
        {run.state}, <code>{run.commit.slice(0, 12)}</code>, <Time at={run.ended} />, {run.findings} found,{" "}
        {run.fixed} fixed
        {run.unknown > 0 && `, ${run.unknown} could not be looked at`}
      </p>
      {run.detail && (
        <p>
          <ShownText text={run.detail} />
        </p>
      )}
      {run.url?.startsWith("https://") && (
        <p>
          <a href={run.url} rel="noreferrer noopener" target="_blank">
            <ShownText text={run.url} />
          </a>
        </p>
      )}
      {detail?.reasons.map((reason) => (
        <section class="passage" key={`${reason.path} ${reason.startLine} ${reason.message}`}>
          <p>
            <code>
              <ShownText text={`${reason.path}:${reason.startLine}`} />
            </code>{" "}
            <span class={`badge ${reason.tier}`}>{reason.tier}</span>{" "}
            <span class="badge">{reason.fixed ? "edited" : "left"}</span>
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
      {detail?.reasons.length === 0 && <p class="muted">This run says nothing about single passages.</p>}
    </main>
  );
}
