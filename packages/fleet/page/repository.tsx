import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import { Time } from "../../../src/web/page/parts/time.tsx";
import type { DetailedView, FleetRunView, ReasonView, ViewerView } from "../src/serve/view.ts";
import { RepositoryActions } from "./actions.tsx";
import { HostLink } from "./links.tsx";
import { Missing } from "./missing.tsx";
import { Passages } from "./passages.tsx";
import { RunTable } from "./run-table.tsx";

/** Why the repository is in its state, in sentences. */
function Explanation({ repository }: { repository: DetailedView }): VNode {
  const { state, standing, standingSince, waitingFor, requests } = repository;
  return (
    <>
      {restReasons[state] !== undefined && <p>{restReasons[state]}</p>}
      {standing > 0 && (
        <p>
          {standing} of them {standing === 1 ? "was" : "were"} false before the last change
          {standingSince !== null && (
            <>
              , the oldest since <Time at={standingSince} />
            </>
          )}
          . Suture does not publish edits for them.
        </p>
      )}
      {waitingFor !== null && <p>{waitReasons[waitingFor] ?? "Edits wait."}</p>}
      {requests.map((url) => (
        <p key={url}>
          Open request: <HostLink to={url} text={url} />
        </p>
      ))}
    </>
  );
}

/** The pages that the last check could not judge, each with the reason. */
function Unknown({ unknown }: Pick<DetailedView, "unknown">): VNode | null {
  if (unknown.length === 0) return null;
  return (
    <>
      <h2>What the last check could not judge</h2>
      <ul>
        {unknown.map(({ path, why }) => (
          <li key={path}>
            <code>
              <ShownText text={path === "." ? "the repository" : path} />
            </code>
            : <ShownText text={why} />
          </li>
        ))}
      </ul>
    </>
  );
}

const restReasons: Readonly<Record<string, string>> = {
  new: "It was not checked yet.",
  empty: "It has no commits.",
  archived: "Its host has archived or deleted it. The fleet leaves it alone until it is active again.",
  quarantined: "It stopped its worker twice. The fleet leaves it alone until a person retries it.",
};

const waitReasons: Readonly<Record<string, string>> = {
  approval: "Its edits wait for an approval.",
  schedule: "Its edits wait for the hours of its schedule.",
  limit: "Its edits wait, because the limit of open pull requests is reached.",
  branch:
    "Its edits wait, because their branch has a commit of a person, and no pull request is open from it. Delete the branch, and the fleet publishes them.",
};

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
  const [repository, setRepository] = useState<DetailedView | "missing" | null>(null);
  const [runs, setRuns] = useState<readonly FleetRunView[]>([]);
  const [passages, setPassages] = useState<readonly ReasonView[]>([]);
  const [acted, setActed] = useState(0);
  useEffect(() => {
    void connection
      .get<DetailedView>(`/api/repositories/${id}`)
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
  const { organisation, name, state, paused, drift, problem, checked, checkedAt } = repository;
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
      <Explanation repository={repository} />
      <p>
        <RepositoryActions
          connection={connection}
          viewer={viewer}
          repository={repository}
          onDone={() => setActed(acted + 1)}
        />
      </p>
      <Unknown unknown={repository.unknown} />
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
