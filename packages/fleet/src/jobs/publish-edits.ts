import { createHash } from "node:crypto";
import { type FixedPages, fixCommit } from "suture/service";
import type { Outcome, Refusal } from "suture/text";
import type { CheckReport } from "suture/tools";
import type { Git } from "suture/workspace";
import { localHost } from "../clones/address.ts";
import { divide, keepEdits } from "../publish/parts.ts";
import { applyPatch, patchOfChanges } from "../publish/patches.ts";
import { errorOf, type Published, type Sink } from "../publish/sink.ts";
import type { Job } from "../queue/job.ts";
import type { ResolvedSettings } from "../settings/resolve.ts";
import { secondsUntilOpen } from "../settings/schedule.ts";
import { declinedFindings, recordWithdrawal } from "../store/decisions.ts";
import {
  claimPublication,
  confirmPublication,
  isSameRequest,
  listOpenRequests,
  type OpenRequest,
  type PublicationKind,
} from "../store/publications.ts";
import { followRename, type Repository } from "../store/repositories.ts";
import type { RepositoryStatus, WaitingEdits } from "../store/runs.ts";
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
import { learnDecisions } from "./learn-decisions.ts";
import { paceWrites } from "./pace-writes.ts";
import { publishableFindings, settingsFor } from "./settings-for.ts";

/**
 * Publishes the edits of a fix once. Edits by rule are derived again from the findings, and must give the stored patch.
 * The settings of the repository decide what is published now, and what waits.
 */
export async function publishEdits(deps: JobDeps, jobRun: JobRun): Promise<JobResult> {
  const { job, repository: held, previous } = jobRun;
  const record = previous as FixRecord | null;
  if (record === null) throw new PermanentError("the edits of the fix are no longer kept");
  const { report } = record;
  const done = { base: report.base, commit: report.head };
  if (isOutdated(job, held, report.head)) return superseded(done, "a newer commit was checked");
  const git = await fetchCommit(deps, jobRun, report);
  const settings = await settingsFor(deps, held, git);
  const allowed = await publishableFindings(deps, held, settings);
  const publishing = new Publishing(deps, { jobRun, git, settings, record, allowed });
  if (publishing.isHeld) return waitFor(done, { run: job.after, why: "approval", seconds: againSeconds });
  const sink = await deps.sinks(held);
  if (!sink.ok) throw new PermanentError(explain(sink.refusal));
  const kind = sink.value.kindFor(job.request);
  if (kind === "request") {
    const hasDeclined = await learnDecisions(deps, held, sink.value);
    if (hasDeclined || (await isDeclined(deps, held, record))) return checkAgain(job, done);
  }
  const seconds = job.request === undefined ? await untilOpen(deps, settings) : 0;
  if (seconds > 0) return waitFor(done, { run: job.after, why: "schedule", seconds });
  return publishing.publish(sink.value, kind);
}

/** Whether people declined some of the edits after the fix had made them. */
async function isDeclined({ query }: JobDeps, { id }: Repository, record: FixRecord): Promise<boolean> {
  const declined = await declinedFindings(query, id);
  const { report, worded } = record;
  return worded
    ? worded.fixed.some((one) => declined.has(one))
    : report.findings.some((one) => one.edits.length > 0 && declined.has(one.id));
}

/** A check of a newer commit replaces the edits of an older one that had to wait. */
function isOutdated({ request }: Job, { checked }: Repository, commit: string): boolean {
  return request === undefined && checked !== null && checked !== commit;
}

async function untilOpen({ query }: JobDeps, { schedule }: ResolvedSettings): Promise<number> {
  const [row] = await query<{ now: Date }>("SELECT now() AS now");
  return secondsUntilOpen(schedule, row?.now ?? new Date());
}

type PublishInput = {
  readonly jobRun: JobRun;
  readonly git: Git;
  readonly settings: ResolvedSettings;
  readonly record: FixRecord;
  /** The findings whose edits may be published; null if all may. */
  readonly allowed: ReadonlySet<string> | null;
};

/** Seconds until edits that wait are looked at again. A decision of people wakes them earlier. */
const againSeconds = 3600;

const branchWords = "the branch has a commit of a person, and no pull request is open from it";

/** One publish job at work. */
class Publishing {
  readonly #deps: JobDeps;
  readonly #input: PublishInput;
  /** The pull request of each part that was published; empty where a person has taken the branch. */
  readonly #published = new Map<string, string>();
  #isLimited = false;
  /** The edits are published as pull requests of ours. */
  #isForRequest = false;

  constructor(deps: JobDeps, input: PublishInput) {
    this.#deps = deps;
    this.#input = input;
  }

