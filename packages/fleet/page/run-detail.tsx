import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import { Time } from "../../../src/web/page/parts/time.tsx";
import type { RunDetailView } from "../src/serve/view.ts";
import { HostLink, Link } from "./links.tsx";
import { Missing } from "./missing.tsx";
import { Passages } from "./passages.tsx";

/** One run: the reason and the edit of each passage. */
export function RunDetail({ connection, id }: { connection: Connection; id: string }): VNode {
  const [run, setRun] = useState<RunDetailView | "missing" | null>(null);
  useEffect(() => {
    void connection
      .get<RunDetailView>(`/api/runs/${id}`)
      .then(({ status, value }) => setRun(status === 200 ? value : status === 404 ? "missing" : null));
  }, [connection, id]);
  if (run === "missing") return <Missing what="run" />;
  if (run === null) return <main class="panel" aria-busy="true" />;
  return (
    <main class="panel">
      <h2>
        {run.kind} of{" "}
        <Link to={`/repositories/${run.repository}`}>
          <ShownText text={`${run.organisation}/${run.name}`} />
        </Link>
      </h2>
      <p class="muted">
        {run.state},{" "}
        <code>
          <HostLink to={run.commitPage} text={run.commit.slice(0, 12)} />
        </code>
        , <Time at={run.ended} />, {run.findings} found, {run.fixed} fixed
        {run.unknown > 0 && `, ${run.unknown} could not be looked at`}
      </p>
      {run.detail && (
        <p>
          <ShownText text={run.detail} />
        </p>
      )}
      {run.url !== null && (
        <p>
          <HostLink to={run.url} text={run.url} />
        </p>
      )}
      <Passages reasons={run.reasons} ofFix={run.kind === "fix"} />
      {run.reasons.length === 0 && <p class="muted">This run says nothing about single passages.</p>}
    </main>
  );
}
