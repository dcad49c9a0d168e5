import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Plan } from "../../text/model/plan.ts";
import { sha256 } from "../../text/model/sha256.ts";
import { applyEdits, type PlanGate } from "../../tools/apply-edits.ts";
import type { Context } from "../../tools/tool.ts";
import type { Committed } from "../../workspace/workspace.ts";
import { placeEdits, stillAsRead } from "./fix.ts";
import type { Proposal, ProposedFinding } from "./proposal.ts";

/** Findings of a proposal by their position in it. */
export type ChosenFindings = ReadonlyMap<number, ProposedFinding>;

/** The changes that some findings would make. An approval carries the hash, so it is valid for exactly these bytes. */
export type Shown = {
  readonly plan: Plan;
  /** Positions of the findings whose edits are in the plan; the others have no place in their pages any more. */
  readonly made: readonly number[];
  readonly hash: string;
};

/** Works out what approving would write, and writes nothing. */
export async function showApproval(
  context: Context,
  proposal: Proposal,
  chosen: ChosenFindings,
): Promise<Outcome<Shown>> {
  const placed = await placeEdits(context, [...chosen.values()]);
  if (!placed.ok) return placed;
  const { fixed, edits, versions } = placed.value;
  // The approval of what is shown here will be the consent.
  const asApproved: Context = { ...context, consent: () => true };
  const applied = await applyEdits(asApproved, edits, { dry_run: true, gates: [stillAsRead(versions)] });
  if (!applied.ok) return applied;
  const has = new Set(fixed);
  const made = [...chosen].flatMap(([key, finding]) => (has.has(finding) ? key : []));
  return accept({ plan: applied.value.plan, made, hash: hashOf(proposal, chosen, applied.value.plan) });
}

/**
 * Writes what was shown, in one transaction. If the pages or the edits no longer match the hash, it writes nothing and
 * refuses with `stale`.
 */
export async function approveShown(
  context: Context,
  proposal: Proposal,
  chosen: ChosenFindings,
  hash: string,
): Promise<Outcome<Committed>> {
  const placed = await placeEdits(context, [...chosen.values()]);
  if (!placed.ok) return placed;
  const { edits, versions } = placed.value;
  const asShown: PlanGate = (plan) => {
    const actual = hashOf(proposal, chosen, plan);
    return actual === hash ? accept(plan) : refuse({ code: "stale", expected: hash, actual });
  };
  const applied = await applyEdits({ ...context, run: proposal.id }, edits, {
    reason: `approved in review: ${reasonOf([...chosen.values()])}`,
    gates: [asShown, stillAsRead(versions)],
  });
  if (!applied.ok) return applied;
  return applied.value.entry
    ? accept(applied.value.entry)
    : refuse({ code: "no-change", why: "already-applied" });
}

function hashOf({ id }: Proposal, chosen: ChosenFindings, { changes }: Plan): string {
  const pages = changes.map(({ path, before, after }) => [path, before.version, sha256(after ?? "")]);
  const findings = [...chosen].map(([key, finding]) => [key, sha256(JSON.stringify(finding))]);
  return sha256(JSON.stringify(["approval", id, findings, pages]));
}

function reasonOf([first, ...others]: readonly ProposedFinding[]): string {
  return others.length === 0 ? (first?.message ?? "") : `${others.length + 1} findings`;
}
