import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FleetRunView, ListedView, ReasonView, ViewerView } from "../../../fleet/serve/view.ts";
import type { Connection } from "../connection.ts";
import { ShownText } from "../parts/shown-text.tsx";
import { Time } from "../parts/time.tsx";
import { RepositoryActions } from "./actions.tsx";
import { HostLink } from "./links.tsx";
import { Missing } from "./missing.tsx";
import { Passages } from "./passages.tsx";
import { RunTable } from "./run-table.tsx";

/** One repository: its state, the reason, its links, its false passages, and its runs. */
export function RepositoryPage({
  connection,
  viewer,
  id,
  news,
}: {
  connection: Connection;
  viewer: ViewerView;
  id: string;
  news: number;
}): VNode {
  const [repository, setRepository] = useState<ListedView | "missing" | null>(null);
  const [runs, setRuns] = useState<readonly FleetRunView[]>([]);
  const [passages, setPassages] = useState<readonly ReasonView[]>([]);
  const [acted, setActed] = useState(0);
  useEffect(() => {
    void connection
      .get<ListedView>(`/api/repositories/${id}`)
      .then(({ status, value }) => setRepository(status === 200 ? value : status === 404 ? "missing" : null));
    void connection
      .get<readonly FleetRunView[]>(`/api/repositories/${id}/runs`)
      .then(({ status, value }) => status === 200 && setRuns(value));
    void connection
      .get<readonly ReasonView[]>(`/api/repositories/${id}/passages`)
      .then(({ status, value }) => status === 200 && setPassages(value));
  }, [connection, id, news, acted]);
  if (repository === "missing") return <Missing what="repository" />;
  if (repository === null) return <main class="panel" aria-busy="true" />;
  const { organisation, name, state, paused, drift, problem, checked, checkedAt, request } = repository;
  return (
    <main class="panel">
      <h2>
        <HostLink to={repository.page} text={`${organisation}/${name}`} />
      </h2>
      <p>
        <span class={`badge state-${state}`}>{state}</span> {paused && <span class="badge">paused</span>}{" "}
        {drift} false {drift === 1 ? "passage" : "passages"}
        {checkedAt !== null && (
          <>
            , checked <Time at={checkedAt} />
          </>
        )}
        {checked !== null && (
          <>
            {" "}
            at{" "}
            <code>
              <HostLink to={repository.commitPage} text={checked.slice(0, 12)} />
            </code>
          </>
        )}
      </p>
      {problem !== null && (
        <p class="problem">
          <ShownText text={problem} />
        </p>
      )}
      {request !== null && (
        <p>
          Open request: <HostLink to={request} text={request} />
        </p>
      )}
      <p>
        <RepositoryActions
          connection={connection}
          viewer={viewer}
          repository={repository}
          onDone={() => setActed(acted + 1)}
        />
      </p>
      {passages.length > 0 && (
        <>
          <h2>False passages, by the last check</h2>
          <Passages reasons={passages} />
        </>
      )}
      <RunTable title="Runs" runs={runs} ofOne />
    </main>
  );
}
