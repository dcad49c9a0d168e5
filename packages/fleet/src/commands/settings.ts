import {
  type Call,
  decline,
  exit,
  fleetSettingsSchema,
  readInput,
  refuseSettings,
  usageError,
} from "suture/service";
import { accept, type Refusal, refuse } from "suture/text";
import type { Fleet } from "../fleet.ts";
import { sourcedSettings } from "../jobs/settings-for.ts";
import { nightly } from "../queue/scheduler.ts";
import type { SourcedSettings } from "../settings/resolve.ts";
import { listSettings, readScope, writeSettings } from "../settings/stored-settings.ts";
import { wakeWaiting } from "../store/decisions.ts";
import { fleetMessages } from "../wording/messages.ts";
import { locatePlace, remarkUnknown } from "./place.ts";
import { locateRepository, withFleet } from "./with-fleet.ts";

/** `fleet settings ['*'|ORG|ORG/REPO [FILE]]`: shows the settings of a place, or replaces them. */
export async function settings(call: Call): Promise<number> {
  const [place, file, ...rest] = call.operands;
  if (rest.length > 0)
    return usageError(call.terminal, "usage: suture fleet settings ['*'|ORG|ORG/REPO [FILE]]");
  return withFleet(call, (fleet) => {
    if (place === undefined) return showAll(call, fleet);
    return file === undefined ? show(call, fleet, place) : replace(call, fleet, { place, file });
  });
}

async function showAll({ terminal }: Call, fleet: Fleet): Promise<number> {
  const all = await listSettings(fleet.query);
  if (terminal.json) terminal.printJson(all);
  else for (const { place, settings } of all) terminal.print(`${place} ${JSON.stringify(settings)}`);
  if (all.length === 0) terminal.remark(fleetMessages.noSettings);
  return exit.done;
}

/** For a repository, the settings that hold and where each comes from; else those of the place alone. */
async function show(call: Call, fleet: Fleet, place: string): Promise<number> {
  const { terminal } = call;
  const located = await locatePlace(fleet, place);
  if (!located.ok) return decline(terminal, "fleet", located.refusal);
  const { scope, repository } = located.value;
  if (repository === null) {
    terminal.printJson(await readScope(fleet.query, scope));
    return exit.done;
  }
  const sourced = await sourcedSettings(fleet, repository, await fleet.mirrors.open(repository));
  if (terminal.json) terminal.printJson(sourced);
  else for (const line of linesOf(sourced)) terminal.print(line);
  return exit.done;
}

function linesOf(sourced: SourcedSettings): string[] {
  return Object.entries(sourced).map(([key, { value, from }]) =>
    fleetMessages.setting({ key, value: JSON.stringify(value), from }),
  );
}

async function replace(
  call: Call,
  fleet: Fleet,
  { place, file }: { readonly place: string; readonly file: string },
): Promise<number> {
  const { terminal } = call;
  const located = await locatePlace(fleet, place);
  if (!located.ok) return decline(terminal, "fleet", located.refusal);
  const text = await readInput(file);
  const parsed = text.ok ? parseSettings(text.value, file === "-" ? "standard input" : file) : text;
  if (!parsed.ok) return decline(terminal, "fleet", parsed.refusal);
  const { scope, repository } = located.value;
  const unknown = await findUnknown(fleet, parsed.value.describes ?? []);
  if (unknown) return decline(terminal, "fleet", unknown);
  if (scope !== "fleet" && "organisation" in scope) await remarkUnknown(call, fleet, scope.organisation);
  await writeSettings(fleet.query, scope, parsed.value);
  // A dry run may be over, or another schedule may hold.
  await wakeWaiting(fleet.query, scope);
  if (repository !== null && parsed.value.describes)
    await fleet.queue.add([{ ...nightly(repository), cause: "hand" }]);
  if (terminal.json) terminal.printJson({ success: true, place, settings: parsed.value });
  else terminal.print(fleetMessages.settingsReplaced(place));
  return exit.done;
}

/** The refusal about a described repository that is not in the fleet. */
async function findUnknown(fleet: Fleet, names: readonly string[]): Promise<Refusal | null> {
  for (const name of names) {
    const found = await locateRepository(fleet, name);
    if (!found.ok) return found.refusal;
  }
  return null;
}

function parseSettings(text: string, name: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse({ code: "malformed", what: `the file ${name} is not JSON: ${(error as Error).message}` });
  }
  const parsed = fleetSettingsSchema.safeParse(value);
  return parsed.success
    ? accept(parsed.data)
    : refuseSettings(parsed.error, { schema: fleetSettingsSchema, name });
}
