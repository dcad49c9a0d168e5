import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findPostgres } from "../packages/fleet/test/cluster.ts";
import { measureFairness, printFairness } from "./fleet/fairness.ts";
import { measureFaults, printFaults } from "./fleet/faults.ts";
import { measureGiant, printGiants } from "./fleet/giant.ts";
import { measureGrowth, printGrowth } from "./fleet/growth.ts";
import { measureLoad, printLoads } from "./fleet/load.ts";
import { measureMemory, printMemory } from "./fleet/memory.ts";
import { openSite } from "./fleet/site.ts";
import { measureSize, printSize } from "./fleet/size.ts";
import { measureStorm, printStorm } from "./fleet/storm.ts";
import { DeadlyRepository, FullDisk, Gate, HostDown, largeRepository } from "./fleet/troubles.ts";

// Usage: node bench/fleet.ts [--load] [--growth] [--faults] [--storm] [--memory JOBS] [--size N] [--giant FILES] [--troubles FILES] [--repositories N] [--workers 1,2,4] [--pool 3] [--slots 2] [--pause MS] [--built] [--report FILE]
// Without a part named, all of them run, except the memory of one worker over so many jobs,
// the size, which fills a database with N repositories and 30 N runs,
// the giant, a repository of so many files among small ones, and the troubles: the faults, and with them such a repository, one
// that ends its workers, a host that is down for an hour, and a full disk. The faults and the troubles run with `--pool` worker
// processes of `--slots` jobs each, and kill one of them every `--pause` milliseconds or later. With `--built` the workers
// run what `npm run build` made.
const { values } = parseArgs({
  options: {
    load: { type: "boolean" },
    growth: { type: "boolean" },
    faults: { type: "boolean" },
    storm: { type: "boolean" },
    memory: { type: "string" },
    size: { type: "string" },
    giant: { type: "string" },
    troubles: { type: "string" },
    pause: { type: "string", default: "5000" },
    pool: { type: "string", default: "3" },
    slots: { type: "string", default: "2" },
    built: { type: "boolean" },
    repositories: { type: "string", default: "1000" },
    workers: { type: "string", default: "1,2,4" },
    deliveries: { type: "string", default: "10000" },
    report: { type: "string" },
  },
});

if (findPostgres() === null) {
  console.log("bench:fleet needs PostgreSQL's server programs (Debian: apt-get install postgresql)");
  process.exit(0);
}

const named = [values.load, values.growth, values.faults, values.storm];
const all = ![...named, values.memory, values.size, values.giant, values.troubles].some(Boolean);
const report: Record<string, unknown> = {};
const pool = {
  workers: Number(values.pool),
  slots: Number(values.slots),
  pause: Number(values.pause),
};
const site = await openSite(Number(values.repositories), 20, values.built ? "build" : "sources");
try {
  if (all || values.load) {
    const loads = [];
    for (const workers of values.workers.split(",").map(Number)) {
      loads.push(await measureLoad(site, workers));
      console.log(`\n${printLoads(loads)}`);
    }
    report.load = loads;
  }
  if (all || values.growth) {
    report.growth = await measureGrowth(site, [0, 1000, 10_000, 100_000]);
    console.log(`\n${printGrowth(report.growth as Awaited<ReturnType<typeof measureGrowth>>)}`);
  }
  if (all || values.growth) {
    const fairness = await measureFairness(site);
    report.fairness = fairness;
    console.log(`\n${printFairness(fairness)}`);
  }
  if (all || values.storm) {
    const storm = await measureStorm(site, Number(values.deliveries));
    report.storm = storm;
    console.log(`\n${printStorm(storm)}`);
  }
  if (values.memory !== undefined) {
    const jobs = Number(values.memory);
    const memory = await measureMemory(
      site,
      [0.05, 0.25, 0.5, 0.75, 1].map((part) => part * jobs),
    );
    report.memory = memory;
    console.log(`\n${printMemory(memory)}`);
  }
  if (values.size !== undefined) {
    const size = await measureSize(site, Number(values.size));
    report.size = size;
    console.log(`\n${printSize(size)}`);
  }
  if (values.giant !== undefined) {
    const giants = [];
    for (const memory of [2048, 128])
      giants.push(await measureGiant(site, { files: Number(values.giant), memory }));
    report.giant = giants;
    console.log(`\n${printGiants(giants)}`);
  }
  if (all || values.faults) {
    const faults = await measureFaults(site, pool);
    report.faults = faults;
    console.log(`\n${printFaults(faults)}`);
  }
  if (values.troubles !== undefined) {
    const troubles = [
      largeRepository(Number(values.troubles)),
      new DeadlyRepository(),
      new HostDown(await Gate.open(), Math.ceil(site.generated.length / 50) + 2),
      new FullDisk(),
    ];
    report.troubles = await measureFaults(site, { ...pool, troubles });
    console.log(`\n${printFaults(report.troubles as Awaited<ReturnType<typeof measureFaults>>)}`);
  }
} finally {
  await site.close();
}
if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify(report, null, 2)}\n`);
