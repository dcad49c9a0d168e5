import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import { type Theme, useTheme } from "../../../src/web/page/parts/theme.ts";
import type { FleetView, ViewerView } from "../src/serve/view.ts";
import { ActionLog } from "./action-log.tsx";
import { Link } from "./links.tsx";
import { Missing } from "./missing.tsx";
import { Overview } from "./overview.tsx";
import { type PageAddress, usePlace } from "./place.ts";
import { Preview } from "./preview.tsx";
import { Repositories } from "./repositories.tsx";
import { RepositoryPage } from "./repository.tsx";
import { RunDetail } from "./run-detail.tsx";
import { Search } from "./search.tsx";

const themeNames: Record<Theme, string> = { auto: "auto", light: "light", dark: "dark" };

const sections = [
  ["/", "Overview"],
  ["/repositories", "Repositories"],
  ["/preview", "Waiting edits"],
  ["/search", "Reasons"],
  ["/actions", "Who did what"],
] as const;

/** The status of the fleet. It is loaded again at every event of the server. */
export function Fleet({ connection, viewer }: { connection: Connection; viewer: ViewerView }): VNode {
  const { view, connected, isSignedOut, news } = useOverview(connection);
  const place = usePlace();
  const [theme, nextTheme] = useTheme();
  return (
    <div class="fleet">
      <header class="buttons">
        <h1>Suture fleet</h1>
        <nav class="sections" aria-label="Sections">
          {sections.map(([path, name]) => (
            <Link key={path} to={path} current={place.path === path}>
              {name}
            </Link>
          ))}
        </nav>
        <button type="button" class="small quiet" onClick={nextTheme}>
          Theme: {themeNames[theme]}
        </button>
        <Account viewer={viewer} />
      </header>
      {viewer.sees?.length === 0 && (
        <p class="banner">
          You have no role in this fleet, so you see none of its repositories. An administrator can give you
          one with{" "}
          <code>
            suture fleet grant <ShownText text={viewer.name} /> viewer ORG
          </code>
          .
        </p>
      )}
      {isSignedOut && (
        <p class="banner" role="alert">
          The server no longer accepts your session or token; this is the last known state.{" "}
          <button type="button" class="small" onClick={() => location.reload()}>
            Sign in again
          </button>
        </p>
      )}
      {!connected && !isSignedOut && (
        <p class="banner" role="alert">
          The server cannot be reached; this is the last known state.
        </p>
      )}
      <Section connection={connection} viewer={viewer} place={place} view={view} news={news} />
    </div>
  );
}

/** Who is signed in, with the way out. The holder of the token has no session. */
function Account({ viewer }: { viewer: ViewerView }): VNode | null {
  if (viewer.name === "token") return null;
  const signOut = async (): Promise<void> => {
    await fetch("/auth/sign-out", { method: "POST", redirect: "manual" }).catch(() => null);
    location.assign("/");
  };
  return (
    <>
      <span class="muted">
        <ShownText text={viewer.name} />
      </span>
      <button type="button" class="small quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </>
  );
}

/** The overview, and a number that rises whenever the server has news. */
function useOverview(connection: Connection) {
  const [view, setView] = useState<FleetView | null>(null);
  const [connected, setConnected] = useState(true);
  const [isSignedOut, setSignedOut] = useState(false);
  const [news, setNews] = useState(0);
  useEffect(() => {
    let isAsking = false;
    // A hidden page asks for nothing, and a slow answer is waited for.
    const refresh = async (): Promise<void> => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      try {
        const answer = await connection.get<FleetView>("/api/overview");
        if (answer.status === 200) setView(answer.value);
        if (answer.status === 200 || answer.status === 401) setSignedOut(answer.status === 401);
        setNews((before) => before + 1);
      } finally {
        isAsking = false;
      }
    };
    void refresh();
    return connection.listen(
      () => void refresh(),
      (isConnected) => {
        setConnected(isConnected);
        // A session that has ended closes the stream of events too.
        if (!isConnected) void refresh();
      },
    );
  }, [connection]);
  return { view, connected, isSignedOut, news };
}

type SectionProps = {
  readonly connection: Connection;
  readonly viewer: ViewerView;
  readonly place: PageAddress;
  readonly view: FleetView | null;
  readonly news: number;
};

function Section({ connection, viewer, place, view, news }: SectionProps): VNode {
  const [, kind, id] = /^\/(repositories|runs)\/([\w-]+)$/.exec(place.path) ?? [];
  if (kind === "repositories")
    return <RepositoryPage connection={connection} viewer={viewer} id={id!} news={news} />;
  if (kind === "runs") return <RunDetail connection={connection} id={id!} />;
  if (place.path === "/repositories")
    return <Repositories connection={connection} viewer={viewer} place={place} news={news} />;
  if (place.path === "/preview")
    return <Preview connection={connection} viewer={viewer} place={place} news={news} />;
  if (place.path === "/actions") return <ActionLog connection={connection} news={news} />;
  if (place.path === "/search") return <Search connection={connection} place={place} />;
  if (place.path !== "/") return <Missing what="page" />;
  return view === null ? <Loading /> : <Overview connection={connection} viewer={viewer} view={view} />;
}

function Loading(): VNode {
  return (
    <main class="alone" aria-busy="true">
      <div class="pulse" aria-hidden="true" />
      <h2>Loading …</h2>
    </main>
  );
}
