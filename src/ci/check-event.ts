import { check } from "../docs/check/check.ts";
import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import { type FixedPages, fixCommit } from "../docs/fix/fix-commit.ts";
import { openProject } from "../docs/project.ts";
import type { CiEvent, Environment } from "../hosts/host.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import { isMadeByUs } from "../wording/ci.ts";
import { gating } from "../wording/findings.ts";
import type { Git } from "../workspace/git/git.ts";
import { type Delivery, type DeliveryMode, deliver } from "./deliver.ts";
import { openRepository } from "./open-repository.ts";

export type EventOptions = {
  readonly mode: DeliveryMode;
  /** A revision to compare with instead of the one that the event names. */
  readonly base?: string | undefined;
  /** Make the likely edits too. */
  readonly likely: boolean;
  /** Judges the findings before anything is made of them. Absent: the rules alone decide. */
  readonly judge?: ((report: CheckReport) => Promise<Outcome<CheckReport>>) | undefined;
};

/** The event of a job, checked. */
export type CheckedEvent = {
  readonly event: CiEvent;
  /** The mode that was asked for, or `check` for a commit of Suture's own. */
  readonly mode: DeliveryMode;
  readonly isOurs: boolean;
  readonly report: CheckReport;
  readonly fixed: FixedPages;
};

/** Checks the change of an event and makes its edits in memory. Our own commits get no commit in answer. */
export async function checkEvent(
  git: Git,
  event: CiEvent,
  options: EventOptions,
): Promise<Outcome<CheckedEvent>> {
  const { head, base, event: kind } = event;
  const named =
    options.base === undefined ? { base, baseMayBeGone: kind === "push" } : { base: options.base };
  const project = await openProject({ git });
  const found = project.ok ? await check(project.value, { head, sinceFork: true, ...named }) : project;
  const report = found.ok && options.judge ? await options.judge(found.value) : found;
  if (!report.ok) return report;
  const isOurs = isMadeByUs(await git.message(head), event.branch);
  const mode = isOurs ? "check" : options.mode;
  const both = mode === "suggest" || options.likely;
  const fixed = await fixCommit(git, report.value, both ? ["certain", "likely"] : ["certain"]);
  return fixed.ok ? accept({ event, mode, isOurs, report: report.value, fixed: fixed.value }) : fixed;
}

/** Whether the pull request of an event comes from a fork, where this job may only report. */
export function isFromFork({ request }: CiEvent): boolean {
  return request !== null && !request.isOwnBranch;
}

/** Delivers a checked event to its host; null where there is nothing to deliver. */
export async function deliverEvent(
  { event, mode, report, fixed }: CheckedEvent,
  { environment, comments }: { readonly environment: Environment; readonly comments: boolean },
): Promise<Outcome<Delivery | null>> {
  if (isFromFork(event)) return accept(null);
  if (event.request === null && mode !== "pull-request") return accept(null);
  if (mode === "check" && !comments) return accept(null);
  const hosted = openRepository(event, environment);
  return hosted.ok ? deliver(hosted.value, { mode, target: event, report, fixed }) : hosted;
}

/** The findings that a delivery fixed, and the findings that still fail the check. */
export function findingsAfter(
  { report, fixed }: Pick<CheckedEvent, "report" | "fixed">,
  delivery: Delivery | null,
): { readonly done: readonly ReportedFinding[]; readonly open: readonly ReportedFinding[] } {
  const { commit, request } = delivery?.fixes ?? {};
  const done = commit === undefined && request === undefined ? [] : fixed.fixed;
  return { done, open: gating(report).filter((finding) => !done.includes(finding)) };
}

/** The values that a job hands to the next steps of its workflow. */
export function outputsOf(
  { report, fixed }: Pick<CheckedEvent, "report" | "fixed">,
  delivery: Delivery | null,
): Readonly<Record<string, string | number>> {
  const { done, open } = findingsAfter({ report, fixed }, delivery);
  return {
    findings: report.findings.length,
    open: open.length,
    fixed: done.length,
    unknown: report.unknown.length,
    commit: delivery?.fixes.commit ?? "",
    comment: delivery?.comment?.url ?? "",
    request: delivery?.requestUrl ?? "",
  };
}
