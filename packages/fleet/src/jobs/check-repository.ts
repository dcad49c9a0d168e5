import { gating, unknownWords } from "suture/service";
import type { CheckReport, ReportedFinding } from "suture/tools";
import type { Mirror } from "../clones/mirror.ts";
import { causeOf } from "../publish/parts.ts";
import type { Job } from "../queue/job.ts";
import { listOpenRequests } from "../store/publications.ts";
import type { Repository } from "../store/repositories.ts";
import type { RepositoryState } from "../store/repository-state.ts";
import type { RepositoryStatus, StandingSurvey } from "../store/runs.ts";
import {
  checkDescribed,
  type FetchedCode,
  fetchDescribed,
  isCompared,
  type RunCheck,
} from "./check-described.ts";
import type { CheckRequest } from "./check-process.ts";
import { explain } from "./explain.ts";
import { emptyRun, type JobDeps, type JobResult, type JobRun, PermanentError } from "./job-run.ts";
import { settingsFor } from "./settings-for.ts";

/** The record of a check: the report about the change, and the survey of all pages (`standing`). */
export type CheckRecord = CheckReport & { readonly standing?: CheckReport };

/**
 * Finds the passages that a change made false. The first time it also looks at all pages as they stand, so that a
 * repository whose pages were false before is not called clean. Reads a bare clone; no file is checked out, and no code
 * is run.
 */
export async function checkRepository(deps: JobDeps, jobRun: JobRun): Promise<JobResult> {
  const { job, repository: held, signal } = jobRun;
  // The pushed commit is only a hint: deliveries come late and out of order, so the main branch is fetched. Even a commit
  // that is older than the last one checked may be the newest one, after a push with force.
  const wanted = job.request === undefined ? { commit: null } : { commit: job.commit, request: job.request };
  const mirror = await deps.span("fetch", {}, () => deps.mirrors.fetch(held, wanted, signal));
  if (mirror === null)
    return {
      run: { ...emptyRun, base: null, commit: "", state: "done" },
      status: { state: "empty", drift: 0 },
    };
  const codes = await fetchDescribed(deps, jobRun);
  if (isUnchanged(job, held, mirror.head) && codes.every(isCompared))
    return { run: { ...emptyRun, base: held.base, commit: mirror.head, state: "unchanged" }, status: {} };
  const { base, isLost } = await findBase(mirror, job, held);
  await deps.span("fetch", {}, () => mirror.fill(base ?? mirror.head, mirror.head));
  signal.throwIfAborted();
  return checkMirror(deps, jobRun, { mirror, base, isLost, codes });
}

type CheckInput = {
  readonly mirror: Mirror;
  readonly base: string | null;
  /** The last commit whose pages were true is gone, so that the change since then is not known. */
  readonly isLost: boolean;
  /** The code of other repositories that the pages describe. */
  readonly codes: readonly FetchedCode[];
};

async function checkMirror(
  deps: JobDeps,
  jobRun: JobRun,
  { mirror, base, isLost, codes }: CheckInput,
): Promise<JobResult> {
  const { job, repository: held } = jobRun;
  const commit = mirror.head;
  const folder = mirror.git.top;
  const { schedule, dashboard } = await settingsFor(deps, held, mirror.git);
  const run: RunCheck = (from, asked) => runCheck(deps, jobRun, from, asked);
  const own =
    base === null
      ? { base: commit, head: commit, findings: [], unknown: [] }
      : await run(mirror, { change: { base, head: commit } });
  const elsewhere = await checkDescribed(codes, folder, run);
  const report = {
    ...own,
    findings: [...own.findings, ...elsewhere.findings],
    unknown: [...own.unknown, ...elsewhere.unknown],
  };
  const standing = needsSurvey(job, held, { commit, isLost })
    ? withoutKnown(await survey(mirror, run), report)
    : undefined;
  const record: CheckRecord = standing === undefined ? report : { ...report, standing };
  return {
    run: {
      base: base === null ? null : report.base,
      commit,
      state: "done",
      findings: gating(report).length + (standing === undefined ? 0 : gating(standing).length),
      fixed: 0,
      unknown: report.unknown.length + (standing?.unknown.length ?? 0),
      reasons: [...report.findings, ...(standing?.findings ?? [])].map((one) => ({ ...one, fixed: false })),
      record,
    },
    status: statusFor(job, {
      ...statusAfter(record, held, commit),
      compared: elsewhere.compared,
      waiting: null,
      everyHours: schedule.every ?? null,
      wantsDashboard: dashboard,
    }),
    ...(await followUp(deps, jobRun, report)),
  };
}

async function runCheck(
  { span, checks }: JobDeps,
  { signal }: JobRun,
  { git, fetchContents }: Mirror,
  asked: Omit<CheckRequest, "folder">,
): Promise<CheckReport> {
  const checked = await span("check", {}, () =>
    checks.run({ folder: git.top, ...asked }, { signal, fetch: fetchContents }),
  );
  if (!checked.ok) throw new PermanentError(explain(checked.refusal));
  return checked.value;
}

