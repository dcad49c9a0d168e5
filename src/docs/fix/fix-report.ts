import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Context } from "../../tools/tool.ts";
import type { CheckReport, ReportedFinding } from "../check/report.ts";
import { type Choice, chooseEdits, findOpen } from "./choose.ts";
import { type Conclusion, conclude, type Rewritten } from "./conclude.ts";
import { type Fixed, fixFindings } from "./fix.ts";

export type FixRequest<R extends Rewritten> = Choice & {
  readonly run: string;
  readonly time: string;
  readonly dryRun?: boolean | undefined;
  /** Rewrites passages that no rule can fix. Without it, only rules edit. */
  readonly rewrite?: ((open: readonly ReportedFinding[], byRule: Fixed) => Promise<Outcome<R>>) | undefined;
  /** The most passages to rewrite; by default what `limit` leaves. */
  readonly rewriteLimit?: number | undefined;
};

/** The result of `fix`: by rule, by a model if one was asked, and both together. */
export type FixedReport<R extends Rewritten> = Conclusion & {
  readonly byRule: Fixed;
  /** `null`: no model was asked. */
  readonly rewritten: Outcome<R> | null;
  /** Findings that a model was asked about, or could be. */
  readonly open: readonly ReportedFinding[];
};

/** Makes the edits of a report: rules first, in one transaction, then a model for the rest. Every door calls this function. */
export async function fix<R extends Rewritten>(
  context: Context,
  report: CheckReport,
  request: FixRequest<R>,
): Promise<Outcome<FixedReport<R>>> {
  const { run, time, dryRun = false, rewrite } = request;
  const { report: chosen, worded, declined } = await chooseEdits(report, request);
  const ruled = await fixFindings(context, chosen, { tiers: ["certain", "likely"], run, time, dryRun });
  if (!ruled.ok) return ruled;
  const byRule = ruled.value;
  const { limit = Number.POSITIVE_INFINITY } = request;
  const { rewriteLimit = Math.max(0, limit - byRule.fixed.length) } = request;
  const open = findOpen(worded, byRule.fixed, declined).slice(0, rewriteLimit);
  const rewritten = rewrite && open.length > 0 ? await rewrite(open, byRule) : null;
  const conclusion = conclude(worded, byRule, rewritten?.ok ? rewritten.value : null);
  return accept({ ...conclusion, byRule, rewritten, open });
}
