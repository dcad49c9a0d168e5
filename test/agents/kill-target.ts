import { runDocumentation } from "../../src/agents/documentation.ts";
import { openBench } from "../../src/agents/open-bench.ts";

// A run of its own process, for tests that kill it.
const opened = await openBench({
  root: process.argv[2]!,
  environment: process.env,
  review: false,
  report: () => {},
});
if (opened.ok) await runDocumentation(opened.value.bench, { command: "documentation", output: "docs" });