/** The survey of all pages. A shallow clone cannot tell removed names from names that never existed. */
async function survey(mirror: Mirror, run: RunCheck): Promise<CheckReport> {
  const report = await run(mirror, { change: null });
  if (!(await mirror.git.isShallow())) return report;
  return { ...report, unknown: [...report.unknown, { path: ".", why: unknownWords.shallow }] };
}

/** The survey without what the check of the change has found: such a passage was not false before. */
function withoutKnown(survey: CheckReport, { findings }: CheckReport): CheckReport {
  const known = new Set(findings.map(placeOf));
  return { ...survey, findings: survey.findings.filter((finding) => !known.has(placeOf(finding))) };
}

/** The lines of a finding, and the name that it is about: the last change may have renamed what the survey calls removed. */
function placeOf({ path, startLine, ...finding }: ReportedFinding): string {
  const subject = causeOf(finding)
    .replace(/^[^:]*:/, "")
    .split("→", 1)
    .join();
  return [startLine, path, subject].join("\n");
}

function isUnchanged({ request, cause }: Job, held: Repository, commit: string): boolean {
  const isKnown = commit === held.checked && held.surveyed !== null && !unfinished.has(held.state);
  return request === undefined && cause !== "hand" && cause !== "comment" && isKnown;
}

/** What a repository is after a failure, a move, or a time in which its host had archived it. */
const unfinished: ReadonlySet<RepositoryState> = new Set(["new", "failing"]);

/**
 * Survey all pages on the first check, while known findings remain, and after a force push. Each check replaces the report
 * of the previous one.
 */
function needsSurvey(
  { request }: Job,
  held: Repository,
  { commit, isLost }: { readonly commit: string; readonly isLost: boolean },
): boolean {
  if (request !== undefined) return false;
  const isRewritten = isLost && held.surveyed !== commit;
  return isRewritten || held.surveyed === null || held.standing + held.standing_unknown > 0;
}

/**
 * The commit to compare with: for a pull request its merge base, else the last commit whose pages were true, so
 * unfixed findings are reported again.
 */
async function findBase(
  { git, head }: Mirror,
  { request }: Job,
  { base }: Repository,
): Promise<Pick<CheckInput, "base" | "isLost">> {
  if (request !== undefined) {
    const main = await git.resolve("HEAD");
    return { base: main === null ? null : await git.mergeBase(main, head), isLost: false };
  }
  const isKept = base !== null && (await git.resolve(base)) !== null;
  if (isKept && base !== head) return { base, isLost: false };
  return { base: (await git.parents(head))[0] ?? null, isLost: base !== null && !isKept };
}

function statusAfter(record: CheckRecord, held: Repository, commit: string): RepositoryStatus {
  const drift = gating(record).length;
  const survey = record.standing && surveyOf(record.standing, commit);
  const { standing, unknown } = survey ?? { standing: held.standing, unknown: held.standing_unknown };
  const shared = { drift, checked: commit, ...(survey === undefined ? {} : { survey }) };
  if (drift > 0) return { ...shared, state: "drifted", base: record.base };
  // Without an answer about the change, the next check starts from the same commit again.
  if (record.unknown.length > 0) return { ...shared, state: standing > 0 ? "drifted" : "unknown" };
  const state = standing > 0 ? "drifted" : unknown > 0 ? "unknown" : "clean";
  return { ...shared, state, base: commit };
}

function surveyOf(standing: CheckReport, commit: string): StandingSurvey {
  const dates = gating(standing).flatMap(({ since }) => (since === undefined ? [] : [since.date]));
  return {
    commit,
    standing: gating(standing).length,
    unknown: standing.unknown.length,
    since: dates.sort()[0] ?? null,
  };
}

/** The check of a pull request does not change the status of the main branch. */
function statusFor(job: Job, status: RepositoryStatus): RepositoryStatus {
  return job.request === undefined ? status : {};
}

/** Queues a fix if there are edits to make, or if our open pull request must be closed. */
async function followUp(
  deps: JobDeps,
  { job, repository, run }: Pick<JobRun, "job" | "repository" | "run">,
  report: CheckReport,
): Promise<Pick<JobResult, "next">> {
  const fixable = report.findings.some(({ tier, edits }) => deps.tiers.includes(tier) && edits.length > 0);
  const isForModel = deps.rewrite !== undefined && gating(report).length > 0;
  const mayBeOver = job.request === undefined && (await hasOpenEdits(deps, repository));
  if (!fixable && !isForModel && !mayBeOver) return {};
  return { next: { ...job, kind: "fix", commit: report.head, after: run } };
}

/** Whether edits are open. The state does not always say so: a later check may have found drift whose edits wait. */
async function hasOpenEdits({ query }: JobDeps, repository: Repository): Promise<boolean> {
  return repository.state === "open" || (await listOpenRequests(query, repository)).length > 0;
}
