/**
 * Hostile repositories × commands: `npm run attack -- [--only TEXT] [--commands TEXT] [--every N] [--from M]`. Every command
 * of the built product runs under strace in every repository. No program but git and node may start, and no file outside
 * the repository, the home folder and the temporary folder of the run may change. Exits with 1 if one did.
 */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { attackRepositories } from "./attack.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    commands: { type: "string", default: "" },
    every: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
  },
});
const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "suture-attack-")));
try {
  const report = await attackRepositories(folder, {
    repositories: values.only,
    commands: values.commands,
    every: Number(values.every),
    from: Number(values.from),
  });
  const { runs, started, writes, hung, bad } = report;
  console.log(`${report.repositories} repositories, ${report.commands} commands, ${runs} runs`);
  console.log(
    `programs started: ${started}, foreign: ${bad.filter(({ what }) => what === "program").length}`,
  );
  console.log(
    `names and files written: ${writes}, outside: ${bad.filter(({ what }) => what === "file").length}`,
  );
  console.log(`commands that did not end: ${hung.length}`);
  for (const { repository, command, path } of bad.slice(0, 40))
    console.log(`BAD ${repository}: ${command}: ${path}`);
  for (const each of hung.slice(0, 20)) console.log(`BAD did not end: ${each}`);
  process.exitCode = bad.length + hung.length === 0 ? 0 : 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
