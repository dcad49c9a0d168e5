import { type Call, decline, exit, isSet, numberOf, optionText as textOf, usageError } from "suture/service";
import { parseGiven, refuseMissing } from "../clones/import.ts";
import type { Fleet } from "../fleet.ts";
import { resumeRepository, retryRepository } from "../queue/by-hand.ts";
import { setBudget, spentToday } from "../store/budgets.ts";
import { resumeHost } from "../store/hosts.ts";
import { acquireLease, releaseLeases } from "../store/leases.ts";
import {
  moveRepository,
  type Repository,
  removeRepository,
  setDraining,
  setPaused,
} from "../store/repositories.ts";
import { deleteOldRuns } from "../store/runs.ts";
import { fleetMessages } from "../wording/messages.ts";
import { remarkUnknown } from "./place.ts";
import { locateRepository, withFleet } from "./with-fleet.ts";

/** `fleet retry [ORG/REPO]`: moves the dead letters back into the queue, or checks one repository again. */
export function retry(call: Call): Promise<number> {
  if (call.operands.length > 0) return onRepository(call, retryOne);
  return withFleet(call, async (fleet) => {
    const count = await fleet.queue.retryDeadLetters();
    return answer(call, { retried: count }, fleetMessages.retried(count));
  });
}

async function retryOne(call: Call, fleet: Fleet, repository: Repository): Promise<number> {
  await retryRepository(fleet, repository);
  return answer(call, { retried: 1 }, fleetMessages.queuedAgain(nameOf(repository)));
}

/** `fleet remove ORG/REPO` */
export function remove(call: Call): Promise<number> {
  return onRepository(call, async (_, fleet, repository) => {
    await fleet.queue.cancel(repository.id);
    await fleet.queue.dropDeadLetters(repository.id);
    await removeRepository(fleet.query, repository.id);
    return answer(call, { removed: nameOf(repository) }, fleetMessages.removed(nameOf(repository)));
  });
}

/** `fleet move ORG/REPO URL`: the repository has another address now. */
export function move(call: Call): Promise<number> {
  return onRepository(call, async (_, fleet, repository) => {
    const address = parseGiven(call.operands[1] ?? "");
    if (!address.ok) return decline(call.terminal, "fleet", address.refusal);
    const missing = await refuseMissing(address.value, call.operands[1] ?? "");
    if (missing) return decline(call.terminal, "fleet", missing);
    const moved = await moveRepository(fleet.query, repository.id, address.value);
    if (moved === null)
      return decline(call.terminal, "fleet", {
        code: "malformed",
        what: `${address.value.url} is in the fleet already`,
      });
    return answer(call, { repository: moved }, fleetMessages.moved(nameOf(repository), moved.url));
  });
}

/** `fleet pause ORG/REPO`: no more checks until it is resumed. */
export function pause(call: Call): Promise<number> {
  return onRepository(call, async (_, fleet, repository) => {
    await setPaused(fleet.query, repository.id, true);
    return answer(call, { paused: nameOf(repository) }, fleetMessages.pausedRepository(nameOf(repository)));
  });
}

/** `fleet resume HOST|HOST/ORG|ORG/REPO` */
export function resume(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const [given = ""] = call.operands;
    if (await resumeHost(fleet.query, given)) {
      await fleet.queue.startDeferred(given);
      return answer(call, { resumed: given }, fleetMessages.resumedHost(given));
    }
    if (!given.includes("/"))
      return decline(call.terminal, "fleet", { code: "malformed", what: `no paused host is named ${given}` });
    const repository = await locateRepository(fleet, given);
    if (!repository.ok) return decline(call.terminal, "fleet", repository.refusal);
    await resumeRepository(fleet, repository.value);
    const name = nameOf(repository.value);
    return answer(call, { resumed: name }, fleetMessages.resumedRepository(name));
  });
}

/** Runs a command on the repository that the first operand names. */
function onRepository(
  call: Call,
  work: (call: Call, fleet: Fleet, repository: Repository) => Promise<number>,
): Promise<number> {
  return withFleet(call, async (fleet) => {
    const repository = await locateRepository(fleet, call.operands[0]);
    if (!repository.ok) return decline(call.terminal, "fleet", repository.refusal);
    return work(call, fleet, repository.value);
  });
}

