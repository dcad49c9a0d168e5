import { check } from "../docs/check/check.ts";
import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import { type FixedPages, fixCommit } from "../docs/fix/fix-commit.ts";
import { openProject } from "../docs/project.ts";
import type { CiEvent, Environment } from "../hosts/host.ts";
import { hosts } from "../hosts/registry.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import { isMadeByUs } from "../wording/ci.ts";
import { gating } from "../wording/findings.ts";
import type { CommentLinks } from "../wording/formats/comment-passages.ts";
import type { Git } from "../workspace/git/git.ts";
import { type Delivery, type DeliveryMode, deliver } from "./deliver.ts";
import { type EventDocuments, findDocumentsRepository, openDocumentsTarget } from "./documents.ts";
import { type FileAddress, linksOf } from "./links.ts";
import { openRepository } from "./open-repository.ts";
import { type PassageText, readPassages } from "./passages.ts";

export type EventOptions = {
  readonly mode: DeliveryMode;
  /** A revision to compare with instead of the one that the event names. */
  readonly base?: string | undefined;
  /** Make the likely edits too. */
  readonly likely: boolean;
  /** A folder of the clone that has the documents. Absent: they are in the repository of the event. */
  readonly docs?: string | undefined;
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
  readonly documents?: EventDocuments;
  readonly passages: PassageText;
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
  const project = await openProject({ git, docs: options.docs });
  if (!project.ok) return project;
  const { docs } = project.value;
  const found = await check(project.value, { head, sinceFork: true, ...named });
  const report = found.ok && options.judge ? await options.judge(found.value) : found;
  if (!report.ok) return report;
  const isOurs = isMadeByUs(await git.message(head), event.branch);
  const mode = isOurs ? "check" : options.mode;
  const both = mode === "suggest" || options.likely;
  const pages = docs?.git ?? git;
  const fixed = await fixCommit(pages, report.value, both ? ["certain", "likely"] : ["certain"]);
  if (!fixed.ok) return fixed;
  const passages = await readPassages(pages, report.value);
  const checked = { event, mode, isOurs, report: report.value, fixed: fixed.value, passages };
  if (!docs || !report.value.docs) return accept(checked);
  const repository = await findDocumentsRepository(git, docs.git);
  return accept({ ...checked, documents: { repository, head: report.value.docs.head } });
}

/** Whether the pull request of an event comes from a fork, where this job may only report. */
export function isFromFork({ request }: CiEvent): boolean {
  return request !== null && !request.isOwnBranch;
}

export type EventDelivery = {
  readonly environment: Environment;
  readonly comments: boolean;
  /** The command that runs Suture for a reader of the comment. */
  readonly suture?: string | undefined;
  /** `owner/name` of the repository that has the documents, where its remote does not say. */
  readonly docsRepository?: string | undefined;
};

/** Delivers a checked event to its host; null where there is nothing to deliver. */
export async function deliverEvent(
  { event, mode, report, fixed, documents, passages }: CheckedEvent,
  { environment, comments, suture, docsRepository: named }: EventDelivery,
): Promise<Outcome<Delivery | null>> {
  if (isFromFork(event)) return accept(null);
  if (event.request === null && mode !== "pull-request") return accept(null);
  if (mode === "check" && !comments) return accept(null);
  const hosted = openRepository(event, environment);
  if (!hosted.ok) return hosted;
  const options = { mode, target: event, report, fixed, passages, suture };
  if (!documents || mode !== "pull-request") return deliver(hosted.value, options);
  const target = await openDocumentsTarget(event, documents, { environment, named });
  return target.ok ? deliver(hosted.value, { ...options, documents: target.value }) : target;
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

/** Links to the pages and the code of an event. */
export function linksOfEvent({ event, report, documents, passages }: CheckedEvent): CommentLinks {
  const { kind, repository, apiUrl: baseUrl } = event;
  const at = (name: string): FileAddress => {
    return (place) => hosts[kind].fileUrl({ name, baseUrl }, place);
  };
  const pages = documents === undefined ? repository : documents.repository;
  const links = linksOf(report, { code: at(repository), pages: pages === null ? null : at(pages) });
  return { ...links, text: passages };
}
