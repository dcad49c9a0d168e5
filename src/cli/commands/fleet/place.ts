import type { Fleet } from "../../../fleet/fleet.ts";
import type { SettingsScope } from "../../../fleet/settings/stored-settings.ts";
import type { Repository } from "../../../fleet/store/repositories.ts";
import { accept, type Outcome } from "../../../text/model/outcome.ts";
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

async function hasOrganisation({ query }: Fleet, name: string): Promise<boolean> {
  const rows = await query(
    "SELECT FROM suture_fleet.repository WHERE lower(organisation) = lower($1) LIMIT 1",
    [name],
  );
  return rows.length > 0;
}
