import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FleetRunView, FleetView, RepositoryView } from "../../../fleet/serve/view.ts";
import type { Connection } from "../connection.ts";
import { type Theme, useTheme } from "../parts/theme.ts";
import { Overview } from "./overview.tsx";
import { RunDetail } from "./run-detail.tsx";
import { RunTable } from "./run-table.tsx";

/** The current view: everything, one repository, or one run. */
type Location =
  | { readonly at: "overview" }
  | { readonly at: "repository"; readonly repository: RepositoryView }
  | { readonly at: "run"; readonly run: FleetRunView };

const themeNames: Record<Theme, string> = { auto: "Auto", light: "Light", dark: "Dark" };

/** The status of the fleet. It is loaded again at every event of the server. */
export function Fleet({ connection }: { connection: Connection }): VNode {
  const [view, setView] = useState<FleetView | null>(null);
  const [connected, setConnected] = useState(true);
  const [place, setPlace] = useState<Location>({ at: "overview" });
  const [theme, nextTheme] = useTheme();
  useEffect(() => {
    let isAsking = false;
    // A hidden page asks for nothing, and a slow answer is waited for.
    const refresh = async (): Promise<void> => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      try {
        const answer = await connection.get<FleetView>("/api/overview");
        if (answer.status === 200) setView(answer.value);
      } finally {
        isAsking = false;
      }
    };
    void refresh();
    return connection.listen(() => void refresh(), setConnected);
  }, [connection]);
  return (
    <div class="fleet">
      <header class="buttons">
        <h1>Suture fleet</h1>
        {place.at !== "overview" && (
          <button type="button" class="small" onClick={() => setPlace({ at: "overview" })}>
            All repositories
          </button>
        )}
        <button type="button" class="small quiet" onClick={nextTheme}>
          {themeNames[theme]}
        </button>
      </header>
      {!connected && (
        <p class="banner" role="alert">
          The server is not there at the moment; this is how it stood.
        </p>
      )}
      {view === null ? (
        <main class="alone" aria-busy="true">
          <div class="pulse" aria-hidden="true" />
          <h2>Loading …</h2>
        </main>
      ) : place.at === "overview" ? (
        <Overview
          view={view}
          openRepository={(repository) => setPlace({ at: "repository", repository })}
          openRun={(run) => setPlace({ at: "run", run })}
        />
      ) : place.at === "repository" ? (
        <RepositoryRuns
          connection={connection}
          repository={place.repository}
          openRun={(run) => setPlace({ at: "run", run })}
        />
      ) : (
        <RunDetail connection={connection} run={place.run} />
      )}
    </div>
  );
}

function RepositoryRuns({
  connection,
  repository,
  openRun,
}: {
  connection: Connection;
  repository: RepositoryView;
  openRun: (run: FleetRunView) => void;
}): VNode {
  const [runs, setRuns] = useState<readonly FleetRunView[]>([]);
  useEffect(() => {
    void connection
      .get<readonly FleetRunView[]>(`/api/repositories/${repository.id}/runs`)
      .then(({ status, value }) => status === 200 && setRuns(value));
  }, [connection, repository]);
  return (
    <main class="panel">
      <RunTable title={`${repository.organisation}/${repository.name}`} runs={runs} open={openRun} />
    </main>
  );
}
