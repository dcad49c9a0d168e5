import type { CheckReport } from "../../docs/check/report.ts";
import { configPath } from "../../docs/config.ts";
import { findPending, type Proposal, proposalOf, readProposal } from "../../docs/fix/proposal.ts";
import { newRunId } from "../../docs/record/audit.ts";
import { accept, type Outcome, RefusalError, refuse } from "../../text/model/outcome.ts";
import { openContext } from "../../tools/context.ts";
import type { Context } from "../../tools/tool.ts";
import { type Closable, closable } from "../../workspace/lifetime.ts";
import type { Concern } from "../../workspace/paths/guarded-names.ts";
import { openProposalSession } from "./proposal-session.ts";
import { openRecordSession } from "./record-session.ts";
import type { ReviewSession } from "./review-session.ts";

export type ReviewOptions = {
  readonly root: string;
  /** The top of the code, where the pages are in another repository. */
  readonly codeRoot?: string;
  /** A proposal or a run. Default: the newest open proposal, or else the result of a check. */
  readonly run?: string;
  readonly author?: string;
  /** Run a new check, even if a proposal is open. */
  readonly fresh?: boolean;
  readonly check: () => Promise<Outcome<CheckReport>>;
};

/** An open review, and the workspace it works in. */
export type Review = Closable & {
  readonly context: Context & { readonly workspace: NonNullable<Context["workspace"]> };
  readonly session: Promise<Outcome<ReviewSession>>;
};

/** Pages that instruct agents, and hidden ones, need consent. A person's approval of an edit is that consent. */
export async function openReview(options: ReviewOptions): Promise<Outcome<Review>> {
  const approving = new Set<string>();
  // A dismissal is a person's, and goes to the configuration.
  const consent = (path: string, concern: Concern): boolean =>
    path === configPath || (concern !== "secrets" && approving.has(path));
  const opened = await openContext({
    root: options.root,
    author: options.author ?? "suture",
    task: "review",
    policy: { consent },
  });
  if (!opened.ok) return opened;
  // What the page shows before a person has approved it is no refusal.
  const context = { ...opened.value, consent } as Review["context"];
  return accept({
    context,
    session: openSession(context, options, approving).catch(refusalThrown),
    ...closable(() => context.close()),
  });
}

/** If the review is closed while its session opens, the session is a refusal. */
function refusalThrown(error: unknown): Outcome<never> {
  if (error instanceof RefusalError) return refuse(error.refusal);
  throw error;
}

async function openSession(
  context: Review["context"],
  options: ReviewOptions,
  approving: Set<string>,
): Promise<Outcome<ReviewSession>> {
  const { basename, resolve } = process.getBuiltinModule("node:path");
  const folder = basename(resolve(options.root));
  const onProposal = (proposal: Proposal): Promise<Outcome<ReviewSession>> =>
    openProposalSession({ context, proposal, folder, approving, codeRoot: options.codeRoot });
  if (options.run !== undefined) {
    const kept = await readProposal(context.reader, options.run);
    if (!kept.ok) return kept;
    if (kept.value) return onProposal(kept.value);
    return openRecordSession({ context, run: options.run, folder });
  }
  const pending = options.fresh ? accept(null) : await findPending(context.reader);
  if (!pending.ok) return pending;
  // A review makes its own proposal again. The proposal of another run waits for decisions.
  if (pending.value && pending.value.source !== "review") return onProposal(pending.value);
  const report = await options.check();
  if (!report.ok) return report;
  const time = new Date().toISOString();
  const random = process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex");
  return onProposal(proposalOf(report.value, { id: newRunId(time, random), time, source: "review" }));
}