  /** Whether a dry run allows none of the edits. */
  get isHeld(): boolean {
    const { allowed, record } = this.#input;
    if (allowed === null || record.patch === "") return false;
    return record.worded
      ? record.worded.fixed.some((id) => !allowed.has(id))
      : !record.report.findings.some(({ id, edits }) => edits.length > 0 && allowed.has(id));
  }

  async publish(sink: Sink, kind: PublicationKind): Promise<JobResult> {
    const { jobRun, record } = this.#input;
    const { report } = record;
    const done = { base: report.base, commit: report.head };
    this.#isForRequest = kind === "request";
    // Without edits there is no pull request: the one that is open is closed below.
    const parts = (await this.#divide(kind)).filter(({ patch }) => patch !== "" || kind !== "request");
    for (const part of parts) {
      const refusal = await this.#publishPart(sink, kind, part);
      if (refusal) return superseded(done, explain(refusal));
    }
    if (kind === "request") await this.#withdrawOthers(sink, parts);
    const isForMain = jobRun.job.request === undefined;
    const { after } = jobRun.job;
    return {
      run: { ...emptyRun, ...done, state: this.#waitsFor === null ? "done" : "held", detail: this.#detail },
      status: isForMain ? this.#status(after) : {},
    };
  }

  get #urls(): string[] {
    return [...this.#published.values()];
  }

  /** Why some of the edits could not be published. */
  get #waitsFor(): "limit" | "branch" | null {
    if (this.#isLimited) return "limit";
    return this.#isForRequest && this.#urls.includes("") ? "branch" : null;
  }

  get #detail(): string {
    return [...this.#urls.filter(Boolean), ...(this.#waitsFor === "branch" ? [branchWords] : [])].join(" ");
  }

  #status(run: string | undefined): RepositoryStatus {
    const isOpen = this.#input.record.patch !== "" && this.#urls.some((url) => url !== "");
    return {
      ...(isOpen ? { state: "open" } : {}),
      waiting:
        this.#waitsFor !== null && run !== undefined
          ? { run, why: this.#waitsFor, seconds: againSeconds }
          : this.#heldRest(run),
    };
  }

  /** In a dry run, the edits without an approval go on waiting. */
  #heldRest(run: string | undefined): WaitingEdits | null {
    const { allowed, record } = this.#input;
    const isLeft =
      allowed !== null &&
      record.report.findings.some(({ id, edits }) => edits.length > 0 && !allowed.has(id));
    return isLeft && run !== undefined ? { run, why: "approval", seconds: againSeconds } : null;
  }

  /** The pull requests to make, with their pages. Pages of a model cannot be divided. */
  async #divide(kind: PublicationKind): Promise<FixedPart[]> {
    const { git, record, settings, allowed } = this.#input;
    const { tiers } = this.#deps;
    const { report, patch, worded } = record;
    const whole = worded ? await applyPatch(git, report, patch, worded) : await fixCommit(git, report, tiers);
    if (!whole.ok) throw new PermanentError(explain(whole.refusal));
    if (patchOfChanges(whole.value.pages.map(({ change }) => change)) !== patch)
      throw new PermanentError("the edits are not those that the findings lead to");
    const grouping = kind === "request" && !worded ? settings.grouping : "repository";
    if (grouping === "repository" && (worded || allowed === null))
      return [{ key: "", report, fixed: whole.value, patch }];
    const wanted = new Set(report.findings.filter(({ id }) => allowed?.has(id) ?? true));
    const parts: FixedPart[] = [];
    for (const part of divide(keepEdits(report, wanted), grouping)) {
      const fixed = await fixCommit(git, part.report, tiers);
      if (!fixed.ok) throw new PermanentError(explain(fixed.refusal));
      const own = patchOfChanges(fixed.value.pages.map(({ change }) => change));
      if (own !== "" || grouping === "repository") parts.push({ ...part, fixed: fixed.value, patch: own });
    }
    return parts;
  }

