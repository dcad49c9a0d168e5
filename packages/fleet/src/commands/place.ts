import { type Call, nearest } from "suture/service";
import { accept, type Outcome, refuse } from "suture/text";
import type { Fleet } from "../fleet.ts";
import { listOrganisations } from "../serve/repository-list.ts";
import type { SettingsScope } from "../settings/stored-settings.ts";
import type { Repository } from "../store/repositories.ts";
import { fleetMessages } from "../wording/messages.ts";
import { locateRepository } from "./with-fleet.ts";

/** A place that has settings, and its repository if it is one. */
export type FleetPlace = { readonly scope: SettingsScope; readonly repository: Repository | null };

/**
 * `*` is the whole fleet. A name with a slash is a group if the fleet has that group inside a group, and else a
 * repository.
 */
export async function locatePlace(fleet: Fleet, place: string): Promise<Outcome<FleetPlace>> {
  if (place === "*") return accept({ scope: "fleet", repository: null });
  const isGroup = !place.includes("/") || (await hasOrganisation(fleet, place));
  if (isGroup) return accept({ scope: { organisation: place }, repository: null });
  const found = await locateRepository(fleet, place);
  return found.ok ? accept({ scope: { repository: found.value.id }, repository: found.value }) : found;
}

/** The same, for actions on repositories: an organisation that the fleet does not have is refused. */
export async function locateKnownPlace(fleet: Fleet, place: string): Promise<Outcome<FleetPlace>> {
  const located = await locatePlace(fleet, place);
  if (!located.ok || located.value.scope === "fleet" || located.value.repository !== null) return located;
  if (await hasOrganisation(fleet, place)) return located;
  const meant = nearest(place, await listOrganisations(fleet.query, null));
  return refuse({
    code: "malformed",
    what: `the fleet has no organisation ${place}`,
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  });
}

/** Remarks that no repository of an organisation is in the fleet: the name may be misspelt. */
export async function remarkUnknown({ terminal }: Call, fleet: Fleet, organisation: string): Promise<void> {
  if (!(await hasOrganisation(fleet, organisation)))
    terminal.remark(fleetMessages.unknownOrganisation(organisation));
}

async function hasOrganisation({ query }: Fleet, name: string): Promise<boolean> {
  const rows = await query(
    "SELECT FROM suture_fleet.repository WHERE lower(organisation) = lower($1) LIMIT 1",
    [name],
  );
  return rows.length > 0;
}
