import { defined } from "../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Plan } from "../text/model/plan.ts";
import { type Concern, concernOf } from "../workspace/paths/guarded-names.ts";
import { parsePath } from "../workspace/paths/paths.ts";
import type { Context } from "./tool.ts";

/** A file of a proposal that can trigger something when it changes, such as a workflow of continuous integration. */
export type ChangeConcern = { readonly path: string; readonly concern: Concern };

/** The exact change that waits for an approval. Nothing of it is written yet. */
export type ProposedChange = {
  /** The tool that was called; absent for a plan that a program commits itself. */
  readonly tool?: string;
  readonly input?: unknown;
  readonly plan: Plan;
  /** The whole change as a unified diff. */
  readonly diff: string;
  readonly paths: readonly string[];
  /** The version of each file that the plan was made from. The commit refuses any other version. */
  readonly versions: Readonly<Record<string, string>>;
  readonly concerns: readonly ChangeConcern[];
  readonly signal?: AbortSignal;
};

/**
 * Decides about a proposal, and may take its time. Only `true` approves: a text is the reason of a refusal, which the
 * model reads, and any other value refuses without one.
 */
export type Approve = (proposal: ProposedChange) => boolean | string | Promise<boolean | string>;

/** Asks for the approval of a plan, where the context has an approver. */
export async function askApproval(context: Context, plan: Plan, diff: string): Promise<Outcome<true>> {
  const { approve, signal, call } = context;
  if (signal?.aborted) return refuse({ code: "aborted" });
  if (!approve || plan.changes.length === 0) return accept(true);
  const answer = await approve({ ...call, plan, diff, ...factsOf(plan), ...defined({ signal }) });
  if (signal?.aborted) return refuse({ code: "aborted" });
  if (answer === true) return accept(true);
  return refuse({
    code: "declined",
    ...defined({ detail: typeof answer === "string" && answer !== "" ? answer : undefined }),
  });
}

function factsOf({ changes }: Plan): Pick<ProposedChange, "paths" | "versions" | "concerns"> {
  return {
    paths: changes.map(({ path }) => path),
    versions: Object.fromEntries(changes.map(({ path, before }) => [path, before.version])),
    concerns: changes.flatMap(({ path }) => {
      const parsed = parsePath(path);
      const concern = parsed.ok ? concernOf(parsed.value.key.split("/")) : undefined;
      return concern ? [{ path, concern }] : [];
    }),
  };
}
