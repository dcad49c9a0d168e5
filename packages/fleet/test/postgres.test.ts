import { afterAll, test } from "vitest";
import { describeChanges } from "./changes-suite.ts";
import { type Cluster, findPostgres, startCluster } from "./cluster.ts";
import { describeDashboard } from "./dashboard-suite.ts";
import { describeDecisions } from "./decisions-suite.ts";
import { describeRollout } from "./rollout-suite.ts";
import { describeSettings } from "./settings-suite.ts";
import { describeFleet } from "./suite.ts";
import { describeHosts } from "./suite-hosts.ts";
import { describePeople } from "./suite-people.ts";

let cluster: Cluster | undefined;

async function openServer(): Promise<{ url: string }> {
  cluster ??= await startCluster();
  return { url: cluster.url };
}

if (findPostgres() === null)
  test.skip("the fleet on PostgreSQL: there is no server here (Debian: apt-get install postgresql)");
else {
  describeFleet("PostgreSQL", openServer);
  describeHosts("PostgreSQL", openServer);
  describeSettings("PostgreSQL", openServer);
  describeRollout("PostgreSQL", openServer);
  describeChanges("PostgreSQL", openServer);
  describeDecisions("PostgreSQL", openServer);
  describeDashboard("PostgreSQL", openServer);
  describePeople("PostgreSQL", openServer);
  afterAll(() => cluster?.stop());
}