  /** The row is claimed before the host is called and confirmed afterwards; a sink checks the host before it adds. */
  async #publishPart(sink: Sink, kind: PublicationKind, part: FixedPart): Promise<Refusal | null> {
    const { settings, jobRun } = this.#input;
    const { job, repository: held, signal } = jobRun;
    const { report, fixed, patch } = part;
    // Two pull requests may have the same head.
    const commit = job.request === undefined ? report.head : `${report.head}/${job.request}`;
    const row = { kind, commit, part: part.key };
    const claimed = await claimPublication(this.#deps, held, {
      ...row,
      run: job.after ?? "",
      branch: settings.branch,
      digest: createHash("sha256").update(patch).digest("hex"),
      findings: fixed.fixed.map(({ id }) => id),
      limits: settings,
    });
    if (claimed === null) throw new Error("the repository was taken by another job");
    if (claimed.is === "limited") {
      this.#isLimited = true;
      return null;
    }
    if (claimed.is === "confirmed") {
      this.#published.set(part.key, claimed.url ?? "");
      return null;
    }
    await paceWrites(this.#deps, { held, sink, pages: fixed.pages.length });
    const what = { repository: held, commit: report.head, report, fixed, patch, part: part.key, settings };
    const published = await this.#deps.span("publish", {}, () =>
      sink.publish(job.request === undefined ? what : { ...what, request: job.request }, signal),
    );
    if (!published.ok) return refusalOrThrow(published.refusal);
    this.#published.set(part.key, published.value.url);
    await this.#followRename(published.value);
    await confirmPublication(this.#deps.query, held, { ...row, url: published.value.url });
    return null;
  }

  /** A repository on a host that was renamed or transferred gets its new name. */
  async #followRename({ now }: Published): Promise<void> {
    const { repository: held } = this.#input.jobRun;
    if (now === undefined || held.host === localHost) return;
    const cut = now.name.lastIndexOf("/");
    const called = { organisation: now.name.slice(0, cut), name: now.name.slice(cut + 1), hostId: now.id };
    await followRename(this.#deps.query, held, called);
  }

  /** Closes our pull requests that are not among the wanted ones. */
  async #withdrawOthers(sink: Sink, parts: readonly FixedPart[]): Promise<void> {
    const { settings, jobRun } = this.#input;
    const { branch } = settings;
    const open = await listOpenRequests(this.#deps.query, jobRun.repository);
    const unwanted = open.filter((one) => !this.#isWanted(one));
    // A pull request whose confirmation was lost is open too, and only the host knows it.
    const isKnown = open.some(({ part }) => part === "") || parts.length > 0;
    const lost: OpenRequest[] = isKnown
      ? []
      : [{ url: "", part: "", branch, findings: null, isLeaving: true }];
    for (const request of [...unwanted, ...lost]) await this.#withdraw(sink, request);
  }

  /**
   * Whether an open pull request is one of those that were published now. Its name is not enough: when the default branch is
   * renamed, the edits get another pull request.
   */
  #isWanted({ url, part }: OpenRequest): boolean {
    const published = this.#published.get(part);
    return published === "" || (published !== undefined && isSameRequest(published, url));
  }

  /** Closes a pull request of ours whose edits are no longer needed, or are in another one now. */
  async #withdraw(sink: Sink, request: OpenRequest): Promise<void> {
    const { repository: held } = this.#input.jobRun;
    const { query } = this.#deps;
    const { url } = request;
    await recordWithdrawal(query, held, { url, state: "withdrawing" });
    const closed = url !== "" && sink.close ? await sink.close(held, url) : await this.#clear(sink, request);
    if (!closed.ok && closed.refusal.code !== "not-found") throw errorOf(closed.refusal);
    await recordWithdrawal(query, held, { url, state: "withdrawn" });
  }

  /** Publishes no edits, which closes the pull request of a branch, if there is one. */
  #clear(sink: Sink, { part, branch }: OpenRequest): Promise<Outcome<Published>> {
    const { settings, jobRun, record } = this.#input;
    const fixed: FixedPages = { fixed: [], left: [], pages: [] };
    const { report } = record;
    const own = { ...settings, branch };
    const { repository, signal } = jobRun;
    const what = { repository, commit: report.head, report, fixed, patch: "", part, settings: own };
    return sink.publish(what, signal);
  }
}

type FixedPart = {
  readonly key: string;
  readonly report: CheckReport;
  readonly fixed: FixedPages;
  readonly patch: string;
};

type DoneCommit = { readonly base: string; readonly commit: string };

/** The edits wait: they are kept with the fix, and looked at again later. */
function waitFor(
  done: DoneCommit,
  {
    run,
    why,
    seconds,
  }: { readonly run: string | undefined; readonly why: "approval" | "schedule"; readonly seconds?: number },
): JobResult {
  const waiting = run === undefined ? null : { run, why, ...(seconds === undefined ? {} : { seconds }) };
  const detail = why === "approval" ? "waits for approval" : "waits for its schedule";
  return { run: { ...emptyRun, ...done, state: "held", detail }, status: { waiting } };
}

/** The edits were made before it was known that people declined some of them. */
function checkAgain(job: Job, done: DoneCommit): JobResult {
  const { after: _, ...rest } = job;
  return {
    ...superseded(done, "people decided about the edits"),
    next: { ...rest, kind: "check", commit: null, cause: "hand" },
  };
}

function superseded(done: DoneCommit, detail: string): JobResult {
  return { run: { ...emptyRun, ...done, state: "superseded", detail }, status: {} };
}

/** If the pull request has moved on, a new job will follow. If the host forbids it, no retry will help. */
function refusalOrThrow(refusal: Refusal): Refusal {
  if (refusal.code === "stale") return refusal;
  throw errorOf(refusal);
}
