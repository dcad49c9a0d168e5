// How many bytes Suture adds to what each coding agent sends to its model:
//
//     npm run bench:clients
//
// The published clients run offline with a scripted model (`npm run clients` fetches them). Each figure is the second request
// of a turn: without Suture, with its hooks, with its plugin (hooks, skills, MCP server).
import { findClient } from "../src/agent-hooks/clients/registry.ts";
import { type Loading, pluginLoadings } from "../test/clients/plugin-loadings.ts";
import { ClientTrial, reasonToSkip } from "../test/clients/session.ts";
import { printTable } from "./report.ts";

const names = Object.keys(pluginLoadings) as (keyof typeof pluginLoadings)[];
const rows: string[][] = [];
for (const name of names) {
  const why = reasonToSkip(name);
  if (why !== null) console.log(`${name} is left out: ${why}`);
  else rows.push(measure(name));
}
console.log(printTable(["client", "alone", "with hooks", "with plugin", "plugin adds"], rows));

function measure(name: (typeof names)[number]): string[] {
  const alone = requestSize(name, {}, false);
  const hooked = requestSize(name, {}, true);
  const plugin = requestSize(name, pluginLoadings[name], false);
  return [
    findClient(name)!.title,
    ...[alone, hooked, plugin].map((bytes) => `${bytes} bytes`),
    `${(((plugin - alone) / alone) * 100).toFixed(1)} %`,
  ];
}

/** The size of the second request of a turn: by then the client has waited for its servers. */
function requestSize(name: (typeof names)[number], loading: Loading, hooks: boolean): number {
  using trial = new ClientTrial(name);
  if (hooks) trial.suture("agent", "install", "--target", name, "--command", "suture");
  const requests = trial.run([trial.shell("true"), { say: "Done." }], loading);
  return Buffer.byteLength(requests[1]?.body ?? "");
}
