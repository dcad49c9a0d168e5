import { plural } from "suture/service";

/** Every sentence that the fleet's commands say. */
export const fleetMessages = {
  added: (fresh: number, known: number): string =>
    known === 0
      ? `${repositories(fresh)} added to the fleet.`
      : `${repositories(fresh)} added to the fleet, ${known} already in it.`,
  nameTaken: ({ organisation, name, url }: TakenName): string =>
    `${url} was left out: the fleet has another folder as ${organisation}/${name}. Rename one of them or the folder around it.`,
  empty: "The fleet is empty.",
  signInRefused: "The sign-in failed. The log of the fleet's server says why.",
  signInUnknown:
    "This sign-in was not started here, took too long, or was refused. Open the page of the fleet and sign in again.",
  noneListed: "No repository matches.",
  noMembers: "No person has a role.",
  noActions: "No person has done anything yet.",
  unknownOrganisation: (organisation: string): string =>
    `The fleet has no repository of ${organisation} yet; is the name right?`,
  states: (states: Readonly<Record<string, number>>): string => {
    const all = Object.entries(states).map(([state, count]) => `${state} ${count}`);
    return all.length === 0 ? fleetMessages.empty : all.join(", ");
  },
  queue: (depth: QueueCounts, draining: boolean): string =>
    `queue: ${depth.waiting} waiting, ${depth.deferred} deferred, ${depth.active} running, ${depth.dead} failed for good${draining ? "; draining" : ""}`,
  workers: (workers: readonly { readonly busy: number; readonly slots: number }[]): string => {
    const busy = workers.reduce((sum, worker) => sum + worker.busy, 0);
    const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
    return `${plural(workers.length, "worker")}, ${busy} of ${slots} slots busy`;
  },
  paused: (host: string, until: Date, why: string | null): string =>
    `${host} is paused until ${until.toISOString()}${hostReasons[why ?? ""] ?? ""}; \`suture fleet resume ${host}\` resumes it now`,
  drifted: ({
    organisation,
    name,
    drift,
    state,
    standing,
    standing_since: since,
  }: DriftedRepository): string => {
    const counts = [
      ...(drift > 0 ? [`${plural(drift, "passage")} no longer true`] : []),
      ...(standing > 0 ? [`${plural(standing, "passage")} already false`] : []),
    ];
    const oldest = since === null ? "" : `, the oldest since ${since.toISOString().slice(0, 10)}`;
    return `  ${organisation}/${name}  ${counts.join(", ")}${oldest} (${state})`;
  },
  failing: ({ organisation, name, problem, state }: FailingRepository): string =>
    `  ${organisation}/${name}  ${state}: ${problem ?? "the reason was not kept"}`,
  listed: ({ organisation, name, host, state, drift, standing, paused }: ListedRepository): string =>
    [`${organisation}/${name}`, host, paused ? `${state}, paused` : state, drift + standing].join("\t"),
  deadLetter: (kind: string, repository: string, why: string): string =>
    `  failed for good: ${kind} of ${repository}: ${why}`,
  approved: ({
    repositories: count,
    edits,
  }: {
    readonly repositories: number;
    readonly edits: number;
  }): string =>
    count === 0
      ? "No edits wait for approval there."
      : `${plural(edits, "edit")} in ${repositories(count)} approved. The workers publish them.`,
  stopped: (place: string | undefined, withdrawn: number): string =>
    `From now on nothing is published ${place === undefined || place === "*" ? "" : `in ${place} `}without approval. ${plural(withdrawn, "approval")} withdrawn.`,
  noSettings: "The fleet has no settings; each repository may have its own in suture.config.json.",
  setting: ({
    key,
    value,
    from,
  }: {
    readonly key: string;
    readonly value: string;
    readonly from: string;
  }): string => `${key}\t${value}\t${settingsPlaces[from] ?? from}`,
  settingsReplaced: (place: string): string => `The settings of ${place} are replaced.`,
  removed: (repository: string): string => `${repository} is no longer in the fleet.`,
  moved: (repository: string, url: string): string => `${repository} is now at ${url}.`,
  pausedRepository: (repository: string): string =>
    `${repository} is paused until \`suture fleet resume ${repository}\`.`,
  resumedRepository: (repository: string): string => `${repository} is checked again.`,
  resumedHost: (host: string): string => `${host} is no longer paused.`,
  queuedAgain: (repository: string): string => `${repository} is in the queue again.`,
  leftForLater: (count: number): string =>
    `${plural(count, "job")} left for the next run: the host is paused, or the job failed three times.`,
  retried: (count: number): string => `${plural(count, "job")} back in the queue.`,
  cancelled: (count: number): string => `${plural(count, "job")} cancelled.`,
  resumed: "Jobs are handed out again.",
  drained: (waiting: number): string =>
    `No job is running; ${plural(waiting, "job")} wait for \`suture fleet drain --resume\`.`,
  draining: (active: number): string => `… ${plural(active, "job")} still running`,
  spent: (organisation: string, { tokens, costUsd }: { tokens: number; costUsd: number }): string =>
    `${organisation} has spent $${costUsd.toFixed(4)} and ${tokens} tokens today.`,
  released: (count: number): string => (count === 1 ? "The lease is released." : "There is no such lease."),
  leased: ({ until, fence }: { readonly until: Date; readonly fence: number }): string =>
    `The lease ${fence} is yours until ${until.toISOString()}.`,
  collected: ({ runs, deliveries, freed }: CollectedCounts): string =>
    `${plural(runs, "run")} and ${plural(deliveries, "webhook")} deleted.${freed > 0 ? ` Clones of ${Math.ceil(freed / 1e6)} MB deleted.` : ""}`,
  organisationNamed: (organisation: string): string =>
    organisation === "*" ? "all organisations" : organisation,
  granted: ({ name, role, organisation }: NamedRole): string =>
    `${name} is ${role} of ${fleetMessages.organisationNamed(organisation)}.`,
  revoked: ({ name, organisation }: Omit<NamedRole, "role">): string =>
    `${name} has no role in ${fleetMessages.organisationNamed(organisation)} any more.`,
  member: ({ name, role, organisation }: NamedRole): string => [name, role, organisation].join("\t"),
  action: ({ at, who, did, target }: RecordedWords): string =>
    `${at.toISOString()}\t${who}\t${did} ${target}`,
  serving: (url: string): string => `The fleet is at ${url}`,
  servingWithOwnToken: (url: string): string => `The fleet is at ${url}; the token is SUTURE_FLEET_TOKEN`,
  servingWithToken: (url: string, tokenFile: string): string =>
    `The fleet is at ${url}; the token is in ${tokenFile}`,
  failedRepositories: (count: number): string =>
    `${plural(count, "job")} failed for good; \`suture fleet status\` shows why.`,
};

