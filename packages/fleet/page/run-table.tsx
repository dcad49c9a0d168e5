import type { VNode } from "preact";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import { Time } from "../../../src/web/page/parts/time.tsx";
import type { FleetRunView } from "../src/serve/view.ts";
import { Link } from "./links.tsx";

/** Runs, newest first: of many repositories, or of one. */
export function RunTable({
  title,
  runs,
  ofOne = false,
}: {
  title: string;
  runs: readonly FleetRunView[];
  ofOne?: boolean;
}): VNode {
  return (
    <>
      <h2>
        <ShownText text={title} />
      </h2>
      <div class="scroll">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Run</th>
              {!ofOne && <th scope="col">Repository</th>}
              <th scope="col">Why</th>
              <th scope="col" class="number">
                Found
              </th>
              <th scope="col" class="number">
                Fixed
              </th>
              <th scope="col">Ended</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <td data-label="Run">
                  <Link to={`/runs/${run.id}`}>{run.kind}</Link>{" "}
                  <span class="muted">{run.state === "done" ? "" : run.state}</span>
                </td>
                {!ofOne && (
                  <td data-label="Repository">
                    <Link to={`/repositories/${run.repository}`}>
                      <ShownText text={`${run.organisation}/${run.name}`} />
                    </Link>
                  </td>
                )}
                <td data-label="Why">{run.cause}</td>
                <td data-label="Found" class="number">
                  {run.findings}
                </td>
                <td data-label="Fixed" class="number">
                  {run.fixed}
                </td>
                <td data-label="Ended">
                  <Time at={run.ended} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {runs.length === 0 && <p class="muted">No run yet.</p>}
    </>
  );
}
