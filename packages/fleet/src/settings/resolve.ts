import type { FleetSettings, RepositorySettings, Schedule } from "suture/service";

/** The settings of each place, weakest first: all repositories, the organisation, the repository, its own file. */
export type SettingsLayers = {
  readonly fleet: FleetSettings;
  readonly organisation: FleetSettings;
  readonly repository: FleetSettings;
  /** `suture.config.json` of the repository's main branch. */
  readonly file: RepositorySettings;
};

export type SettingsSource = "default" | keyof SettingsLayers;

/** How the fleet treats one repository. */
export type ResolvedSettings = {
  readonly schedule: Schedule;
  readonly labels: readonly string[];
  readonly reviewers: readonly string[];
  readonly branch: string | null;
  readonly title: string | null;
  readonly draft: boolean;
  readonly grouping: "repository" | "page" | "cause";
  readonly dashboard: boolean;
  readonly dryRun: boolean;
  /** The most open pull requests of the repository, and of its organisation; null without a limit. */
  readonly openRequests: number | null;
  readonly organisationRequests: number | null;
};

/** A value, and the place that set it. */
type Sourced<T> = { readonly value: T; readonly from: SettingsSource };

export type SourcedSettings = { readonly [K in keyof ResolvedSettings]: Sourced<ResolvedSettings[K]> };

/**
 * The one answer to "which setting holds?". Key by key, the repository's own file wins over the fleet's settings for the
 * repository, these over the organisation's, these over those for all. Two keys are different, because a repository may
 * ask for less and never for more: its file can turn `dryRun` on and not off, and lower a limit and not raise it.
 */
export function resolveSettings(layers: SettingsLayers): SourcedSettings {
  return {
    schedule: pick(layers, (one) => one.schedule, {}),
    labels: pick(layers, (one) => one.labels, []),
    reviewers: pick(layers, (one) => one.reviewers, []),
    branch: pick<string | null>(layers, (one) => one.branch, null),
    title: pick<string | null>(layers, (one) => one.title, null),
    draft: pick(layers, (one) => one.draft, false),
    grouping: pick(layers, (one) => one.grouping, "repository"),
    dashboard: pick(layers, (one) => one.dashboard, false),
    dryRun: resolveDryRun(layers),
    openRequests: resolveLimit(layers),
    organisationRequests: pick<number | null>(
      { fleet: layers.fleet, organisation: layers.organisation },
      (one) => one.limits?.organisation,
      null,
    ),
  };
}

/** The values without the places that set them. */
export function valuesOf(sourced: SourcedSettings): ResolvedSettings {
  const values = Object.entries(sourced).map(([key, { value }]) => [key, value]);
  return Object.fromEntries(values) as ResolvedSettings;
}

const strongestFirst = ["file", "repository", "organisation", "fleet"] as const;

function pick<T>(
  layers: Partial<SettingsLayers>,
  read: (settings: FleetSettings) => T | undefined,
  otherwise: T,
): Sourced<T> {
  for (const from of strongestFirst) {
    const settings = layers[from];
    const value = settings && read(settings);
    if (value !== undefined) return { value, from };
  }
  return { value: otherwise, from: "default" };
}

function withoutFile({ fleet, organisation, repository }: SettingsLayers): Partial<SettingsLayers> {
  return { fleet, organisation, repository };
}

function resolveDryRun(layers: SettingsLayers): Sourced<boolean> {
  const ours = pick(withoutFile(layers), (one) => one.dryRun, false);
  return !ours.value && layers.file.dryRun ? { value: true, from: "file" } : ours;
}

function resolveLimit(layers: SettingsLayers): Sourced<number | null> {
  const ours = pick<number | null>(withoutFile(layers), (one) => one.limits?.openRequests, null);
  const theirs = layers.file.limits?.openRequests;
  const isLower = theirs !== undefined && (ours.value === null || theirs < ours.value);
  return isLower ? { value: theirs, from: "file" } : ours;
}
