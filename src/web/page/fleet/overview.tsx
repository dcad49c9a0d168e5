import type { VNode } from "preact";
import type {
  DayView,
  FleetRunView,
  FleetView,
  RepositoryView,
  WorkerView,
} from "../../../fleet/serve/view.ts";
import { ShownText } from "../parts/shown-text.tsx";
import { Time } from "../parts/time.tsx";
import { Chart } from "./chart.tsx";
import { RunTable } from "./run-table.tsx";

export type OverviewProps = {
  readonly view: FleetView;
  readonly openRepository: (repository: RepositoryView) => void;
  readonly openRun: (run: FleetRunView) => void;
};

/** The overview: figures, drifted repositories, the queue, and charts by day. */
export function Overview({ view, openRepository, openRun }: OverviewProps): VNode {
  const total = Object.values(view.states).reduce((sum, count) => sum + count, 0);
  return (
    <main class="fleet-main">
      <Figures
        figures={[
          ["Repositories", total],
          ["Clean", view.states.clean ?? 0],
          ["With open edits", view.states.open ?? 0],
          ["Drifted", view.states.drifted ?? 0],
          ["Failing", view.states.failing ?? 0],
          ["Waiting", view.queue.waiting],
          ["At work", view.queue.active],
          ["Later", view.queue.deferred],
          ["Given up", view.queue.dead],
        ]}
      />
      {view.draining && <p class="banner">The fleet drains: no job is handed out.</p>}
      {view.paused.map(({ name, paused_until }) => (
        <p class="banner" key={name}>
          <ShownText text={name} /> asked to be left alone until <Time at={paused_until} />.
        </p>
      ))}
      <div class="panels">
        <section class="panel">
          <Chart
            title="Passages found and fixed"
            days={view.days}
            first={["fixed", ({ fixed }) => fixed]}
            second={["found", ({ findings }) => findings]}
          />
        </section>
        <section class="panel">
          <Chart
            title={`Requests merged, of those published (${acceptance(view.days)})`}
            days={view.days}
            first={["merged", ({ merged }) => merged]}
            second={["published", ({ published }) => published]}
          />
        </section>
        <section class="panel">
          <Chart
            title="Cost in dollars"
            days={view.days}
            first={["cost", ({ cost_usd }) => cost_usd]}
            print={(value) => `$${value.toFixed(2)}`}
          />
        </section>
      </div>
      <div class="panels">
        <section class="panel">
          <Drifted repositories={view.drifted} open={openRepository} />
        </section>
        <section class="panel">
          <Workers workers={view.workers} />
        </section>
      </div>
      <section class="panel">
        <RunTable title="Last runs" runs={view.runs} open={openRun} />
      </section>
    </main>
  );
}

function acceptance(days: readonly DayView[]): string {
  const merged = days.reduce((sum, day) => sum + day.merged, 0);
  const decided = merged + days.reduce((sum, day) => sum + day.closed, 0);
  return decided === 0 ? "none decided yet" : `${Math.round((100 * merged) / decided)} % of those decided`;
}

function Figures({ figures }: { figures: readonly (readonly [string, number])[] }): VNode {
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value.toLocaleString()}</dd>
        </div>
      ))}
    </dl>
  );
}

function Drifted({
  repositories,
  open,
}: {
  repositories: readonly RepositoryView[];
  open: (repository: RepositoryView) => void;
}): VNode {
  return (
    <>
      <h2>Repositories with drift</h2>
      {repositories.length === 0 && <p class="muted">No drift was found.</p>}
      <div class="scroll">
        <table>
          <tbody>
            {repositories.map((repository) => (
              <tr key={repository.id}>
                <td>
                  <button type="button" class="inline" onClick={() => open(repository)}>
                    <ShownText text={`${repository.organisation}/${repository.name}`} />
                  </button>
                </td>
                <td>{repository.state}</td>
                <td class="number">{repository.drift}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
