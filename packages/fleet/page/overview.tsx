import type { VNode } from "preact";
import type { Connection } from "../../../src/web/page/connection.ts";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import { Time } from "../../../src/web/page/parts/time.tsx";
import type { DayView, FleetView, RepositoryView, ViewerView, WorkerView } from "../src/serve/view.ts";
import { Chart } from "./chart.tsx";
import { Link } from "./links.tsx";
import { RunTable } from "./run-table.tsx";

export type OverviewProps = {
  readonly connection: Connection;
  readonly viewer: ViewerView;
  readonly view: FleetView;
};

/** The overview: figures, failing and drifted repositories, the queue, and charts by day. */
export function Overview({ connection, viewer, view }: OverviewProps): VNode {
  const total = Object.values(view.states).reduce((sum, count) => sum + count, 0);
  return (
    <main class="fleet-main">
      <Figures
        figures={[
          ["Repositories", total, "/repositories"],
          ...figuresOf(view, ["new", "Not checked yet"]),
          ["Clean", view.states.clean ?? 0, "/repositories?state=clean"],
          ["With open edits", view.states.open ?? 0, "/repositories?state=open"],
          ["Drifted", view.states.drifted ?? 0, "/repositories?state=drifted"],
          ["Unknown", view.states.unknown ?? 0, "/repositories?state=unknown"],
          ["Failing", view.states.failing ?? 0, "/repositories?state=failing"],
          ["Quarantined", view.states.quarantined ?? 0, "/repositories?state=quarantined"],
          ...figuresOf(view, ["empty", "Empty"], ["archived", "Archived"]),
          ["Jobs waiting", view.queue.waiting],
          ["Jobs running", view.queue.active],
          ["Jobs for later", view.queue.deferred],
          ["Jobs that failed", view.queue.dead],
        ]}
      />
      {total === 0 && viewer.sees === null && (
        <p class="banner">
          The fleet is empty. <code>suture fleet import</code> puts the repositories of a host, a list or a
          folder into it.
        </p>
      )}
      <Banners connection={connection} viewer={viewer} view={view} />
      <section class="panel">
        <Chart
          title="False passages that are left"
          days={view.levels}
          first={["left", ({ passages }) => passages]}
          says="last"
        />
      </section>
      <Charts days={view.days} />
      <div class="panels">
        <section class="panel">
          <Failing repositories={view.failing} />
        </section>
        <section class="panel">
          <Drifted repositories={view.drifted} />
        </section>
        <section class="panel">
          <Workers workers={view.workers} />
        </section>
      </div>
      <section class="panel">
        <RunTable title="Last runs" runs={view.runs.slice(0, mostRuns)} />
      </section>
    </main>
  );
}

const mostRuns = 30;

/** The states that many fleets do not have, where there are any: the figures of all states make up the total. */
function figuresOf(
  { states }: FleetView,
  ...named: readonly (readonly [state: string, label: string])[]
): Figure[] {
  return named.flatMap(([state, label]) => {
    const count = states[state] ?? 0;
    return count === 0 ? [] : [[label, count, `/repositories?state=${state}`] as const];
  });
}

/** What keeps jobs from running. */
function Banners({ connection, viewer, view }: OverviewProps): VNode {
  return (
    <>
      {view.draining && <p class="banner">The fleet drains: no job is handed out.</p>}
      {view.paused.map(({ name, paused_until, why }) => (
        <p class="banner" key={name}>
          <ShownText text={name} /> rests until <Time at={paused_until} />
          {pauseReasons[why ?? ""] ?? ""}.{" "}
          {viewer.operates === null && (
            <button
              type="button"
              class="small"
              onClick={() => void connection.post(`/api/hosts/${encodeURIComponent(name)}/resume`, {})}
            >
              Resume
            </button>
          )}
        </p>
      ))}
    </>
  );
}

