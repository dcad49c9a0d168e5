import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import { Time } from "../../../src/web/page/parts/time.tsx";
import type { ActionView } from "../src/serve/view.ts";

/** Who did what, newest first. */
export function ActionLog({ connection, news }: { connection: Connection; news: number }): VNode {
  const [actions, setActions] = useState<readonly ActionView[]>([]);
  useEffect(() => {
    void connection
      .get<readonly ActionView[]>("/api/actions")
      .then(({ status, value }) => status === 200 && setActions(value));
  }, [connection, news]);
  return (
    <main class="panel">
      <h2>Who did what</h2>
      {actions.length === 0 && <p class="muted">No person has done anything yet.</p>}
      <table class="rows">
        <tbody>
          {actions.map(({ id, at, who, did, target }) => (
            <tr key={id}>
              <td data-label="When">
                <Time at={at} />
              </td>
              <td data-label="Who">
                <ShownText text={who} />
              </td>
              <td data-label="What">
                {did} <ShownText text={target} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}
