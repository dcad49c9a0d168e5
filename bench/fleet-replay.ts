import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { listMirrors, printReplay, replay } from "./fleet/replay.ts";

// Usage: node bench/fleet-replay.ts --mirrors DIR [--names A+B,C+D] [--commits 60] [--step 10] [--report FILE]
// Replays real repositories through the fleet, with a stand-in for GitHub, and prints every edit that it publishes.
const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env.MIRROR ?? "" },
    names: { type: "string" },
    commits: { type: "string", default: "60" },
    step: { type: "string", default: "10" },
    report: { type: "string" },
  },
});

if (values.mirrors === "") {
  console.log("bench:fleet-replay needs a folder of bare mirrors: --mirrors DIR, or MIRROR=DIR");
  process.exit(0);
}
const found = await replay({
  mirrors: values.mirrors,
  names: values.names?.split(",") ?? listMirrors(values.mirrors),
  commits: Number(values.commits),
  step: Number(values.step),
});
console.log(printReplay(found));
if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify(found, null, 2)}\n`);
