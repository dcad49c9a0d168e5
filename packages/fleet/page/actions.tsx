import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import type { ListedView, ViewerView } from "../src/serve/view.ts";

export type ActionsProps = {
  readonly connection: Connection;
  readonly viewer: ViewerView;
  readonly repository: ListedView;
  /** Called after an action. */
  readonly onDone: () => void;
};

/** The buttons for one repository, for people who may act on it. */
export function RepositoryActions({ connection, viewer, repository, onDone }: ActionsProps): VNode | null {
  const [said, setSaid] = useState("");
  const { id, organisation, paused, state } = repository;
  if (viewer.operates !== null && !viewer.operates.includes(organisation.toLowerCase())) return null;
  const act = async (verb: string, words: string): Promise<void> => {
    const { status } = await connection.post(`/api/repositories/${id}/${verb}`, {});
    setSaid(status === 200 ? words : `Refused (${status}).`);
    onDone();
  };
  const button = (verb: string, label: string, words: string): VNode => (
    <button type="button" class="small" onClick={() => void act(verb, words)}>
      {label}
    </button>
  );
  const isFailing = state === "failing" || state === "quarantined";
  return (
    <span class="row-actions">
      {isFailing ? button("retry", "Retry", "Queued.") : button("recheck", "Recheck", "Queued.")}
      {paused ? button("resume", "Resume", "Resumed.") : button("pause", "Pause", "Paused.")}
      <span class="muted" role="status">
        {said}
      </span>
    </span>
  );
}
