import { printTable } from "../report.ts";
import figures from "./figures.json" with { type: "json" };

// Usage: node bench/fleet/scale.ts [REPOSITORIES] [PUSHES_PER_MINUTE] [SHARE_WITH_DRIFT]
// What a fleet needs, worked out from the figures that `npm run bench:fleet` has measured.

/** What cannot be measured here, and is assumed. */
const assumed = {
  /** Seconds a fetch over a network takes; a slot waits for it. */
  fetchSeconds: 1.5,
  /**
   * Seconds of CPU for the check of a repository of real size. The generated ones are small; `suture check` on
   * your own says what to put here.
   */
  checkSeconds: 0.5,
  /** How much of a core may be used on average. */
  utilisation: 0.5,
  /** Megabytes of a clone without the contents of old files. */
  cloneMb: 30,
  /** Requests an hour that a provider lets one installation make. */
  hourlyRequests: 5000,
  /** Connections a process opens at most. */
  connections: 8,
  slots: 4,
};

export function estimate(repositories: number, pushesPerMinute: number, drift: number) {
  const checks = pushesPerMinute / 60 + repositories / 86_400;
  const publications = (pushesPerMinute / 60) * drift;
  const jobs = checks + 2 * publications;
  const smallSeconds = (figures.workerCpuMs + figures.gitCpuMs) / 1000;
  const workerCores = (checks * assumed.checkSeconds + 2 * publications * smallSeconds) / assumed.utilisation;
  const slots =
    checks * (assumed.fetchSeconds + assumed.checkSeconds / assumed.utilisation) +
    2 * publications * (assumed.fetchSeconds / 2 + smallSeconds / assumed.utilisation);
  const processes = Math.max(Math.ceil(workerCores), Math.ceil(slots / assumed.slots));
  const databaseCores = (jobs * figures.databaseCpuMs) / 1000 / assumed.utilisation;
  return {
    "jobs a second": jobs,
    "worker cores": workerCores,
    "slots busy on average": slots,
    "worker processes": processes,
    "worker memory, GB": (processes * figures.workerMemoryMb) / 1000,
    "database cores": databaseCores,
    "statements a second": jobs * figures.roundTrips,
    connections: processes * assumed.connections,
    "audit store, GB a year": (jobs * figures.storedBytes * 86_400 * 365) / 1e9,
    "clones, TB": (repositories * assumed.cloneMb) / 1e6,
    "API requests an hour": publications * figures.requestsPerPublication * 3600,
    "installations at the provider's limit":
      (publications * figures.requestsPerPublication * 3600) / assumed.hourlyRequests,
    "jobs a second that one database core can do": 1000 / figures.databaseCpuMs,
  };
}

if (import.meta.main) {
  const [repositories = 100_000, pushes = 1000, drift = 0.1] = process.argv.slice(2).map(Number);
  console.log(
    `${repositories} repositories, ${pushes} pushes a minute, ${drift * 100} % of them make a page false\n`,
  );
  const rows = Object.entries(estimate(repositories, pushes, drift)).map(([name, value]) => [
    name,
    value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(1),
  ]);
  console.log(printTable(["need", ""], rows));
}
