import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Connection } from "../../../src/web/page/connection.ts";
import { Dialog } from "../../../src/web/page/parts/dialog.tsx";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import type { ViewerView } from "../src/serve/view.ts";

/** Which waiting edits an action concerns. Empty texts mean all. */
export type RolloutChoice = {
  readonly repository?: number;
  readonly organisation: string;
  readonly cause: string;
};

export type RolloutActionsProps = {
  readonly connection: Connection;
  readonly viewer: ViewerView;
  readonly choice: RolloutChoice;
  /** Several repositories are meant: the buttons ask first, and name how many. */
  readonly isBatch?: boolean;
  /** Called after an action. */
  readonly onDone: () => void;
};

/** The size of one batch. */
const batch = 10;

/** The buttons that approve waiting edits and stop a rollout, for people who may. */
export function RolloutActions({
  connection,
  viewer,
  choice,
  isBatch = false,
  onDone,
}: RolloutActionsProps): VNode | null {
  const [said, setSaid] = useState("");
  const [asked, setAsked] = useState<AskedAction | null>(null);
  if (viewer.operates !== null && !viewer.operates.includes(choice.organisation.toLowerCase())) return null;
  const act = async ({ address, words }: AskedAction): Promise<void> => {
    setAsked(null);
    const { status } = await connection.post(address, {});
    setSaid(status === 200 ? words : `Refused (${status}).`);
    onDone();
  };
  const approve = (label: string, most = ""): AskedAction => ({
    label,
    address: addressOf("approve", choice, most),
    words: "Approved.",
  });
  const stop = { label: "Stop the rollout", address: addressOf("stop", choice), words: "Stopped." };
  const questions = isBatch
    ? [approve(`Approve ${batch} repositories`, String(batch)), approve("Approve all"), stop]
    : [approve("Approve")];
  return (
    <p class="row-actions">
      {questions.map((question) => (
        <button
          key={question.label}
          type="button"
          class="small"
          onClick={() => (isBatch ? setAsked(question) : void act(question))}
        >
          {question.label}
        </button>
      ))}
      <span class="muted" role="status">
        {said}
      </span>
      {asked !== null && (
        <Confirmation
          question={asked}
          choice={choice}
          onYes={() => void act(asked)}
          onNo={() => setAsked(null)}
        />
      )}
    </p>
  );
}

type AskedAction = { readonly label: string; readonly address: string; readonly words: string };

function addressOf(verb: string, { repository, organisation, cause }: RolloutChoice, most = ""): string {
  const query = new URLSearchParams();
  if (repository !== undefined) query.set("repository", String(repository));
  else if (organisation !== "") query.set("organisation", organisation);
  if (cause !== "" && verb === "approve") query.set("cause", cause);
  if (most !== "") query.set("most", most);
  return `/api/rollout/${verb}?${query}`;
}

function Confirmation({
  question,
  choice: { organisation, cause },
  onYes,
  onNo,
}: {
  question: AskedAction;
  choice: RolloutChoice;
  onYes: () => void;
  onNo: () => void;
}): VNode {
  return (
    <Dialog title={question.label} onClose={onNo}>
      <p>
        {organisation === "" ? "All organisations" : <ShownText text={organisation} />}
        {cause !== "" && (
          <>
            , cause <ShownText text={cause} />
          </>
        )}
        .
      </p>
      <p class="buttons">
        <button type="button" onClick={onYes}>
          {question.label}
        </button>
        <button type="button" class="quiet" onClick={onNo}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
