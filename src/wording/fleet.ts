import { plural } from "./report.ts";

/** Every sentence that the fleet's commands say. */
export const fleetMessages = {
  added: (fresh: number, known: number): string =>
    known === 0
      ? `${repositories(fresh)} added to the fleet.`
      : `${repositories(fresh)} added to the fleet, ${known} already in it.`,
  states: (states: Readonly<Record<string, number>>): string => {
    const all = Object.entries(states).map(([state, count]) => `${state} ${count}`);
    return all.length === 0 ? "The fleet is empty." : all.join(", ");
  },
  queue: (depth: QueueCounts, draining: boolean): string =>
    `queue: ${depth.waiting} waiting, ${depth.deferred} for later, ${depth.active} at work, ${depth.dead} given up${draining ? "; draining" : ""}`,
  workers: (workers: readonly { readonly busy: number; readonly slots: number }[]): string => {
    const busy = workers.reduce((sum, worker) => sum + worker.busy, 0);
    const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
    return `${plural(workers.length, "worker")}, ${busy} of ${slots} slots busy`;
  },
  paused: (host: string, until: Date, why: string | null): string =>
    `${host} rests until ${until.toISOString()}${hostReasons[why ?? ""] ?? ""}; \`suture fleet resume ${host}\` asks it again now`,
  drifted: ({ organisation, name, drift, state }: DriftedRepository): string =>
    `  ${organisation}/${name}  ${plural(drift, "passage")} no longer true (${state})`,
  failing: ({ organisation, name, problem, state }: FailingRepository): string =>
    `  ${organisation}/${name}  ${state}: ${problem ?? "the reason was not kept"}`,
  listed: ({ organisation, name, host, state, drift, paused }: ListedRepository): string =>
    [`${organisation}/${name}`, host, paused ? `${state}, paused` : state, drift].join("\t"),
  deadLetter: (kind: string, repository: string, why: string): string =>
    `  given up: ${kind} of ${repository}: ${why}`,
  removed: (repository: string): string => `${repository} is no longer in the fleet.`,
  moved: (repository: string, url: string): string => `${repository} is now at ${url}.`,
  pausedRepository: (repository: string): string =>
    `${repository} is paused until \`suture fleet resume ${repository}\`.`,
  resumedRepository: (repository: string): string => `${repository} is checked again.`,
  resumedHost: (host: string): string => `${host} is asked again.`,
  queuedAgain: (repository: string): string => `${repository} is in the queue again.`,
  leftForLater: (count: number): string =>
    `${plural(count, "job")} left for the next run: the host rests, or the job failed three times.`,
  retried: (count: number): string => `${plural(count, "job")} back in the queue.`,
  cancelled: (count: number): string => `${plural(count, "job")} cancelled.`,
  resumed: "Jobs are handed out again.",
  drained: (waiting: number): string =>
    `Nothing is at work; ${plural(waiting, "job")} wait for \`suture fleet drain --resume\`.`,
  draining: (active: number): string => `… ${plural(active, "job")} at work`,
  spent: (organisation: string, { tokens, costUsd }: { tokens: number; costUsd: number }): string =>
    `${organisation} has spent $${costUsd.toFixed(4)} and ${tokens} tokens today.`,
  released: (count: number): string => (count === 1 ? "Given back." : "There is no such lease."),
  leased: ({ until, fence }: { readonly until: Date; readonly fence: number }): string =>
    `Yours until ${until.toISOString()} under number ${fence}.`,
  collected: ({ runs, deliveries, freed }: CollectedCounts): string =>
    `${plural(runs, "run")} and ${plural(deliveries, "webhook")} forgotten.${freed > 0 ? ` Clones of ${Math.ceil(freed / 1e6)} MB deleted.` : ""}`,
  serving: (url: string): string => `The fleet is at ${url}`,
  servingWithOwnToken: (url: string): string => `The fleet is at ${url}; the token is SUTURE_FLEET_TOKEN`,
  servingWithToken: (url: string, tokenFile: string): string =>
    `The fleet is at ${url}; the token is in ${tokenFile}`,
  failedRepositories: (count: number): string =>
    `${count} could not be worked on; \`suture fleet status\` says why.`,
};

const hostReasons: Readonly<Record<string, string>> = {
  busy: ", as it asked",
  away: ", because it could not be reached",
  token: ", because it refuses the token",
};

function repositories(count: number): string {
  return count === 1 ? "1 repository" : `${count} repositories`;
}

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
  readonly state: string;
};
