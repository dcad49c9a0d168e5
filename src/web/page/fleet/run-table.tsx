import type { VNode } from "preact";
import type { FleetRunView } from "../../../fleet/serve/view.ts";
import { ShownText } from "../parts/shown-text.tsx";
import { Time } from "../parts/time.tsx";

/** Runs, newest first. */
export function RunTable({
  title,
  runs,
  open,
}: {
  title: string;
  runs: readonly FleetRunView[];
  open: (run: FleetRunView) => void;
}): VNode {
  return (
    <>
      <h2>
        <ShownText text={title} />
      </h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Repository</th>
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
                <td>
                  <button type="button" class="inline" onClick={() => open(run)}>
                    {run.kind}
                  </button>{" "}
                  <span class="muted">{run.state === "done" ? "" : run.state}</span>
                </td>
                <td>
                  <ShownText text={`${run.organisation}/${run.name}`} />
                </td>
                <td>{run.cause}</td>
                <td class="number">{run.findings}</td>
                <td class="number">{run.fixed}</td>
                <td>
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