/** The last days: passages, requests and cost. */
function Charts({ days }: { days: readonly DayView[] }): VNode {
  return (
    <div class="panels" hidden={days.length === 0}>
      <section class="panel">
        <Chart
          title="Passages found and fixed"
          days={days}
          first={["fixed", ({ fixed }) => fixed]}
          second={["found", ({ findings }) => findings]}
        />
      </section>
      <section class="panel">
        <Chart
          title={`Requests merged, of those published (${acceptance(days)})`}
          days={days}
          first={["merged", ({ merged }) => merged]}
          second={["published", ({ published }) => published]}
        />
      </section>
      <section class="panel">
        <Chart
          title="Cost in dollars"
          days={days}
          first={["cost", ({ cost_usd }) => cost_usd]}
          print={(value) => `$${value.toFixed(2)}`}
        />
      </section>
    </div>
  );
}

function acceptance(days: readonly DayView[]): string {
  const merged = days.reduce((sum, day) => sum + day.merged, 0);
  const decided = merged + days.reduce((sum, day) => sum + day.closed, 0);
  return decided === 0 ? "none decided yet" : `${Math.round((100 * merged) / decided)} % of those decided`;
}

/** Why a host rests, after "rests until …". */
const pauseReasons: Readonly<Record<string, string>> = {
  busy: ", because it limits our requests",
  away: ", because it could not be reached",
  token: ", because it refuses the token",
};

type Figure = readonly [name: string, value: number, to?: string];

function Figures({ figures }: { figures: readonly Figure[] }): VNode {
  return (
    <dl class="figures">
      {figures.map(([name, value, to]) => (
        <div key={name}>
          <dt>{to === undefined ? name : <Link to={to}>{name}</Link>}</dt>
          <dd>{value.toLocaleString()}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How many repositories a list of the overview shows. The others are on the page of all repositories. */
const mostShown = 12;

function Failing({ repositories }: { repositories: readonly RepositoryView[] }): VNode {
  return (
    <>
      <h2>Failing repositories</h2>
      {repositories.length === 0 && <p class="muted">None.</p>}
      <table class="rows">
        <tbody>
          {repositories.slice(0, mostShown).map(({ id, organisation, name, state, problem }) => (
            <tr key={id}>
              <td>
                <Link to={`/repositories/${id}`}>
                  <ShownText text={`${organisation}/${name}`} />
                </Link>{" "}
                <span class={`badge state-${state}`}>{state}</span>
                <p class="problem">
                  <ShownText text={problem ?? "the reason was not kept"} />
                </p>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {repositories.length > mostShown && (
        <p>
          All of them: <Link to="/repositories?state=failing">failing</Link>,{" "}
          <Link to="/repositories?state=quarantined">quarantined</Link>
        </p>
      )}
    </>
  );
}

function Drifted({ repositories }: { repositories: FleetView["drifted"] }): VNode {
  return (
    <>
      <h2>Repositories with drift</h2>
      {repositories.length === 0 && <p class="muted">No drift was found.</p>}
      <div class="scroll">
        <table>
          <tbody>
            {repositories.slice(0, mostShown).map((repository) => (
              <tr key={repository.id}>
                <td>
                  <Link to={`/repositories/${repository.id}`}>
                    <ShownText text={`${repository.organisation}/${repository.name}`} />
                  </Link>
                </td>
                <td>
                  <span class={`badge state-${repository.state}`}>{repository.state}</span>
                </td>
                <td class="number">{repository.drift + repository.standing}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {repositories.length > mostShown && (
        <Link to="/repositories?sort=passages&order=down">All of them</Link>
      )}
    </>
  );
}

function Workers({ workers }: { workers: readonly WorkerView[] }): VNode {
  return (
    <>
      <h2>Workers</h2>
      {workers.length === 0 && <p class="muted">No worker is running.</p>}
      <div class="scroll">
        <table>
          <tbody>
            {workers.map(({ id, slots, busy, done, memory }) => (
              <tr key={id}>
                <td>
                  <ShownText text={id} />
                </td>
                <td>
                  {busy} of {slots} busy
                </td>
                <td class="number">{done.toLocaleString()} done</td>
                <td class="number">{Math.round(memory / 1e6)} MB</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
