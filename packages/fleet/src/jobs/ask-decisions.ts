import { declinedFindings } from "../store/decisions.ts";
import { listOpenRequests } from "../store/publications.ts";
import type { Repository } from "../store/repositories.ts";
import { emptyRun, type JobDeps, type JobResult, type JobRun } from "./job-run.ts";
import { learnDecisions } from "./learn-decisions.ts";

/**
 * Asks the host what people decided about our open pull requests, where no new commit makes us publish: a webhook may be
 * lost, and many fleets have none.
 */
export async function askDecisions(deps: JobDeps, { job, repository: held }: JobRun): Promise<JobResult> {
  const run = { ...emptyRun, base: held.base, commit: held.checked ?? "", state: "done" as const };
  const sink = await deps.sinks(held);
  // Without a token there is no answer, and the next publication says so.
  if (!sink.ok) return { run, status: {} };
  const hasDeclined = await learnDecisions(deps, held, sink.value);
  // A check that was asked for comes from here already.
  const isNeeded = hasDeclined || (job.cause !== "hand" && (await isOutdated(deps, held)));
  if (!isNeeded) return { run, status: {} };
  const { repository, organisation } = job;
  return {
    run: { ...run, detail: "people decided about the edits" },
    status: {},
    next: { kind: "check", repository, organisation, commit: null, cause: "hand" },
  };
}

/** Whether an open pull request has edits that people declined: an attempt that ended early may have stored the decision. */
async function isOutdated({ query }: JobDeps, held: Repository): Promise<boolean> {
  const declined = await declinedFindings(query, held.id);
  const open = await listOpenRequests(query, held);
  return open.some(({ findings }) => findings?.some((id) => declined.has(id)));
}
