import { fixCommit } from "../../docs/fix/fix-commit.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import { applyPatch, patchOfChanges } from "../publish/patches.ts";
import { claimPublication, confirmPublication } from "../store/publications.ts";
import { explain } from "./explain.ts";
import type { FixRecord } from "./fix-pages.ts";
import { emptyRun, type JobDeps, type JobResult, type JobRun, PermanentError } from "./job-run.ts";

/**
 * Publishes the edits of a fix once. The row is claimed before the host is called and confirmed afterwards. A claim
 * without confirmation is retried, and the sink checks the host before it adds anything. Edits by rule are derived
 * again from the findings, and must give the stored patch.
 */
export async function publishEdits(
  deps: JobDeps,
  { job, repository: held, previous: before, signal }: JobRun,
): Promise<JobResult> {
  const record = before as FixRecord | null;
  if (record === null) throw new PermanentError("the edits of the fix are no longer kept");
  const { report, patch } = record;
  const commit = report.head;
  const sink = await deps.sinks(held);
  if (!sink.ok) throw new PermanentError(explain(sink.refusal));
  const kind = sink.value.kindFor(job.request);
  // Two pull requests may have the same head.
  const key = job.request === undefined ? commit : `${commit}/${job.request}`;
  const claimed = await claimPublication(deps.query, held, { kind, commit: key, run: job.after! });
  if (claimed === null) throw new Error("the repository was taken by another job");
  let url = claimed.url ?? "";
  if (claimed.is !== "confirmed") {
    const wanted = { commit, request: job.request };
    const { git } = await deps.span("fetch", {}, () => deps.mirrors.fetch(held, wanted, signal));
    const fixed = record.worded
      ? await applyPatch(git, report, patch, new Set(record.worded.fixed))
      : await fixCommit(git, report, deps.tiers);
    if (!fixed.ok) throw new PermanentError(explain(fixed.refusal));
    if (patchOfChanges(fixed.value.pages.map(({ change }) => change)) !== patch)
      throw new PermanentError("the edits are not those that the findings lead to");
    const what = {
      repository: held,
      commit,
      report,
      fixed: fixed.value,
      patch,
      ...(job.request === undefined ? {} : { request: job.request }),
    };
    const published = await deps.span("publish", {}, () => sink.value.publish(what, signal));
    if (!published.ok) return decline(published.refusal, report.base, commit);
    url = published.value.url;
    await confirmPublication(deps.query, held, { kind, commit: key, url });
  }
  return {
    run: { ...emptyRun, base: report.base, commit, state: "done", detail: url },
    status: job.request === undefined && patch !== "" ? { state: "open" } : {},
  };
}

/** If the pull request has moved on, a new job will follow. If the host forbids it, no retry will help. */
function decline(refusal: Refusal, base: string, commit: string): JobResult {
  if (refusal.code === "stale")
    return { run: { ...emptyRun, base, commit, state: "superseded", detail: explain(refusal) }, status: {} };
  if (refusal.code === "not-allowed" || refusal.code === "malformed")
    throw new PermanentError(explain(refusal));
  throw new Error(explain(refusal));
}
