import { afterAll, test } from "vitest";
import { type Cluster, findPostgres, startCluster } from "./cluster.ts";
import { describeFleet } from "./suite.ts";

let cluster: Cluster | undefined;

if (findPostgres() === null)
  test.skip("the fleet on PostgreSQL: there is no server here (Debian: apt-get install postgresql)");
else {
  describeFleet("PostgreSQL", async () => {
    cluster = await startCluster();
    return { url: cluster.url };
  });
  afterAll(() => cluster?.stop());
}
