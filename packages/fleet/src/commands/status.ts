import { type Call, decline, exit, numberOf, optionText as textOf, usageError } from "suture/service";
import { readOverview } from "../serve/overview.ts";
import { explainLine } from "../serve/why.ts";
import { nameDeadLetters } from "../store/dead-letters.ts";
import { findByText } from "../store/repositories.ts";
import * as runs from "../store/runs.ts";
import { fleetMessages } from "../wording/messages.ts";
import { locateRepository, withFleet } from "./with-fleet.ts";

/** `fleet status` */
export function status(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const { terminal, options } = call;
    const overview = await readOverview(fleet, { most: numberOf(options, "most") ?? 20 });
    const dead = await nameDeadLetters(fleet.query, await fleet.queue.listDeadLetters(20));
    if (terminal.json) {
      terminal.printJson({ ...overview, dead });
      return exit.done;
    }
    const { queue, workers, draining, paused, drifted, failing, states } = overview;
    terminal.print(fleetMessages.states(states));
    terminal.print(fleetMessages.queue(queue, draining));
    terminal.print(fleetMessages.workers(workers));
    for (const { name, paused_until, why } of paused)
      terminal.print(fleetMessages.paused(name, paused_until, why));
    for (const repository of drifted) terminal.print(fleetMessages.drifted(repository));
    for (const repository of failing) terminal.print(fleetMessages.failing(repository));
    for (const { job, repository, why } of dead)
      terminal.print(fleetMessages.deadLetter(job.kind, repository, why));
    return exit.done;
  });
}

/** `fleet list [TEXT] [--state STATE]`: every repository, or those whose name contains the text. */
export function list(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const { terminal, options, operands } = call;
    const most = numberOf(options, "most") ?? 10_000;
    const state = textOf(options, "state");
    const found = await findByText(fleet.query, operands[0] ?? "", { most, state });
    if (terminal.json) terminal.printJson(found);
    else for (const repository of found) terminal.print(fleetMessages.listed(repository));
    const isFiltered = state !== undefined || operands.length > 0;
    if (found.length === 0) terminal.remark(isFiltered ? fleetMessages.noneListed : fleetMessages.empty);
    return exit.done;
  });
}

/** `fleet why ORG/REPO PATH:LINE` */
export async function why(call: Call): Promise<number> {
  const { terminal, operands } = call;
  const place = /^(.+):(\d{1,9})$/.exec(operands[1] ?? "");
  if (operands.length !== 2 || !place)
    return usageError(terminal, "usage: suture fleet why ORG/REPO PATH:LINE");
  return withFleet(call, async (fleet) => {
    const repository = await locateRepository(fleet, operands[0]);
    if (!repository.ok) return decline(terminal, "fleet", repository.refusal);
    const said = await explainLine(fleet, repository.value, place[1]!, Number(place[2]));
    return printReasons(call, said, `nothing is known about ${operands[1]}`);
  });
}

/** `fleet search WORDS…` */
export function search(call: Call): Promise<number> {
  const words = call.operands.join(" ");
  if (words.trim() === "")
    return Promise.resolve(usageError(call.terminal, "usage: suture fleet search WORDS…"));
  return withFleet(call, async (fleet) =>
    printReasons(
      call,
      await runs.searchReasons(fleet.query, words, { most: numberOf(call.options, "most") ?? 50 }),
      "no reason says that",
    ),
  );
}

function printReasons({ terminal }: Call, said: readonly runs.Reason[], otherwise: string): number {
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
      const page = await runs.exportRuns(fleet.query, after, atOnce);
      for (const run of page) call.terminal.printExactly(`${JSON.stringify(run)}\n`);
      if (page.length < atOnce) return exit.done;
      after = page.at(-1)!.id;
    }
  });
}
