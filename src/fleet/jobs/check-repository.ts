import { check } from "../../docs/check/check.ts";
import type { CheckReport } from "../../docs/check/report.ts";
import { openProject } from "../../docs/project.ts";
import { gating } from "../../wording/findings.ts";
import type { Mirror } from "../clones/mirror.ts";
import type { Job } from "../queue/job.ts";
import type { Repository } from "../store/repositories.ts";
import type { Standing } from "../store/runs.ts";
import { explain } from "./explain.ts";
import { type Done, Hopeless, nothing, type Shop, type Work } from "./job-run.ts";

/** Which passages a change made false. Read from a bare clone; nothing of the repository is checked out or run. */
export async function checkRepository(shop: Shop, { job, held, run, signal }: Work): Promise<Done> {
  if (await isOld(shop, job, held))
    return { run: { ...nothing, base: null, commit: job.commit!, state: "superseded" }, standing: {} };
  // What was pushed is only a hint: deliveries come late and out of order, and the main branch has the last word.
  const wanted = job.request === undefined ? { commit: null } : { commit: job.commit, request: job.request };
  const mirror = await shop.span("fetch", {}, () => shop.mirrors.fetch(held, wanted, signal));
  const commit = mirror.head;
  if (
    job.request === undefined &&
    job.cause !== "hand" &&
    commit === held.checked &&
    held.state !== "failing"
  )
    return { run: { ...nothing, base: held.base, commit, state: "unchanged" }, standing: {} };
  const base = await findBase(mirror, job, held);
  if (base === null)
    return {
      run: { ...nothing, base, commit, state: "done" },
      standing: standAt(job, { state: "clean", drift: 0, checked: commit, base: commit }),
    };
  await shop.span("fetch", {}, () => mirror.fill(base, commit));
  signal.throwIfAborted();
  const project = await openProject({ git: mirror.git });
  if (!project.ok) throw new Hopeless(explain(project.refusal));
  const range = { head: commit, base, sinceFork: true };
  const checked = await shop.span("check", {}, () => check(project.value, range));
  if (!checked.ok) throw new Hopeless(explain(checked.refusal));
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
    standing: standAt(job, standingOf(report, commit)),
    ...nextOf(shop, job, held, run, commit, report),
  };
}

/** A push that a later check has already covered. */
async function isOld(shop: Shop, { cause, commit }: Job, held: Repository): Promise<boolean> {
  if (cause !== "push" || commit === null || held.checked === null || held.state === "failing") return false;
  const git = await shop.mirrors.open(held);
  if (!git || (await git.resolve(commit)) === null || (await git.resolve(held.checked)) === null)
    return false;
  return (await git.mergeBase(commit, held.checked)) === commit;
}

/**
 * What to compare with: for a request where it left the main branch, else the last commit whose pages were true. What
 * was found and not mended is so found again.
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

function standingOf(report: CheckReport, commit: string): Standing {
  const drift = gating(report).length;
  if (drift > 0) return { state: "drifted", drift, checked: commit, base: report.base };
  if (report.unknown.length > 0) return { state: "unknown", drift, checked: commit };
  return { state: "clean", drift, checked: commit, base: commit };
}

/** A change request says nothing about the main branch. */
function standAt(job: Job, standing: Standing): Standing {
  return job.request === undefined ? standing : {};
}

/** Edits to make, or, where an earlier request of ours is no longer needed, that request to close. */
function nextOf(
  shop: Shop,
  job: Job,
  held: Repository,
  run: string,
  commit: string,
  report: CheckReport,
): Pick<Done, "next"> {
  const mendable = report.findings.some(({ tier, edits }) => shop.tiers.includes(tier) && edits.length > 0);
  const isForModel = shop.wording !== undefined && gating(report).length > 0;
  const isOver = job.request === undefined && held.state === "open" && gating(report).length === 0;
  if (!mendable && !isForModel && !isOver) return {};
  return { next: { ...job, kind: "fix", commit, after: run } };
}
