import type { CheckReport } from "../../docs/check/report.ts";
import { gating } from "../../wording/findings.ts";
import type { Mirror } from "../clones/mirror.ts";
import type { Job } from "../queue/job.ts";
import type { Repository } from "../store/repositories.ts";
import type { RepositoryStatus } from "../store/runs.ts";
import { explain } from "./explain.ts";
import { emptyRun, type JobDeps, type JobResult, type JobRun, PermanentError } from "./job-run.ts";

/** Finds the passages that a change made false. Reads a bare clone; no file is checked out, and no code is run. */
export async function checkRepository(
  deps: JobDeps,
  { job, repository: held, run, signal }: JobRun,
): Promise<JobResult> {
  if (await isSuperseded(deps, job, held))
    return { run: { ...emptyRun, base: null, commit: job.commit!, state: "superseded" }, status: {} };
  // The pushed commit is only a hint: deliveries come late and out of order, so the main branch is fetched.
  const wanted = job.request === undefined ? { commit: null } : { commit: job.commit, request: job.request };
  const mirror = await deps.span("fetch", {}, () => deps.mirrors.fetch(held, wanted, signal));
  if (mirror === null)
    return {
      run: { ...emptyRun, base: null, commit: "", state: "done" },
      status: { state: "empty", drift: 0 },
    };
  const commit = mirror.head;
  if (
    job.request === undefined &&
    job.cause !== "hand" &&
    commit === held.checked &&
    held.state !== "failing"
  )
    return { run: { ...emptyRun, base: held.base, commit, state: "unchanged" }, status: {} };
  const base = await findBase(mirror, job, held);
  if (base === null)
    return {
      run: { ...emptyRun, base, commit, state: "done" },
      status: statusFor(job, { state: "clean", drift: 0, checked: commit, base: commit }),
    };
  await deps.span("fetch", {}, () => mirror.fill(base, commit));
  signal.throwIfAborted();
  const request = { folder: mirror.git.top, head: commit, base };
  const checked = await deps.span("check", {}, () => deps.checks.run(request, signal));
  if (!checked.ok) throw new PermanentError(explain(checked.refusal));
  const report = checked.value;
  return {
    run: {
      base: report.base,
      commit,
      state: "done",
      findings: gating(report).length,
      fixed: 0,
      unknown: report.unknown.length,
      reasons: report.findings.map((finding) => ({ ...finding, fixed: false })),
      record: report,
    },
    status: statusFor(job, statusAfter(report, commit)),
    ...followUp(deps, { job, repository: held, run }, report),
  };
}

/** A push that a later check has already covered. */
async function isSuperseded(deps: JobDeps, { cause, commit }: Job, held: Repository): Promise<boolean> {
  if (cause !== "push" || commit === null || held.checked === null || held.state === "failing") return false;
  const git = await deps.mirrors.open(held);
  if (!git || (await git.resolve(commit)) === null || (await git.resolve(held.checked)) === null)
    return false;
  return (await git.mergeBase(commit, held.checked)) === commit;
}

/**
 * The commit to compare with: for a pull request its merge base, else the last commit whose pages were true. Findings
 * that were not fixed are so found again.
 */
async function findBase(
  { git, head }: Mirror,
  { request }: Job,
  { base }: Repository,
): Promise<string | null> {
  if (request !== undefined) {
    const main = await git.resolve("HEAD");
    return main === null ? null : git.mergeBase(main, head);
  }
  if (base !== null && base !== head && (await git.resolve(base)) !== null) return base;
  return (await git.parents(head))[0] ?? null;
}

function statusAfter(report: CheckReport, commit: string): RepositoryStatus {
  const drift = gating(report).length;
  if (drift > 0) return { state: "drifted", drift, checked: commit, base: report.base };
  if (report.unknown.length > 0) return { state: "unknown", drift, checked: commit };
  return { state: "clean", drift, checked: commit, base: commit };
}

/** The check of a pull request does not change the status of the main branch. */
function statusFor(job: Job, status: RepositoryStatus): RepositoryStatus {
  return job.request === undefined ? status : {};
}

/** Queues a fix if there are edits to make, or if our open pull request must be closed. */
function followUp(
  deps: JobDeps,
  { job, repository, run }: Pick<JobRun, "job" | "repository" | "run">,
  report: CheckReport,
): Pick<JobResult, "next"> {
  const fixable = report.findings.some(({ tier, edits }) => deps.tiers.includes(tier) && edits.length > 0);
  const isForModel = deps.rewrite !== undefined && gating(report).length > 0;
  const isOver = job.request === undefined && repository.state === "open" && gating(report).length === 0;
  if (!fixable && !isForModel && !isOver) return {};
  return { next: { ...job, kind: "fix", commit: report.head, after: run } };
}
