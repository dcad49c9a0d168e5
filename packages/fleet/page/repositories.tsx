import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import { Time } from "../../../src/web/page/parts/time.tsx";
import type { ListedView, ListView, ViewerView } from "../src/serve/view.ts";
import { RepositoryActions } from "./actions.tsx";
import { HostLink, Link } from "./links.tsx";
import { addressWith, go, type PageAddress } from "./place.ts";

const states = [
  "new",
  "clean",
  "drifted",
  "open",
  "unknown",
  "empty",
  "failing",
  "quarantined",
  "archived",
  "paused",
  "waiting",
] as const;

type ListProps = {
  readonly connection: Connection;
  readonly viewer: ViewerView;
  readonly place: PageAddress;
  /** Rises when the server has news. */
  readonly news: number;
};

/** All repositories: search, filters, order and pages are in the address. */
export function Repositories({ connection, viewer, place, news }: ListProps): VNode {
  const [found, setFound] = useState<ListView | null>(null);
  const [acted, setActed] = useState(0);
  const asked = place.query.toString();
  useEffect(() => {
    let isCurrent = true;
    void connection.get<ListView>(`/api/repositories?${asked}`).then(({ status, value }) => {
      if (isCurrent && status === 200) setFound(value);
    });
    return () => {
      isCurrent = false;
    };
  }, [connection, asked, news, acted]);
  return (
    <main class="panel">
      <h2>Repositories</h2>
      <Filters connection={connection} place={place} />
      {found === null ? (
        <p class="muted">Loading …</p>
      ) : (
        <>
          <p class="muted" role="status">
            {found.total.toLocaleString()} {found.total === 1 ? "repository" : "repositories"}
          </p>
          <table class="rows">
            <Heads place={place} />
            <tbody>
              {found.repositories.map((repository) => (
                <tr key={repository.id}>
                  <Cells repository={repository} />
                  <td>
                    <RepositoryActions
                      connection={connection}
                      viewer={viewer}
                      repository={repository}
                      onDone={() => setActed(acted + 1)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Pages place={place} total={found.total} pageSize={found.pageSize} />
        </>
      )}
    </main>
  );
}

function Filters({ connection, place }: Pick<ListProps, "connection" | "place">): VNode {
  const [organisations, setOrganisations] = useState<readonly string[]>([]);
  useEffect(() => {
    void connection
      .get<readonly string[]>("/api/organisations")
      .then(({ status, value }) => status === 200 && setOrganisations(value));
  }, [connection]);
  const set = (name: string, value: string, replace = false): void =>
    go(addressWith(place, { [name]: value, offset: "" }), { replace });
  const select = (name: string, label: string, choices: readonly string[]): VNode => (
    <label>
      {label}{" "}
      <select value={place.query.get(name) ?? ""} onChange={(event) => set(name, event.currentTarget.value)}>
        <option value="">all</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <search class="list-filters">
      <label>
        Name{" "}
        <input
          type="search"
          value={place.query.get("search") ?? ""}
          onInput={(event) => set("search", event.currentTarget.value, true)}
        />
      </label>
      {select("state", "State", states)}
      {select("organisation", "Organisation", organisations)}
    </search>
  );
}

const heads = [
  ["name", "Repository"],
  ["state", "State"],
  ["passages", "False passages"],
  ["checked", "Checked"],
] as const;

function Heads({ place }: { place: PageAddress }): VNode {
  const sort = place.query.get("sort") ?? "name";
  const isDown = place.query.get("order") === "down";
  return (
    <thead>
      <tr>
        {heads.map(([key, label]) => {
          const isSorted = sort === key;
          const order = isSorted ? (isDown ? "" : "down") : key === "name" || key === "state" ? "" : "down";
          return (
            <th
              key={key}
              scope="col"
              class={key === "passages" ? "number" : ""}
              aria-sort={isSorted ? (isDown ? "descending" : "ascending") : "none"}
            >
              <Link to={addressWith(place, { sort: key === "name" ? "" : key, order, offset: "" })}>
                {label}
              </Link>
              {isSorted && <span aria-hidden="true">{isDown ? " ↓" : " ↑"}</span>}
            </th>
          );
        })}
        <th scope="col">Request</th>
        <th scope="col">
          <span class="unseen-label">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

function Cells({ repository }: { repository: ListedView }): VNode {
  const { id, organisation, name, host, state, paused, problem, drift } = repository;
  const { checked, checkedAt, commitPage, request } = repository;
  return (
    <>
      <td data-label="Repository">
        <Link to={`/repositories/${id}`}>
          <ShownText text={`${organisation}/${name}`} />
        </Link>{" "}
        <span class="muted">
          <ShownText text={host} />
        </span>
        {problem !== null && (
          <p class="problem">
            <ShownText text={problem} />
          </p>
        )}
      </td>
      <td data-label="State">
        <span class={`badge state-${state}`}>{state}</span> {paused && <span class="badge">paused</span>}
      </td>
      <td data-label="False passages" class="number">
        {drift}
      </td>
      <td data-label="Checked">
        {checkedAt === null ? <span class="muted">never</span> : <Time at={checkedAt} />}{" "}
        {checked !== null && (
          <code>
            <HostLink to={commitPage} text={checked.slice(0, 8)} />
          </code>
        )}
      </td>
      <td data-label="Request">
        {request === null ? (
          <span class="muted">none</span>
        ) : (
          <HostLink to={request} text={`#${/(\d+)$/.exec(request)?.[1] ?? "open"}`} />
        )}
      </td>
    </>
  );
}

function Pages({
  place,
  total,
  pageSize,
}: {
  place: PageAddress;
  total: number;
  pageSize: number;
}): VNode | null {
  const offset = Number(place.query.get("offset") ?? 0);
  if (total <= pageSize) return null;
  const to = (next: number): string => addressWith(place, { offset: next <= 0 ? "" : String(next) });
  return (
    <nav class="pages" aria-label="Pages">
      {offset > 0 && <Link to={to(offset - pageSize)}>Previous</Link>}
      <span class="muted">
        {(offset + 1).toLocaleString()} to {Math.min(total, offset + pageSize).toLocaleString()}
      </span>
      {offset + pageSize < total && <Link to={to(offset + pageSize)}>Next</Link>}
    </nav>
  );
}
