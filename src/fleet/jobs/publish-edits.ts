import { fixCommit } from "../../docs/fix/fix-commit.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import { applyPatch, patchOfChanges } from "../publish/patches.ts";
import { errorOf, HostBusy, type Sink } from "../publish/sink.ts";
import type { Job } from "../queue/job.ts";
import { findUndecided, recordOutcome, recordWithdrawal } from "../store/decisions.ts";
import { reserveWrites } from "../store/hosts.ts";
import { claimPublication, confirmPublication } from "../store/publications.ts";
import type { Repository } from "../store/repositories.ts";
import { explain } from "./explain.ts";
import type { FixRecord } from "./fix-pages.ts";
import {
  emptyRun,
  fetchCommit,
  type JobDeps,
  type JobResult,
  type JobRun,
  PermanentError,
} from "./job-run.ts";

/**
 * Publishes the edits of a fix once. The row is claimed before the host is called and confirmed afterwards. A claim
 * without confirmation is retried, and the sink checks the host before it adds anything. Edits by rule are derived
 * again from the findings, and must give the stored patch.
 */
export async function publishEdits(deps: JobDeps, jobRun: JobRun): Promise<JobResult> {
  const { job, repository: held, previous: before, signal } = jobRun;
  const record = before as FixRecord | null;
  if (record === null) throw new PermanentError("the edits of the fix are no longer kept");
  const { report, patch } = record;
  const commit = report.head;
  const sink = await deps.sinks(held);
  if (!sink.ok) throw new PermanentError(explain(sink.refusal));
  const kind = sink.value.kindFor(job.request);
  if (kind === "request" && (await learnDecision(deps, held, sink.value)) === "closed")
    return checkAgain(job, report.base, commit);
  if (kind === "request" && patch === "") await recordWithdrawal(deps.query, held);
  // Two pull requests may have the same head.
  const key = job.request === undefined ? commit : `${commit}/${job.request}`;
  const claimed = await claimPublication(deps.query, held, { kind, commit: key, run: job.after! });
  if (claimed === null) throw new Error("the repository was taken by another job");
  let url = claimed.url ?? "";
  if (claimed.is !== "confirmed") {
    const git = await fetchCommit(deps, jobRun, commit);
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
    await paceWrites(deps, { held, sink: sink.value, pages: fixed.value.pages.length });
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

/** Besides one for each page: the tree, the commit, the branch, the pull request and its labels. */
const otherWrites = 5;

/** Waits for its turn where a host limits the requests that write. The limit holds for all workers together. */
async function paceWrites(
  { query, hosts }: JobDeps,
  { held, sink, pages }: { readonly held: Repository; readonly sink: Sink; readonly pages: number },
): Promise<void> {
  const perMinute = sink.writesPerMinute && hosts.writesPerMinute(sink.writesPerMinute);
  if (!perMinute) return;
  const wait = await reserveWrites(query, hosts.scopeOf(held), { writes: pages + otherWrites, perMinute });
  if (wait !== null) throw new HostBusy(wait * 1000);
}

/** Asks what people have decided about our last pull request, in case its webhook was lost. */
async function learnDecision(
  { query }: JobDeps,
  held: Repository,
  sink: Sink,
): Promise<"open" | "merged" | "closed" | null> {
  const url = sink.outcomeOf && (await findUndecided(query, held));
  if (!url || !sink.outcomeOf) return null;
  const outcome = await sink.outcomeOf(held, url);
  if (!outcome.ok) throw errorOf(outcome.refusal);
  if (outcome.value !== "open")
    await recordOutcome(query, { repository: held.id, url, outcome: outcome.value });
  return outcome.value;
}

/** The edits were made before it was known that people declined some of them. */
function checkAgain(job: Job, base: string, commit: string): JobResult {
  const { after: _, ...rest } = job;
  return {
    run: { ...emptyRun, base, commit, state: "superseded", detail: "people closed the pull request" },
    status: {},
    next: { ...rest, kind: "check", commit: null, cause: "hand" },
  };
}

/** If the pull request has moved on, a new job will follow. If the host forbids it, no retry will help. */
function decline(refusal: Refusal, base: string, commit: string): JobResult {
  if (refusal.code === "stale")
    return { run: { ...emptyRun, base, commit, state: "superseded", detail: explain(refusal) }, status: {} };
  throw errorOf(refusal);
}
