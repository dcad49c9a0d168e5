import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { queueDue } from "../src/queue/scheduler.ts";
import { writeSettings } from "../src/settings/stored-settings.ts";
import { listRepositories } from "../src/store/repositories.ts";
import { exportRuns } from "../src/store/runs.ts";
import { type Cluster, findPostgres, startCluster } from "./cluster.ts";
import { TestFleet } from "./test-fleet.ts";

const bin = findPostgres();
const clusters: Cluster[] = [];
afterAll(async () => {
  for (const cluster of clusters) await cluster.stop();
});

async function startServer(): Promise<{ readonly url: string }> {
  const cluster = await startCluster();
  clusters.push(cluster);
  return { url: cluster.url };
}

if (bin === null)
  test.skip("backup and restore: there is no PostgreSQL here (Debian: apt-get install postgresql)");
else
  describe("backup and restore", () => {
    const tried = new TestFleet(startServer);

    test("a fleet that is restored from a dump knows what it has published, and publishes nothing twice", async () => {
      await writeSettings(tried.fleet.query, "fleet", { labels: ["docs"] });
      const { repository } = await tried.add("restored");
      const waits = await tried.add("restored");
      await tried.check(repository);
      await tried.fleet.queue.add([
        {
          kind: "check",
          repository: waits.repository.id,
          organisation: "restored",
          commit: null,
          cause: "nightly",
        },
      ]);
      const from = tried.url ?? "";
      const dump = execFileSync(join(bin, "pg_dump"), ["--format=custom", "--dbname", from], {
        maxBuffer: 1 << 28,
      });
      const { url } = await startServer();
      execFileSync(join(bin, "pg_restore"), ["--exit-on-error", "--dbname", url], { input: dump });
      // The clones are not in the backup: another machine fetches them again.
      const restored = await tried.openAnother(join(tried.folder, "another"), { url });
      try {
        expect(await listRepositories(restored.query)).toEqual(await listRepositories(tried.fleet.query));
        expect(await exportRuns(restored.query, "", 100)).toEqual(
          await exportRuns(tried.fleet.query, "", 100),
        );
        await queueDue(restored, 86_400);
        await tried.run(restored);
        expect(tried.shelf(repository).pulls).toMatchObject([{ state: "open", labels: ["docs"] }]);
        expect(tried.shelf(waits.repository).pulls).toMatchObject([{ state: "open", labels: ["docs"] }]);
      } finally {
        await restored.close();
      }
    });
  });