const settingsPlaces: Readonly<Record<string, string>> = {
  default: "by default",
  fleet: "for all repositories",
  organisation: "for the organisation",
  repository: "for the repository",
  file: "in suture.config.json",
};

const hostReasons: Readonly<Record<string, string>> = {
  busy: ", because it limits our requests",
  away: ", because it could not be reached",
  token: ", because it refuses the token",
};

function repositories(count: number): string {
  return count === 1 ? "1 repository" : `${count} repositories`;
}

type TakenName = { readonly organisation: string; readonly name: string; readonly url: string };

type NamedRole = { readonly name: string; readonly role: string; readonly organisation: string };

type RecordedWords = {
  readonly at: Date;
  readonly who: string;
  readonly did: string;
  readonly target: string;
};

type FailingRepository = {
  readonly organisation: string;
  readonly name: string;
  readonly problem: string | null;
  readonly state: string;
};

type ListedRepository = {
  readonly organisation: string;
  readonly name: string;
  readonly host: string;
  readonly state: string;
  readonly drift: number;
  readonly standing: number;
  readonly paused: boolean;
};

type CollectedCounts = { readonly runs: number; readonly deliveries: number; readonly freed: number };

type QueueCounts = {
  readonly waiting: number;
  readonly deferred: number;
  readonly active: number;
  readonly dead: number;
};

type DriftedRepository = {
  readonly organisation: string;
  readonly name: string;
  readonly drift: number;
  readonly standing: number;
  readonly standing_since: Date | null;
  readonly state: string;
};
