import { localHost } from "../clones/address.ts";
import { GitError } from "../clones/git-process.ts";
import type { Fleet } from "../fleet.ts";
import { CheckStopped } from "../jobs/check-process.ts";
import { PermanentError } from "../jobs/job-run.ts";
import { HostAway, HostBusy, RepositoryArchived, TokenRefused } from "../publish/sink.ts";
import { pauseHost, restHost } from "../store/hosts.ts";
import { type Repository, recordChange, recordProblem, releaseRepository } from "../store/repositories.ts";
import { isDiskFull } from "./disk-space.ts";
import type { TakenJob } from "./queue.ts";

/** A job that failed, and the repository that it worked on. */
export type Failure = { readonly taken: TakenJob; readonly held: Repository; readonly error: unknown };

/** The attempts of a job ended with their workers. One more would only take the next worker with it. */
export class WorkersLost extends Error {
  override readonly name = "WorkersLost";

  constructor(attempts: number) {
    super(`its worker died, or was out of touch, again and again: ${attempts} attempts did not end`);
  }
}

/** `disk-full`: this worker should rest. Else the outcome of the job. */
export type FailureOutcome = "at-rest" | "deferred" | "disk-full" | "failed" | "hopeless" | "quarantined";

/** From this attempt on, the repository is shown as failing. */
const shownFrom = 2;
const diskRestSeconds = 60;
const tokenRestSeconds = 300;
/** How long a fetch waits that its host limits. Git does not show how long the host asks for. */
const limitRestSeconds = 60;

/**
 * Decides what a failure means. A host that is busy, away or refuses the token is paused, and a full disk stops one
 * worker: none of these counts as an attempt. A fetch that the host limits or refuses waits alone. Every other failure is the
 * repository's own.
 */
export async function handleFailure(fleet: Fleet, failure: Failure): Promise<FailureOutcome> {
  const { taken, held, error } = failure;
  await releaseRepository(fleet.query, held);
  if (await isDiskFull(error, fleet.home.path)) {
    await fleet.queue.defer(taken, diskRestSeconds);
    fleet.log("disk-full", { worker: true, repository: nameOf(held) });
    return "disk-full";
  }
  if (error instanceof RepositoryArchived) {
    await recordChange(fleet.query, held.id, "archived");
    await fleet.queue.complete(taken, { outcome: error.message });
    return "at-rest";
  }
  const rest = await restSeconds(fleet, held, error);
  if (rest !== null) {
    await fleet.queue.defer(taken, rest + Math.random() * 5);
    fleet.log("host-rests", {
      host: fleet.hosts.scopeOf(held),
      seconds: Math.ceil(rest),
      why: messageOf(error),
    });
    return "deferred";
  }
  return failJob(fleet, failure);
}

/**
 * How long the host of a failed job is paused; null if the failure does not concern the host. Limits and tokens concern
 * the owner if it has a credential of its own.
 */
async function restSeconds(fleet: Fleet, held: Repository, error: unknown): Promise<number | null> {
  const { query, hosts } = fleet;
  const { host } = held;
  const scope = hosts.scopeOf(held);
  if (error instanceof HostBusy) return pauseHost(query, scope, error.milliseconds / 1000);
  if (error instanceof TokenRefused) return pauseHost(query, scope, tokenRestSeconds, "token");
  if (host === localHost) return null;
  if (error instanceof GitError && error.is("limited")) return limitRestSeconds;
  if (error instanceof GitError && (await isTokenRefused(fleet, held, error))) {
    await recordProblem(query, held.id, { problem: messageOf(error), state: "failing" });
    return tokenRestSeconds;
  }
  if (error instanceof HostAway || (error instanceof GitError && error.is("network")))
    return restHost(query, host);
  return null;
}

/**
 * Whether a host refused a credential of ours. Some hosts answer so for one repository only, so the host is not paused; the
 * repository is shown as failing until a fetch succeeds.
 */
async function isTokenRefused({ hosts }: Fleet, held: Repository, error: GitError): Promise<boolean> {
  if (!error.is("unauthorised")) return false;
  const header = await hosts.gitHeader(held);
  return !header.ok || header.value !== null;
}

async function failJob(fleet: Fleet, { taken, held, error }: Failure): Promise<FailureOutcome> {
  const { query, queue, log } = fleet;
  const why = messageOf(error);
  const outcome = outcomeOf(taken, error);
  log(outcome === "failed" ? "job-failed" : `job-${outcome}`, {
    kind: taken.job.kind,
    repository: nameOf(held),
    attempt: taken.attempt,
    why,
  });
  const state = outcome === "quarantined" ? "quarantined" : "failing";
  if (outcome !== "failed" || taken.attempt >= shownFrom)
    await recordProblem(query, held.id, { problem: why, state });
  if (outcome === "failed") await queue.fail(taken, why);
  else await queue.moveToDeadLetters(taken, why);
  return outcome;
}

function outcomeOf({ attempt }: TakenJob, error: unknown): "failed" | "hopeless" | "quarantined" {
  if (error instanceof WorkersLost) return "quarantined";
  if (error instanceof CheckStopped) return attempt >= 1 ? "quarantined" : "failed";
  const isPermanent =
    error instanceof PermanentError ||
    (error instanceof GitError && (error.is("permanent") || error.is("unauthorised")));
  return isPermanent ? "hopeless" : "failed";
}

function nameOf({ organisation, name }: Repository): string {
  return `${organisation}/${name}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
