import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Change, Plan } from "../../text/model/plan.ts";
import { agentText } from "../../wording/agents.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { GateVerdict, Objection } from "../gates/objection.ts";

/** What one agent may write. The agent cannot reach this code. */
export type WriteScope = {
  readonly mayWrite: (path: string) => boolean;
  /** The gates. They judge the whole change before anything is written. */
  readonly judge: (change: Change, reasons: readonly string[]) => Promise<GateVerdict>;
};

/**
 * A workspace that judges one agent's edits before it commits them. The first refusal tells the model what to
 * correct; later ones say that a person decides. It refuses every undo, because other people's edits are not the
 * agent's to take back.
 */
export class ScopedWorkspace {
  readonly workspace: Workspace;
  readonly #scope: WriteScope;
  readonly #open = new Map<string, readonly Objection[]>();
  readonly #failures = new Map<string, number>();
  readonly #risks = new Map<string, GateVerdict["risks"]>();

  constructor(workspace: Workspace, scope: WriteScope) {
    this.#scope = scope;
    const noUndo = async () => refuse({ code: "not-allowed", detail: agentText.noUndo });
    this.workspace = {
      ...workspace,
      commit: async (plan, options) => {
        const checked = await this.#check(plan);
        return checked.ok ? workspace.commit(plan, { ...options, force: false }) : checked;
      },
      undo: noUndo,
      redo: noUndo,
      restore: noUndo,
      writeState: noUndo,
    };
  }

  /** The last objections to each file that no later edit has settled. */
  objections(): readonly Objection[] {
    return [...this.#open.values()].flat();
  }

  risks(): GateVerdict["risks"] {
    return [...this.#risks.values()].flat();
  }

  async #check(plan: Plan): Promise<Outcome<Plan>> {
    const touched = plan.changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    const stray = touched.find((path) => !this.#scope.mayWrite(path));
    if (stray !== undefined)
      return refuse({ code: "not-allowed", path: stray, detail: agentText.notWritable(stray) });
    for (const change of plan.changes) {
      const detail = await this.#judge(change, plan);
      if (detail !== null) return refuse({ code: "not-allowed", path: change.path, detail });
    }
    for (const { path } of plan.changes) this.#open.delete(path);
    return accept(plan);
  }

  /** Why the gates refuse a change; `null` where they do not. */
  async #judge(change: Change, { edits }: Plan): Promise<string | null> {
    const { path } = change;
    const reasons = edits.filter((edit) => edit.path === path).map(({ reason }) => reason);
    const { objections, risks } = await this.#scope.judge(change, reasons);
    this.#risks.set(path, risks);
    if (objections.length === 0) return null;
    this.#open.set(path, objections);
    const failures = (this.#failures.get(path) ?? 0) + 1;
    this.#failures.set(path, failures);
    const details = objections.map(({ detail }) => detail);
    return failures > 1 ? agentText.refusedAgain(details) : agentText.refusedOnce(details);
  }
}
