import { type CodeHost, deliver, type HostedRepository, type HostOptions, hosts } from "suture/service";
import { accept, type Outcome, refuse } from "suture/text";
import type { ReportedFinding } from "suture/tools";
import type { LinkedFinding } from "../jobs/check-described.ts";
import { dashboardTitle } from "../wording/dashboard.ts";
import { dashboardMarker } from "./dashboard-boxes.ts";
import { HostBusy, type Publication, type Published, RepositoryArchived, type Sink } from "./sink.ts";

/** The worker waits for short rate limits. For longer ones, the job returns to the queue and all workers pause the host. */
const longestWait = 2000;

/** How long a host rests that has failed several times in a row, so that it does not take the workers' time. */
const restAfterFaults = 20_000;

/** How the fleet asks hosts: a long wait throws `HostBusy` instead of blocking a worker. */
export const fleetRequests: Pick<HostOptions, "patience" | "sleep"> = {
  patience: Number.MAX_SAFE_INTEGER,
  sleep: async (milliseconds, because) => {
    if (milliseconds > longestWait)
      throw new HostBusy(because === "fault" ? Math.max(milliseconds, restAfterFaults) : milliseconds);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  },
};

/** Keeps our pull requests up to date. Other people's pull requests get suggestions and one comment. */
export function openHostSink(host: CodeHost): Sink {
  return {
    writesPerMinute: hosts[host.kind].writesPerMinute,
    kindFor: (request) => (request === undefined ? "request" : "suggestions"),
    publish: (publication) => {
      const { organisation, name } = publication.repository;
      const hosted = host.at(`${organisation}/${name}`);
      return unlessArchived(
        hosted,
        publication.request === undefined
          ? publishPullRequest(host, hosted, publication)
          : suggest(hosted, publication, publication.request),
      );
    },
    close: ({ organisation, name }, url) => {
      const hosted = host.at(`${organisation}/${name}`);
      return unlessArchived(hosted, hosted.closePullRequest(numberIn(url)));
    },
    dashboard: async ({ organisation, name }, write) => {
      const hosted = host.at(`${organisation}/${name}`);
      const kept = await unlessArchived(
        hosted,
        hosted.issue(dashboardMarker, { title: dashboardTitle, write }),
      );
      if (kept.ok || kept.refusal.code !== "not-found") return kept;
      const about = await hosted.about();
      return about.ok ? accept("no-issues") : about;
    },
    commentsOn: ({ organisation, name }, url) =>
      host.at(`${organisation}/${name}`).trustedComments(numberIn(url)),
    outcomeOf: async ({ organisation, name }, url) => {
      const hosted = host.at(`${organisation}/${name}`);
      const found = await hosted.pullRequest(numberIn(url));
      if (found.ok) return accept(found.value.state);
      if (found.refusal.code !== "not-found") return found;
      // A host answers the same where the token may not see the repository. Only if it may, the pull request is gone.
      const about = await hosted.about();
      return about.ok ? accept("closed") : about;
    },
  };
}

/** A host that refuses to write may have archived the repository. Its words differ, so it is asked. */
async function unlessArchived<T>(hosted: HostedRepository, asked: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const outcome = await asked;
  if (outcome.ok || outcome.refusal.code !== "not-allowed" || outcome.refusal.status !== 403) return outcome;
  const about = await hosted.about();
  if (about.ok && about.value.isArchived)
    throw new RepositoryArchived("its host has archived the repository");
  return outcome;
}

/** The number of a pull request, which its address ends with. */
function numberIn(url: string): number {
  return Number(/(\d+)$/.exec(url)?.[1]);
}

async function publishPullRequest(
  host: CodeHost,
  hosted: HostedRepository,
  { repository, commit, report, fixed, part, settings }: Publication,
): Promise<Outcome<Published>> {
  const info = await hosted.about();
  if (!info.ok) return info;
  const { id, name: called, defaultBranch } = info.value;
  const branch = repository.branch ?? defaultBranch;
  const name = [settings.branch ?? branch, part].filter(Boolean).join("-");
  const own = { name, base: branch };
  const target = { branch, head: commit, request: null, own };
  const { title, draft, labels, reviewers } = settings;
  const codes = fixed.fixed.flatMap((finding) => codeOf(finding) ?? []);
  const about = codes.length === 0 ? {} : { about: [...new Set(codes)] };
  const style = {
    draft,
    labels,
    reviewers,
    takesCommands: true,
    ...about,
    ...(title === null ? {} : { title }),
  };
  // A repository that was renamed or transferred answers by its old name, but finds its pull requests by the new one only.
  const kept = await deliver(host.at(called), { mode: "pull-request", target, report, fixed, style });
  return kept.ok ? accept({ url: kept.value.requestUrl ?? "", now: { id, name: called } }) : kept;
}

/** The other repository whose code proves a finding. */
function codeOf(finding: ReportedFinding & Partial<LinkedFinding>): string | undefined {
  return finding.code?.repository;
}

async function suggest(
  hosted: HostedRepository,
  { report, fixed, commit }: Publication,
  number: number,
): Promise<Outcome<{ url: string }>> {
  const request = await hosted.pullRequest(number);
  if (!request.ok) return request;
  const { head, base, state, url } = request.value;
  if (state !== "open" || head.commit !== commit)
    return refuse({
      code: "stale",
      expected: commit,
      actual: head.commit,
      detail: "the pull request has a newer commit",
    });
  const target = {
    head: commit,
    branch: head.branch,
    request: { number, base: base.branch, isOwnBranch: head.repository === hosted.repository },
  };
  const delivered = await deliver(hosted, { mode: "suggest", target, report, fixed });
  return delivered.ok ? accept({ url: delivered.value.comment?.url ?? url }) : delivered;
}
