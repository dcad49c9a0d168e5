import type { FleetSettings } from "suture/service";
import type { Query } from "../store/database.ts";
import type { SettingsLayers } from "./resolve.ts";

/** What settings are for: all repositories, an organisation, or one repository. */
export type SettingsScope = "fleet" | { readonly organisation: string } | { readonly repository: number };

/** The settings that the fleet keeps for a repository, by the place that has them. */
export async function readSettings(
  query: Query,
  { id, organisation }: { readonly id: number; readonly organisation: string },
): Promise<Omit<SettingsLayers, "file">> {
  const [row] = await query<Record<keyof SettingsLayers, FleetSettings | null>>(
    `SELECT (SELECT settings FROM suture_fleet.desk) AS fleet,
       (SELECT settings FROM suture_fleet.organisation WHERE lower(name) = lower($2) AND settings IS NOT NULL LIMIT 1) AS organisation,
       (SELECT settings FROM suture_fleet.repository WHERE id = $1) AS repository`,
    [id, organisation],
  );
  return {
    fleet: row?.fleet ?? {},
    organisation: row?.organisation ?? {},
    repository: row?.repository ?? {},
  };
}

/** The settings of one place alone. */
export async function readScope(query: Query, scope: SettingsScope): Promise<FleetSettings> {
  const [row] = await selectScope(query, scope);
  return row?.settings ?? {};
}

type StoredSettings = { readonly settings: FleetSettings | null };

function selectScope(query: Query, scope: SettingsScope) {
  const select = "SELECT settings FROM suture_fleet.";
  if (scope === "fleet") return query<StoredSettings>(`${select}desk`);
  if ("repository" in scope)
    return query<StoredSettings>(`${select}repository WHERE id = $1`, [scope.repository]);
  return query<StoredSettings>(
    `${select}organisation WHERE lower(name) = lower($1) AND settings IS NOT NULL LIMIT 1`,
    [scope.organisation],
  );
}

/** Replaces the settings of one place. */
export async function writeSettings(
  query: Query,
  scope: SettingsScope,
  settings: FleetSettings,
): Promise<void> {
  const value = Object.keys(settings).length === 0 ? null : JSON.stringify(settings);
  if (scope === "fleet") await query("UPDATE suture_fleet.desk SET settings = $1::text::jsonb", [value]);
  else if ("repository" in scope)
    await query("UPDATE suture_fleet.repository SET settings = $2::text::jsonb WHERE id = $1", [
      scope.repository,
      value,
    ]);
  else await writeOrganisation(query, scope.organisation, value);
}

async function writeOrganisation(query: Query, organisation: string, value: string | null): Promise<void> {
  const known = await query(
    "UPDATE suture_fleet.organisation SET settings = $2::text::jsonb WHERE lower(name) = lower($1) RETURNING 1",
    [organisation, value],
  );
  if (known.length > 0 || value === null) return;
  await query(
    `INSERT INTO suture_fleet.organisation (name, settings) VALUES ($1, $2::text::jsonb)
     ON CONFLICT (name) DO UPDATE SET settings = excluded.settings`,
    [organisation, value],
  );
}

/** Every place that has settings. */
export function listSettings(
  query: Query,
): Promise<{ readonly place: string; readonly settings: FleetSettings }[]> {
  return query(
    `SELECT '*' AS place, settings FROM suture_fleet.desk WHERE settings IS NOT NULL
     UNION ALL SELECT name, settings FROM suture_fleet.organisation WHERE settings IS NOT NULL
     UNION ALL SELECT organisation || '/' || name, settings FROM suture_fleet.repository WHERE settings IS NOT NULL
     ORDER BY place`,
  );
}
