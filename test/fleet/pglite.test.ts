import { describeFleet } from "./suite.ts";
import { describeHosts } from "./suite-hosts.ts";

describeFleet("the embedded database", async () => ({}));
describeHosts("the embedded database", async () => ({}));
