import { type ChosenFindings, showApproval } from "../../docs/fix/approve.ts";
import { decidedFinding, type ProposedFinding } from "../../docs/fix/proposal.ts";
import { documentClass } from "../../drift/pages/policies.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { obstacleMessages } from "../../wording/review.ts";
import type { ProposalState } from "./show-item.ts";
import type { BatchPreview, ItemState } from "./view.ts";

/** A longer edit must be reviewed alone. */
const largest = 20_000;

/** Shows what approving several edits together would write, and which of them must be reviewed alone. */
export async function previewBatch(
  state: ProposalState,
  keys: readonly number[],
  stateOf: (key: number) => ItemState,
): Promise<Outcome<BatchPreview>> {
  const { context, proposal, decisions } = state;
  const left: { key: number; why: string }[] = [];
  const chosen = new Map<number, ProposedFinding>();
  for (const key of keys.filter((each) => proposal.findings[each] !== undefined)) {
    const finding = decidedFinding(proposal, decisions, key);
    const why = reasonToReviewAlone(finding, stateOf(key));
    if (why === null) chosen.set(key, finding);
    else left.push({ key, why });
  }
  const shown = await showApproval(context, proposal, chosen);
  if (!shown.ok) return shown;
  const made = new Set(shown.value.made);
  for (const key of chosen.keys()) if (!made.has(key)) left.push({ key, why: obstacleMessages.displaced });
  // The hash must cover exactly the edits that can be made, so it is computed again without the others.
  const kept: ChosenFindings = new Map([...chosen].filter(([key]) => made.has(key)));
  const final = kept.size === chosen.size ? shown : await showApproval(context, proposal, kept);
  if (!final.ok) return final;
  return accept({
    keys: [...kept.keys()],
    hash: final.value.hash,
    left: left.sort((a, b) => a.key - b.key),
    changes: [...kept].map(([key, { path, startLine, edits }]) => ({
      key,
      path,
      line: startLine,
      before: edits.map(({ old_string }) => old_string).join("\n"),
      after: edits.map(({ new_string }) => new_string).join("\n"),
    })),
  });
}

function reasonToReviewAlone({ path, edits }: ProposedFinding, state: ItemState): string | null {
  if (state !== "open" && state !== "reworded") return obstacleMessages.decided;
  if (edits.length === 0) return obstacleMessages.pointer;
  const size = edits.reduce(
    (sum, { old_string, new_string }) => sum + old_string.length + new_string.length,
    0,
  );
  if (size > largest) return obstacleMessages.large;
  return documentClass(path) === "instructions" ? obstacleMessages.instructs : null;
}
