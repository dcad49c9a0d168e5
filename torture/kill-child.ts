// `node kill-child.ts ROOT WORKLOAD [K]` runs the workload in ROOT and kills itself before its mutating operation K. It
// prints `answered` when the engine has reported success, and at the end the number of operations.
import { writeSync } from "node:fs";
import { diskFiles } from "../src/workspace/files/disk-files.ts";
import { watch } from "./interpose.ts";
import { naively } from "./naive.ts";
import { perform } from "./rehearsal.ts";
import { locateWorkload } from "./workloads.ts";

const [root, name, at = "-1", how] = process.argv.slice(2) as [string, string, string?, string?];
process.umask(0o022);
let operations = 0;
const files = watch(diskFiles(), (index) => {
  operations++;
  if (index === Number(at)) process.kill(process.pid, "SIGKILL");
});
const workload = locateWorkload(name);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const outcome =
  how === "naive"
    ? await naively(files, root, workload)
    : await perform(root, files, workload, ({ ok }) => say(ok ? "answered" : "refused"));
if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
say(`operations ${operations}`);
