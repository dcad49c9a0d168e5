import type { Tier } from "suture/drift";
import type { CheckReport } from "suture/tools";
import type { Git } from "suture/workspace";
import type { Mirrors } from "../clones/mirror.ts";
import type { HostCredentials } from "../publish/credentials.ts";
import type { Sinks } from "../publish/sinks.ts";
import type { Job } from "../queue/job.ts";
import type { NewJob } from "../queue/queue.ts";
import type { RunSpan } from "../serve/telemetry.ts";
import type { Database, Query } from "../store/database.ts";
import type { Repository } from "../store/repositories.ts";
import type { RepositoryStatus, Run } from "../store/runs.ts";
import type { CheckProcesses } from "./check-process.ts";
import type { RewriteOptions } from "./rewrite-passages.ts";

/** The dependencies of a job. */
export type JobDeps = {
  readonly query: Query;
  readonly transaction: Database["transaction"];
  readonly mirrors: Mirrors;
  readonly sinks: Sinks;
  /** The code hosts and their credentials. */
  readonly hosts: HostCredentials;
  /** Checks run in processes of their own. */
  readonly checks: CheckProcesses;
  /** Findings of these tiers are fixed without asking. */
  readonly tiers: readonly Tier[];
  /** The model that rewrites passages no rule can fix. Without it, these passages are left. */
  readonly rewrite?: RewriteOptions;
  /** Each step of a job is a span. */
  readonly span: RunSpan;
};

/** One run of a job on the repository that it has claimed. */
export type JobRun = {
  readonly job: Job;
  readonly run: string;
  readonly repository: Repository;
  /** The record of the run that this job continues; null if it was deleted or never existed. */
  readonly previous: unknown;
  readonly signal: AbortSignal;
};

/** The result of a job: the run to store, the new status of the repository, and the next job. */
export type JobResult = {
  readonly run: Pick<Run, "base" | "commit" | "state" | "findings" | "fixed" | "unknown" | "reasons"> &
    Partial<Pick<Run, "detail" | "record" | "tokens" | "costUsd">>;
  readonly status: RepositoryStatus;
  readonly next?: NewJob;
};

/** Fetches the commit that an earlier job worked on, with its files: that job may have run on another machine. */
export async function fetchCommit(
  { span, mirrors }: JobDeps,
  { job, repository, signal }: JobRun,
  { base, head }: Pick<CheckReport, "base" | "head">,
): Promise<Git> {
  const wanted = { commit: head, request: job.request };
  return span("fetch", {}, async () => {
    const mirror = await mirrors.fetch(repository, wanted, signal);
    if (mirror === null) throw new PermanentError(`the repository has no commit ${head}`);
    await mirror.fill(base, head);
    return mirror.git;
  });
}

/** A retry would fail in the same way. */
export class PermanentError extends Error {
  override readonly name = "PermanentError";
}

/** The counts of a run without findings. */
export const emptyRun = { findings: 0, fixed: 0, unknown: 0, reasons: [] } as const;
