import { userInfo } from "node:os";
import { type Call, decline, exit, isSet, numberOf, optionText as textOf, usageError } from "suture/service";
import { accept, type Outcome } from "suture/text";
import type { Fleet } from "../fleet.ts";
import { approveRollout, previewRollout, type RolloutSelection, stopRollout } from "../rollout/rollout.ts";
import { fleetMessages } from "../wording/messages.ts";
import { printPreview, summarizePreview } from "../wording/preview.ts";
import { locateKnownPlace } from "./place.ts";
import { withFleet } from "./with-fleet.ts";

/** `fleet preview [ORG|ORG/REPO] [--cause TEXT]`: what would be published. */
export function preview(call: Call): Promise<number> {
  return onSelection(call, async (fleet, selection) => {
    const { terminal } = call;
    const found = await previewRollout(fleet, selection);
    if (terminal.json) terminal.printJson({ ...summarizePreview(found), repositories: found });
    else for (const line of printPreview(found)) terminal.print(line);
    return exit.done;
  });
}

/** `fleet approve ORG|ORG/REPO|--cause TEXT|--all [--most N]`: publishes edits that wait for a person. */
export async function approve(call: Call): Promise<number> {
  const { operands, options, terminal } = call;
  if (operands.length === 0 && !isSet(options, "cause") && !isSet(options, "all"))
    return usageError(terminal, "name an organisation, a repository or a --cause, or use --all");
  return onSelection(call, async (fleet, selection) => {
    const counts = await approveRollout(fleet, selection, userInfo().username);
    if (terminal.json) terminal.printJson({ success: true, ...counts });
    else terminal.print(fleetMessages.approved(counts));
    return exit.done;
  });
}

/** `fleet stop [ORG|ORG/REPO]`: publishes nothing more until a person approves it. */
export function stop(call: Call): Promise<number> {
  return onSelection(call, async (fleet, { scope }) => {
    const { terminal } = call;
    const { withdrawn } = await stopRollout(fleet, scope);
    if (terminal.json) terminal.printJson({ success: true, withdrawn });
    else terminal.print(fleetMessages.stopped(call.operands[0], withdrawn));
    return exit.done;
  });
}

function onSelection(
  call: Call,
  work: (fleet: Fleet, selection: RolloutSelection) => Promise<number>,
): Promise<number> {
  return withFleet(call, async (fleet) => {
    const selection = await selectionOf(call, fleet);
    return selection.ok ? work(fleet, selection.value) : decline(call.terminal, "fleet", selection.refusal);
  });
}

async function selectionOf({ operands, options }: Call, fleet: Fleet): Promise<Outcome<RolloutSelection>> {
  const place = await locateKnownPlace(fleet, operands[0] ?? "*");
  if (!place.ok) return place;
  const { scope } = place.value;
  return accept({ scope, cause: textOf(options, "cause"), most: numberOf(options, "most") });
}
