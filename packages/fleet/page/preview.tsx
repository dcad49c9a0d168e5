import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import { DiffView } from "../../../src/web/page/parts/diff-view.tsx";
import { ShownSentence, ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import type { PreviewView, ViewerView, WaitingView } from "../src/serve/view.ts";
import { HostLink, Link } from "./links.tsx";
import { addressWith, go, type PageAddress } from "./place.ts";
import { RolloutActions, type RolloutChoice } from "./rollout-actions.tsx";

type PreviewProps = {
  readonly connection: Connection;
  readonly viewer: ViewerView;
  readonly place: PageAddress;
  /** Rises when the server has news. */
  readonly news: number;
};

/** What would be published: the edits that wait, with the buttons that approve them and stop a rollout. */
export function Preview({ connection, viewer, place, news }: PreviewProps): VNode {
  const [found, setFound] = useState<PreviewView | null>(null);
  const [acted, setActed] = useState(0);
  const asked = place.query.toString();
  useEffect(() => {
    let isCurrent = true;
    void connection.get<PreviewView>(`/api/preview?${asked}`).then(({ status, value }) => {
      if (isCurrent && status === 200) setFound(value);
    });
    return () => {
      isCurrent = false;
    };
  }, [connection, asked, news, acted]);
  const actions = { connection, viewer, onDone: () => setActed(acted + 1) };
  const organisation = place.query.get("organisation") ?? "";
  const cause = place.query.get("cause") ?? "";
  if (found === null)
    return (
      <main class="panel" aria-busy="true">
        <h2>Waiting edits</h2>
      </main>
    );
  return (
    <main class="panel">
      <h2>Waiting edits</h2>
      <Counts found={found} />
      <Filters place={place} found={found} />
      {found.repositories.length > 0 && (
        <RolloutActions {...actions} choice={{ organisation, cause }} isBatch />
      )}
      {found.repositories.map((repository) => (
        <Waiting key={repository.id} repository={repository} place={place} actions={actions} />
      ))}
      {found.next !== null && (
        <nav class="pages" aria-label="Pages">
          <Link to={addressWith(place, { after: String(found.next) })}>Next</Link>
        </nav>
      )}
    </main>
  );
}

const reasons: Readonly<Record<string, string>> = {
  approval: "for approval",
  schedule: "for their schedule",
  limit: "because too many requests are open",
  branch: "because their branch has a commit of a person and no request",
};

function Counts({ found: { waiting } }: { found: PreviewView }): VNode {
  const totals = new Map<string, number>();
  for (const { waitingFor, repositories } of waiting)
    totals.set(waitingFor, (totals.get(waitingFor) ?? 0) + repositories);
  if (totals.size === 0) return <p role="status">No edits wait.</p>;
  const parts = [...totals].map(([why, count]) => `${count.toLocaleString()} ${reasons[why] ?? why}`);
  return <p role="status">Repositories whose edits wait: {parts.join(", ")}.</p>;
}

function Filters({ place, found }: { place: PageAddress; found: PreviewView }): VNode {
  const organisations = [...new Set(found.waiting.map(({ organisation }) => organisation))].sort();
  const cause = place.query.get("cause") ?? "";
  return (
    <search class="list-filters">
      <label>
        Organisation{" "}
        <select
          value={place.query.get("organisation") ?? ""}
          onChange={(event) => go(addressWith(place, { organisation: event.currentTarget.value, after: "" }))}
        >
          <option value="">all</option>
          {organisations.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      {cause !== "" && (
        <p>
          Cause{" "}
          <code>
            <ShownText text={cause} />
          </code>{" "}
          <Link to={addressWith(place, { cause: "", after: "" })}>all causes</Link>
        </p>
      )}
    </search>
  );
}

type WaitingProps = {
  readonly repository: WaitingView;
  readonly place: PageAddress;
  readonly actions: {
    readonly connection: Connection;
    readonly viewer: ViewerView;
    readonly onDone: () => void;
  };
};

function Waiting({ repository, place, actions }: WaitingProps): VNode {
  const { id, organisation, name, commit, commitPage, waitingFor, findings } = repository;
  const choice: RolloutChoice = {
    repository: id,
    organisation,
    cause: place.query.get("cause") ?? "",
  };
  return (
    <section class="waiting">
      <h3>
        <Link to={`/repositories/${id}`}>
          <ShownText text={`${organisation}/${name}`} />
        </Link>{" "}
        <span class="badge">{waitingFor}</span>{" "}
        <code>
          <HostLink to={commitPage} text={commit.slice(0, 8)} />
        </code>
      </h3>
      {findings.some(({ isApproved }) => !isApproved) && <RolloutActions {...actions} choice={choice} />}
      {findings.map((finding) => (
        <div class="passage" key={finding.id}>
          <p>
            <code>
              <ShownText text={`${finding.path}:${finding.startLine}`} />
            </code>{" "}
            <span class={`badge ${finding.tier}`}>{finding.tier}</span>{" "}
            {finding.isApproved && <span class="badge">approved</span>}{" "}
            <Link to={addressWith(place, { cause: finding.cause, after: "" })}>
              <ShownText text={finding.cause} />
            </Link>
          </p>
          <p>
            <ShownSentence text={finding.message} />
          </p>
          {finding.edits.map(({ old_string, new_string }) => (
            <DiffView
              key={old_string}
              before={old_string}
              after={new_string}
              startLine={finding.startLine}
              layout="inline"
              label={`the edit of ${finding.path}`}
            />
          ))}
        </div>
      ))}
    </section>
  );
}
