import { describeChanges } from "./changes-suite.ts";
import { describeDashboard } from "./dashboard-suite.ts";
import { describeDecisions } from "./decisions-suite.ts";
import { describeRollout } from "./rollout-suite.ts";
import { describeSettings } from "./settings-suite.ts";
import { describeFleet } from "./suite.ts";
import { describeHosts } from "./suite-hosts.ts";
import { describePeople } from "./suite-people.ts";

describeFleet("the embedded database", async () => ({}));
describeHosts("the embedded database", async () => ({}));
describeSettings("the embedded database", async () => ({}));
describeRollout("the embedded database", async () => ({}));
describeChanges("the embedded database", async () => ({}));
describeDecisions("the embedded database", async () => ({}));
describeDashboard("the embedded database", async () => ({}));
describePeople("the embedded database", async () => ({}));
