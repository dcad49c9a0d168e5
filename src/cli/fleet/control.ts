import { setBudget, spentToday } from "../../fleet/store/budgets.ts";
import { acquireLease, releaseLeases } from "../../fleet/store/leases.ts";
import { setDraining } from "../../fleet/store/repositories.ts";
import { forget } from "../../fleet/store/runs.ts";
import { plural } from "../../wording/report.ts";
import { type Call, exit, isSet, numberOf, textOf } from "../command.ts";
import { misuse } from "../usage-error.ts";
import { decline } from "../with-project.ts";
import { locateRepository, withFleet } from "./with-fleet.ts";

/** `fleet retry`: what was given up is tried again. */
export function retry(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const count = await fleet.queue.revive();
    return answer(call, { retried: count }, `${plural(count, "job")} back in the queue.`);
  });
}

/** `fleet cancel ORG/REPO` */
export function cancel(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const repository = await locateRepository(fleet, call.operands[0]);
    if (!repository.ok) return decline(call.terminal, "fleet", repository.refusal);
    const count = await fleet.queue.cancel(repository.value.id);
    return answer(call, { cancelled: count }, `${plural(count, "job")} cancelled.`);
  });
}

/** `fleet drain`: no more jobs are handed out; ends when those at work have ended. */
export function drain(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const resume = isSet(call.options, "resume");
    await setDraining(fleet.ask, !resume);
    if (resume) return answer(call, { draining: false }, "Jobs are handed out again.");
    for (;;) {
      const { active, waiting } = await fleet.queue.depth();
      if (active === 0)
        return answer(
          call,
          { draining: true, waiting },
          `Nothing is at work; ${plural(waiting, "job")} wait for \`suture fleet drain --resume\`.`,
        );
      call.terminal.remark(`… ${plural(active, "job")} at work`);
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  });
}

/** `fleet budget ORG`: what it may spend a day, and what it has spent today. */
export async function budget(call: Call): Promise<number> {
  const [organisation] = call.operands;
  const usd = textOf(call.options, "usd");
  if (organisation === undefined)
    return misuse(call.terminal, "usage: suture fleet budget ORG [--usd N] [--tokens N]");
  if (usd !== undefined && !/^\d{1,9}(\.\d{1,6})?$/.test(usd))
    return misuse(call.terminal, "--usd takes an amount in dollars");
  return withFleet(call, async (fleet) => {
    if (usd !== undefined || isSet(call.options, "tokens"))
      await setBudget(fleet.ask, organisation, {
        dailyUsd: usd === undefined ? null : Number(usd),
        dailyTokens: numberOf(call.options, "tokens") ?? null,
      });
    const spent = await spentToday(fleet.ask, organisation);
    return answer(
      call,
      { organisation, spent },
      `${organisation} has spent $${spent.costUsd.toFixed(4)} and ${spent.tokens} tokens today.`,
    );
  });
}

/** `fleet lease`: lines of a page for one holder, so that agents on different machines keep out of each other's way. */
export async function lease(call: Call): Promise<number> {
  const { operands, options, terminal } = call;
  const release = numberOf(options, "release");
  const place = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(operands[1] ?? "");
  const holder = textOf(options, "holder");
  if (release === undefined && (!place || holder === undefined))
    return misuse(terminal, "usage: suture fleet lease ORG/REPO PATH:START-END --holder NAME");
  return withFleet(call, async (fleet) => {
    if (release !== undefined) {
      const count = await releaseLeases(fleet.ask, [release]);
      return answer(call, { released: count }, count === 1 ? "Given back." : "There is no such lease.");
    }
    const repository = await locateRepository(fleet, operands[0]);
    if (!repository.ok) return decline(terminal, "fleet", repository.refusal);
    const taken = await acquireLease(fleet.ask, {
      repository: repository.value.id,
      path: place![1]!,
      startLine: Number(place![2]),
      endLine: Number(place![3] ?? place![2]),
      holder: holder!,
      reason: textOf(options, "reason") ?? "",
      seconds: numberOf(options, "seconds") ?? 60,
    });
    if (!taken.ok) return decline(terminal, "fleet", taken.refusal);
    return answer(
      call,
      taken.value,
      `Yours until ${taken.value.until.toISOString()} under number ${taken.value.fence}.`,
    );
  });
}

/** `fleet gc`: forgets old runs. */
export function collect(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const gone = await forget(fleet.ask, numberOf(call.options, "days") ?? 365);
    return answer(
      call,
      gone,
      `${plural(gone.runs, "run")} and ${plural(gone.deliveries, "webhook")} forgotten.`,
    );
  });
}

function answer({ terminal }: Call, value: object, text: string): number {
  if (terminal.json) terminal.printJson({ success: true, ...value });
  else terminal.print(text);
  return exit.done;
}
