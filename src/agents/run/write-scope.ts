import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Change, Plan } from "../../text/model/plan.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Objection, Verdict } from "../gates/objection.ts";

/** What an agent may write, decided by code it cannot reach. */
export type Confinement = {
  readonly mayWrite: (path: string) => boolean;
  /** The gates: judged on the whole change, before anything is written. */
  readonly judge: (change: Change, reasons: readonly string[]) => Promise<Verdict>;
};

export type Confined = {
  readonly workspace: Workspace;
  /** What gates still object to: the last refusal of each file that no later edit has settled. */
  objections(): readonly Objection[];
  risks(): Verdict["risks"];
};

/**
 * A workspace in which one agent's edits are judged before they are committed. The first refusal tells the model
 * what to correct; later ones say that a person will decide. Nothing can be undone through it: what others wrote is
 * not the agent's to take back.
 */
export function confine(workspace: Workspace, { mayWrite, judge }: Confinement): Confined {
  const open = new Map<string, readonly Objection[]>();
  const failures = new Map<string, number>();
  const risks = new Map<string, Verdict["risks"]>();

  const check = async (plan: Plan): Promise<Outcome<Plan>> => {
    const touched = plan.changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    const stray = touched.find((path) => !mayWrite(path));
    if (stray !== undefined)
      return refuse({
        code: "not-allowed",
        path: stray,
        detail: `${stray} is not one of the files this task may write`,
      });
    for (const change of plan.changes) {
      const reasons = plan.edits.filter(({ path }) => path === change.path).map(({ reason }) => reason);
      const verdict = await judge(change, reasons);
      risks.set(change.path, verdict.risks);
      if (verdict.objections.length === 0) continue;
      open.set(change.path, verdict.objections);
      failures.set(change.path, (failures.get(change.path) ?? 0) + 1);
      const why = verdict.objections.map(({ detail }) => detail).join("; ");
      return (failures.get(change.path) ?? 0) > 1
        ? refuse({
            code: "not-allowed",
            path: change.path,
            detail: `${why}. This is left for a person now; do not send it again`,
          })
        : refuse({
            code: "not-allowed",
            path: change.path,
            detail: `${why}. Send the edit again without that`,
          });
    }
    for (const { path } of plan.changes) open.delete(path);
    return accept(plan);
  };
  const notYours = async () =>
    refuse({ code: "not-allowed", detail: "an agent takes nothing back; make an edit instead" });

  return {
    workspace: {
      ...workspace,
      commit: async (plan, options) => {
        const checked = await check(plan);
        return checked.ok ? workspace.commit(checked.value, { ...options, force: false }) : checked;
      },
      undo: notYours,
      redo: notYours,
      restore: notYours,
      writeState: notYours,
    },
    objections: () => [...open.values()].flat(),
    risks: () => [...risks.values()].flat(),
  };
}
