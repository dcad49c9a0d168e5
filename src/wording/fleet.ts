import { plural } from "./report.ts";

/** Every sentence that the fleet's commands say. */
export const fleetMessages = {
  added: (count: number): string =>
    count === 1 ? "1 repository in the fleet." : `${count} repositories in the fleet.`,
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
  paused: (host: string, until: Date): string => `${host} rests until ${until.toISOString()}`,
  drifted: ({ organisation, name, drift, state }: DriftedRepository): string =>
    `  ${organisation}/${name}  ${plural(drift, "passage")} no longer true (${state})`,
  deadLetter: ({ kind, repository }: { readonly kind: string; readonly repository: number }, why: string) =>
    `  given up: ${kind} of repository ${repository}: ${why}`,
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
  collected: ({ runs, deliveries }: { readonly runs: number; readonly deliveries: number }): string =>
    `${plural(runs, "run")} and ${plural(deliveries, "webhook")} forgotten.`,
  serving: (url: string): string => `The fleet is at ${url}`,
  servingWithToken: (url: string, tokenFile: string): string =>
    `The fleet is at ${url}; the token is in ${tokenFile}`,
  failedRepositories: (count: number): string =>
    `${count} could not be worked on; \`suture fleet status\` says why.`,
};

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
