import { expect, test } from "vitest";
import { measureFaults } from "../../../bench/fleet/faults.ts";
import { openSite } from "../../../bench/fleet/site.ts";
import { measureStorm } from "../../../bench/fleet/storm.ts";
import { findPostgres } from "./cluster.ts";

if (findPostgres() === null) test.skip("faults and storms: there is no PostgreSQL server here");
else {
  test("with killed workers, a stopped database and a failing host, no job is lost, doubled or stuck", async () => {
    const site = await openSite(6, 2);
    try {
      const report = await measureFaults(site, { workers: 2, restarts: 1, pause: 4000 });
      expect(report).toMatchObject({
        lost: 0,
        duplicated: 0,
        stuck: 0,
        dead: 0,
        wrong: 0,
        states: { open: 6 },
      });
    } finally {
      await site.close();
    }
  });

  test("a small storm of webhooks queues the right jobs once", async () => {
    const site = await openSite(5, 2);
    try {
      const { genuine, jobs, strangers, statuses } = await measureStorm(site, 500);
      expect({ jobs, strangers }).toEqual({ jobs: genuine, strangers: 0 });
      expect(statuses[503]).toBeUndefined();
    } finally {
      await site.close();
    }
  });
}
