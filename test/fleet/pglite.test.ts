import { describeFleet } from "./suite.ts";

describeFleet("the embedded database", async () => ({}));
