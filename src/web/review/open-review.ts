import type { CheckReport } from "../../docs/check/report.ts";
import { findPending, type Proposal, proposalOf, readProposal } from "../../docs/fix/proposal.ts";
import { newRunId } from "../../docs/record/audit.ts";
import { accept, type Outcome, RefusalError, refuse } from "../../text/model/outcome.ts";
import { openContext } from "../../tools/context.ts";
import type { Context } from "../../tools/tool.ts";
import { type Closable, closable } from "../../workspace/lifetime.ts";
import { openProposalDesk } from "./proposal-session.ts";
import { openRecordDesk } from "./record-session.ts";
import type { Desk } from "./review-session.ts";

export type ReviewOptions = {
  readonly root: string;
  /** A proposal or a run; without it the newest proposal that waits, and else what a check finds. */
  readonly run?: string;
  readonly author?: string;
  /** Look at the code anew, whatever waits. */
  readonly anew?: boolean;
  readonly check: () => Promise<Outcome<CheckReport>>;
};

/** An open review, and the workspace it works in. */
export type Review = Closable & {
  readonly context: Context & { readonly workspace: NonNullable<Context["workspace"]> };
  readonly desk: Promise<Outcome<Desk>>;
};

/** A person's approval of an edit is the consent that pages which instruct agents ask for. */
export async function openReview(options: ReviewOptions): Promise<Outcome<Review>> {
  const approving = new Set<string>();
  const opened = await openContext({
    root: options.root,
    author: options.author ?? "suture",
    task: "review",
    policy: {
      consent: (path, concern) => concern === "instructions for agents" && approving.has(path),
    },
  });
  if (!opened.ok) return opened;
  const context = opened.value as Review["context"];
  return accept({
    context,
    desk: chooseDesk(context, options, approving).catch(refusalThrown),
    ...closable(() => context.close()),
  });
}

/** A review that was closed while its desk was made has a refusal in the place of a desk. */
function refusalThrown(error: unknown): Outcome<never> {
  if (error instanceof RefusalError) return refuse(error.refusal);
  throw error;
}

async function chooseDesk(
  context: Review["context"],
  options: ReviewOptions,
  approving: Set<string>,
): Promise<Outcome<Desk>> {
  const { basename, resolve } = process.getBuiltinModule("node:path");
  const folder = basename(resolve(options.root));
  const onProposal = (proposal: Proposal): Promise<Outcome<Desk>> =>
    openProposalDesk({ context, proposal, folder, approving });
  if (options.run !== undefined) {
    const kept = await readProposal(context.reader, options.run);
    if (!kept.ok) return kept;
    if (kept.value) return onProposal(kept.value);
    return openRecordDesk({ context, run: options.run, folder });
  }
  const pending = options.anew ? accept(null) : await findPending(context.reader);
  if (!pending.ok) return pending;
  // What an earlier review found of itself is found again; what a run proposed waits until somebody decides.
  if (pending.value && pending.value.source !== "review") return onProposal(pending.value);
  const report = await options.check();
  if (!report.ok) return report;
  const time = new Date().toISOString();
  const random = process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex");
  return onProposal(proposalOf(report.value, { id: newRunId(time, random), time, source: "review" }));
}