function nameOf({ organisation, name }: Repository): string {
  return `${organisation}/${name}`;
}

/** `fleet cancel ORG/REPO` */
export function cancel(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const repository = await locateRepository(fleet, call.operands[0]);
    if (!repository.ok) return decline(call.terminal, "fleet", repository.refusal);
    const count = await fleet.queue.cancel(repository.value.id);
    return answer(call, { cancelled: count }, fleetMessages.cancelled(count));
  });
}

/** `fleet drain`: stops handing out jobs, and waits for the running ones. */
export function drain(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const resume = isSet(call.options, "resume");
    await setDraining(fleet.query, !resume);
    if (resume) return answer(call, { draining: false }, fleetMessages.resumed);
    for (;;) {
      const { active, waiting } = await fleet.queue.depth();
      if (active === 0) return answer(call, { draining: true, waiting }, fleetMessages.drained(waiting));
      call.terminal.remark(fleetMessages.draining(active));
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  });
}

/** `fleet budget ORG`: sets the daily budget, and prints the spending of today. */
export async function budget(call: Call): Promise<number> {
  const [organisation] = call.operands;
  const usd = textOf(call.options, "usd");
  if (organisation === undefined)
    return usageError(call.terminal, "usage: suture fleet budget ORG [--usd N] [--tokens N]");
  if (usd !== undefined && !/^\d{1,9}(\.\d{1,6})?$/.test(usd))
    return usageError(call.terminal, "--usd takes an amount in dollars");
  return withFleet(call, async (fleet) => {
    await remarkUnknown(call, fleet, organisation);
    if (usd !== undefined || isSet(call.options, "tokens"))
      await setBudget(fleet.query, organisation, {
        dailyUsd: usd === undefined ? null : Number(usd),
        dailyTokens: numberOf(call.options, "tokens") ?? null,
      });
    const spent = await spentToday(fleet.query, organisation);
    return answer(call, { organisation, spent }, fleetMessages.spent(organisation, spent));
  });
}

/** `fleet lease`: reserves lines of a page, so that agents on different machines do not edit the same lines. */
export async function lease(call: Call): Promise<number> {
  const { operands, options, terminal } = call;
  const release = numberOf(options, "release");
  const place = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(operands[1] ?? "");
  const holder = textOf(options, "holder");
  if (release === undefined && (!place || holder === undefined))
    return usageError(terminal, "usage: suture fleet lease ORG/REPO PATH:START-END --holder NAME");
  return withFleet(call, async (fleet) => {
    if (release !== undefined) {
      const count = await releaseLeases(fleet.query, [release]);
      return answer(call, { released: count }, fleetMessages.released(count));
    }
    const repository = await locateRepository(fleet, operands[0]);
    if (!repository.ok) return decline(terminal, "fleet", repository.refusal);
    const taken = await acquireLease(fleet.query, {
      repository: repository.value.id,
      path: place![1]!,
      startLine: Number(place![2]),
      endLine: Number(place![3] ?? place![2]),
      holder: holder!,
      reason: textOf(options, "reason") ?? "",
      seconds: numberOf(options, "seconds") ?? 60,
    });
    if (!taken.ok) return decline(terminal, "fleet", taken.refusal);
    return answer(call, taken.value, fleetMessages.leased(taken.value));
  });
}

/** `fleet gc`: deletes old runs. */
export function collect(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const deleted = await deleteOldRuns(fleet.query, numberOf(call.options, "days") ?? 365);
    const gigabytes = numberOf(call.options, "clones");
    const freed = gigabytes === undefined ? 0 : await fleet.mirrors.evict(gigabytes * 1e9);
    return answer(call, { ...deleted, freed }, fleetMessages.collected({ ...deleted, freed }));
  });
}

function answer({ terminal }: Call, value: object, text: string): number {
  if (terminal.json) terminal.printJson({ success: true, ...value });
  else terminal.print(text);
  return exit.done;
}
