import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import { ShownSentence, ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import type { ReasonView } from "../src/serve/view.ts";
import { Link } from "./links.tsx";
import { go, type PageAddress } from "./place.ts";

/** Reasons by their words. */
export function Search({ connection, place }: { connection: Connection; place: PageAddress }): VNode {
  const words = place.query.get("words") ?? "";
  const [found, setFound] = useState<readonly ReasonView[] | null>(null);
  useEffect(() => {
    if (words.trim() === "") return setFound(null);
    let isCurrent = true;
    void connection
      .get<readonly ReasonView[]>(`/api/search/${encodeURIComponent(words.slice(0, 150))}`)
      .then(({ status, value }) => isCurrent && status === 200 && setFound(value));
    return () => {
      isCurrent = false;
    };
  }, [connection, words]);
  return (
    <main class="panel">
      <h2>Reasons</h2>
      <search class="list-filters">
        <label>
          Words{" "}
          <input
            type="search"
            value={words}
            onInput={({ currentTarget: { value } }) =>
              go(value === "" ? "/search" : `/search?words=${encodeURIComponent(value)}`, { replace: true })
            }
          />
        </label>
      </search>
      {found?.length === 0 && <p class="muted">No reason matches.</p>}
      {found?.map(({ run, organisation, name, path, startLine, message, fixed }) => (
        <section class="passage" key={`${run} ${path} ${startLine} ${message}`}>
          <p>
            <Link to={`/runs/${run}`}>
              <ShownText text={`${organisation}/${name} ${path}:${startLine}`} />
            </Link>{" "}
            <span class="badge">{fixed ? "edited" : "left"}</span>
          </p>
          <p>
            <ShownSentence text={message} />
          </p>
        </section>
      ))}
    </main>
  );
}
