import { type Chosen, showApproval } from "../../docs/fix/approve.ts";
import { decidedFinding, type ProposedFinding } from "../../docs/fix/proposal.ts";
import { documentClass } from "../../drift/pages/policies.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { obstacleWords } from "../../wording/review.ts";
import type { Standing } from "./show-item.ts";
import type { ItemState, Together } from "./view.ts";

/** More than this is looked at by itself. */
const largest = 20_000;

/** What approving several edits would write at once, and which of them must be looked at one by one. */
export async function showTogether(
  standing: Standing,
  keys: readonly number[],
  stateOf: (key: number) => ItemState,
): Promise<Outcome<Together>> {
  const { context, proposal, decisions } = standing;
  const left: { key: number; why: string }[] = [];
  const chosen = new Map<number, ProposedFinding>();
  for (const key of keys.filter((each) => proposal.findings[each] !== undefined)) {
    const finding = decidedFinding(proposal, decisions, key);
    const why = whyApart(finding, stateOf(key));
    if (why === null) chosen.set(key, finding);
    else left.push({ key, why });
  }
  const shown = await showApproval(context, proposal, chosen);
  if (!shown.ok) return shown;
  const made = new Set(shown.value.made);
  for (const key of chosen.keys()) if (!made.has(key)) left.push({ key, why: obstacleWords.displaced });
  // The hash speaks of what is asked for, so it is taken of those that have a place.
  const kept: Chosen = new Map([...chosen].filter(([key]) => made.has(key)));
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

function whyApart({ path, edits }: ProposedFinding, state: ItemState): string | null {
  if (state !== "open" && state !== "reworded") return obstacleWords.decided;
  if (edits.length === 0) return obstacleWords.pointer;
  const size = edits.reduce(
    (sum, { old_string, new_string }) => sum + old_string.length + new_string.length,
    0,
  );
  if (size > largest) return obstacleWords.large;
  return documentClass(path) === "instructions" ? obstacleWords.instructs : null;
}
