import { whyLine } from "../../fleet/serve/why.ts";
import { readOverview } from "../../fleet/store/overview.ts";
import * as runs from "../../fleet/store/runs.ts";
import { plural } from "../../wording/report.ts";
import { type Call, exit, numberOf } from "../command.ts";
import { misuse } from "../usage-error.ts";
import { decline } from "../with-project.ts";
import { printStates } from "./serve.ts";
import { locateRepository, withFleet } from "./with-fleet.ts";

/** `fleet status` */
export function status(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const { terminal, options } = call;
    const overview = await readOverview(fleet, { most: numberOf(options, "most") ?? 20 });
    const dead = await fleet.queue.dead(20);
    if (terminal.json) {
      terminal.printJson({ ...overview, dead });
      return exit.done;
    }
    const { queue, workers, draining, paused, drifted, states } = overview;
    terminal.print(printStates(states));
    terminal.print(
      `queue: ${queue.waiting} waiting, ${queue.deferred} for later, ${queue.active} at work, ${queue.dead} given up${draining ? "; draining" : ""}`,
    );
    terminal.print(
      `${plural(workers.length, "worker")}, ${workers.reduce((sum, { busy }) => sum + busy, 0)} of ${workers.reduce((sum, { slots }) => sum + slots, 0)} slots busy`,
    );
    for (const { name, paused_until } of paused)
      terminal.print(`${name} rests until ${paused_until.toISOString()}`);
    for (const { organisation, name, drift, state } of drifted)
      terminal.print(`  ${organisation}/${name}  ${plural(drift, "passage")} no longer true (${state})`);
    for (const { job, why } of dead)
      terminal.print(`  given up: ${job.kind} of repository ${job.repository}: ${why}`);
    return exit.done;
  });
}

/** `fleet why ORG/REPO PATH:LINE` */
export async function why(call: Call): Promise<number> {
  const { terminal, operands } = call;
  const place = /^(.+):(\d{1,9})$/.exec(operands[1] ?? "");
  if (operands.length !== 2 || !place) return misuse(terminal, "usage: suture fleet why ORG/REPO PATH:LINE");
  return withFleet(call, async (fleet) => {
    const repository = await locateRepository(fleet, operands[0]);
    if (!repository.ok) return decline(terminal, "fleet", repository.refusal);
    const said = await whyLine(fleet, repository.value, place[1]!, Number(place[2]));
    return tell(call, said, `nothing is known about ${operands[1]}`);
  });
}

/** `fleet search WORDS…` */
export function search(call: Call): Promise<number> {
  const words = call.operands.join(" ");
  if (words.trim() === "") return Promise.resolve(misuse(call.terminal, "usage: suture fleet search WORDS…"));
  return withFleet(call, async (fleet) =>
    tell(
      call,
      await runs.searchReasons(fleet.ask, words, numberOf(call.options, "most") ?? 50),
      "no reason says that",
    ),
  );
}

function tell({ terminal }: Call, said: readonly runs.Said[], otherwise: string): number {
  if (terminal.json) terminal.printJson(said);
  for (const { organisation, name, path, startLine, message, run, ended, url, fixed } of said) {
    terminal.print(`${organisation}/${name} ${path}:${startLine} ${message}`);
    terminal.print(`  ${fixed ? "edited" : "found"} ${ended.toISOString()} in ${run}${url ? ` ${url}` : ""}`);
  }
  if (said.length === 0) terminal.remark(otherwise);
  return said.length > 0 ? exit.done : exit.refused;
}

const atOnce = 200;

/** `fleet export`: every run as a line of JSON. */
export function exportRuns(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    let after = "";
    for (;;) {
      const page = await runs.exportRuns(fleet.ask, after, atOnce);
      for (const run of page) call.terminal.printExactly(`${JSON.stringify(run)}\n`);
      if (page.length < atOnce) return exit.done;
      after = page.at(-1)!.id;
    }
  });
}
