import type { CommentResult, WriteComment } from "suture/service";
import { dashboardMarker, readTicks, type Ticks } from "../publish/dashboard-boxes.ts";
import { errorOf, type Sink } from "../publish/sink.ts";
import { readDashboard } from "../rollout/dashboard.ts";
import { readPreview } from "../rollout/preview.ts";
import { approveFindings, declineFindings, restoreFindings } from "../store/decisions.ts";
import type { Repository } from "../store/repositories.ts";
import { printDashboard } from "../wording/dashboard.ts";
import { explain } from "./explain.ts";
import { emptyRun, type JobDeps, type JobResult, type JobRun, PermanentError } from "./job-run.ts";
import { paceWrites } from "./pace-writes.ts";

/** Who decided, in the record: the host lets only people who may edit the issue tick a box. */
const decidedBy = "dashboard";

/** Follows the boxes that people ticked on the dashboard of a repository, and rewrites it. */
export async function updateDashboard(deps: JobDeps, { job, repository: held }: JobRun): Promise<JobResult> {
  const run = { ...emptyRun, base: held.base, commit: held.checked ?? "", state: "done" as const };
  const sink = await deps.sinks(held);
  if (!sink.ok) throw new PermanentError(explain(sink.refusal));
  const { dashboard } = sink.value;
  if (dashboard === undefined) return { run, status: {} };
  const keep = async (write: WriteComment): Promise<CommentResult> => {
    const kept = await dashboard(held, write);
    if (!kept.ok) throw errorOf(kept.refusal);
    if (kept.value === "no-issues") throw new NoIssues();
    return kept.value;
  };
  try {
    return await rewrite(deps, { job, held, sink: sink.value, keep });
  } catch (error) {
    if (!(error instanceof NoIssues)) throw error;
    return { run: { ...run, detail: "the repository has no issues" }, status: {} };
  }
}

/** The issues of the repository are turned off, so that it can have no dashboard. */
class NoIssues extends Error {}

type DashboardInput = Pick<JobRun, "job"> & {
  readonly held: Repository;
  readonly sink: Sink;
  readonly keep: Keep;
};

async function rewrite(deps: JobDeps, { job, held, sink, keep }: DashboardInput): Promise<JobResult> {
  const run = { ...emptyRun, base: held.base, commit: held.checked ?? "", state: "done" as const };
  let needsCheck = false;
  let written: CommentResult | null = null;
  for (let turn = 0; turn < mostTurns && written === null; turn++) {
    const text = await readText(keep);
    needsCheck = (await follow(deps, held, readTicks(text ?? ""))) || needsCheck;
    const contents = await readDashboard(deps.query, held);
    const isEmpty = Object.values(contents).every((list) => list.length === 0);
    if (isEmpty && text === null) return { run, status: {} };
    const wanted = `${dashboardMarker}\n${printDashboard(contents)}`;
    if (wanted !== text) await paceWrites(deps, { held, sink, pages: 0 });
    written = await writeUnlessTicked(keep, { text, wanted });
  }
  const { repository, organisation } = job;
  return {
    run: { ...run, detail: written?.url ?? "" },
    status: {},
    ...(needsCheck
      ? { next: { kind: "check", repository, organisation, commit: null, cause: "hand" } as const }
      : {}),
  };
}

/** A person who ticks boxes faster than this is heard at the next look. */
const mostTurns = 5;

type Keep = (write: WriteComment) => Promise<CommentResult>;

async function readText(keep: Keep): Promise<string | null> {
  let text: string | null = null;
  await keep((current) => {
    text = current;
    return null;
  });
  return text;
}

/** Writes the list. Null if a person has changed it since it was read: the box must not be overwritten. */
async function writeUnlessTicked(
  keep: Keep,
  { text, wanted }: { readonly text: string | null; readonly wanted: string },
): Promise<CommentResult | null> {
  let isTicked = false;
  const result = await keep((current) => {
    isTicked = current !== text;
    return isTicked ? null : wanted;
  });
  return isTicked ? null : result;
}

/** Stores the decisions. True if the repository must be checked again because of them. */
async function follow(
  { query }: JobDeps,
  { id }: Repository,
  { approve, dismiss, restore, recheck }: Ticks,
): Promise<boolean> {
  const [preview] = approve.length === 0 ? [] : await readPreview(query, { repository: id });
  const waiting = new Set(preview?.findings.map((finding) => finding.id));
  const findings = approve.filter((each) => waiting.has(each));
  if (findings.length > 0) await approveFindings(query, id, { findings, by: decidedBy });
  await declineFindings(query, id, { findings: dismiss, by: decidedBy, reason: "" });
  await restoreFindings(query, id, restore);
  // An attempt that ended before the list was written may have stored them, and no check has followed it.
  return recheck || dismiss.length + restore.length > 0;
}
