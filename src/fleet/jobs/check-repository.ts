import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { gating } from "../../wording/findings.ts";
import type { Mirror } from "../clones/mirror.ts";
import { causeOf } from "../publish/parts.ts";
import type { Job } from "../queue/job.ts";
import type { Repository } from "../store/repositories.ts";
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
  if (await isSuperseded(deps, job, held))
    return { run: { ...emptyRun, base: null, commit: job.commit ?? "", state: "superseded" }, status: {} };
  // The pushed commit is only a hint: deliveries come late and out of order, so the main branch is fetched.
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
  const base = await findBase(mirror, job, held);
  await deps.span("fetch", {}, () => mirror.fill(base ?? mirror.head, mirror.head));
  signal.throwIfAborted();
  return checkMirror(deps, jobRun, { mirror, base, codes });
}

type CheckInput = {
  readonly mirror: Mirror;
  readonly base: string | null;
  /** The code of other repositories that the pages describe. */
  readonly codes: readonly FetchedCode[];
};

async function checkMirror(
  deps: JobDeps,
  jobRun: JobRun,
  { mirror, base, codes }: CheckInput,
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
  const standing = needsSurvey(job, held, commit)
    ? withoutKnown(await run(mirror, { change: null }), report)
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
    ...followUp(deps, jobRun, report),
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

/** A push that a later check has already covered. */
async function isSuperseded(deps: JobDeps, { cause, commit }: Job, held: Repository): Promise<boolean> {
  if (cause !== "push" || commit === null || held.checked === null || held.state === "failing") return false;
  const git = await deps.mirrors.open(held);
  if (!git || (await git.resolve(commit)) === null || (await git.resolve(held.checked)) === null)
    return false;
  return (await git.mergeBase(commit, held.checked)) === commit;
}

function isUnchanged({ request, cause }: Job, held: Repository, commit: string): boolean {
  const isKnown = commit === held.checked && held.surveyed !== null && held.state !== "failing";
  return request === undefined && cause !== "hand" && cause !== "comment" && isKnown;
}

/** The first time, and with each new commit while passages are false as they stand. */
function needsSurvey({ request }: Job, held: Repository, commit: string): boolean {
  if (request !== undefined || held.surveyed === commit) return false;
  return held.surveyed === null || held.standing + held.standing_unknown > 0;
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
function followUp(
  deps: JobDeps,
  { job, repository, run }: Pick<JobRun, "job" | "repository" | "run">,
  report: CheckReport,
): Pick<JobResult, "next"> {
  const fixable = report.findings.some(({ tier, edits }) => deps.tiers.includes(tier) && edits.length > 0);
  const isForModel = deps.rewrite !== undefined && gating(report).length > 0;
  const isOver = job.request === undefined && repository.state === "open";
  if (!fixable && !isForModel && !isOver) return {};
  return { next: { ...job, kind: "fix", commit: report.head, after: run } };
}
