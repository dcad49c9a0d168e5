import type { Change, Landing, Plan } from "../model/plan.ts";
import type { Region } from "../model/region.ts";
import { applySplices, createOffsetMap } from "../model/splice.ts";
import { mergeSplices } from "./merge.ts";
import type { Clash } from "./merge-splices.ts";
import { rebase } from "./rebase.ts";

/**
 * Why two plans cannot both be carried out on one file: they read different versions of it, they differ on
 * whether it exists, on where it came from or on its permission, or their splices clash.
 */
export type PlanConflict = {
  readonly path: string;
  readonly why: "version" | "existence" | "origin" | "mode" | "overlap";
  readonly clashes?: readonly Clash[];
};

export type MergedPlans =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly conflicts: PlanConflict[] };

/** Two plans made on the same snapshots as one, our edits first. */
export function mergePlans(ours: Plan, theirs: Plan): MergedPlans {
  const theirChanges = new Map(theirs.changes.map((change) => [change.path, change]));
  const ourChanges = new Map(ours.changes.map((change) => [change.path, change]));
  const changes: Change[] = [];
  const conflicts: PlanConflict[] = [];
  for (const mine of ours.changes) {
    const other = theirChanges.get(mine.path);
    const merged = other ? mergeChanges(mine, other) : mine;
    if ("why" in merged) conflicts.push(merged);
    else changes.push(merged);
  }
  if (conflicts.length > 0) return { ok: false, conflicts };
  changes.push(...theirs.changes.filter(({ path }) => !ourChanges.has(path)));
  const landings = [
    ...ours.landings.map((landing) => carry(landing, ourChanges, theirChanges)),
    ...theirs.landings.map((landing) => ({
      ...carry(landing, theirChanges, ourChanges),
      edit: landing.edit + ours.edits.length,
    })),
  ];
  return { ok: true, plan: { edits: [...ours.edits, ...theirs.edits], changes, landings } };
}

function mergeChanges(mine: Change, other: Change): Change | PlanConflict {
  const { path, before } = mine;
  if (before.version !== other.before.version || before.text !== other.before.text)
    return { path, why: "version" };
  if (mine.mode !== undefined && other.mode !== undefined && mine.mode !== other.mode)
    return { path, why: "mode" };
  const mode = mine.mode ?? other.mode;
  const common = { path, before, ...(mode === undefined ? {} : { mode }) };
  const alike = mine.after === other.after && mine.from === other.from;
  if (alike) return { ...mine, ...common };
  if (mine.from !== undefined || other.from !== undefined) return { path, why: "origin" };
  if (before.text === null || mine.after === null || other.after === null) return { path, why: "existence" };
  const merged = mergeSplices(mine.splices, other.splices);
  if (!merged.ok) return { path, why: "overlap", clashes: merged.conflicts };
  return { ...common, splices: merged.splices, after: applySplices(before.text, merged.splices) };
}

/** A landing with the regions it has after the other plan's change of the same file too. */
function carry(
  landing: Landing,
  own: ReadonlyMap<string, Change>,
  others: ReadonlyMap<string, Change>,
): Landing {
  const rival = others.get(landing.path);
  const change = own.get(landing.path);
  if (!rival || !change) return landing;
  const carried = rebase(rival.splices, change.splices);
  if (!carried.ok) return landing;
  const map = createOffsetMap(carried.splices);
  return { ...landing, after: landing.after.map((region) => carryRegion(region, map)) };
}

function carryRegion(region: Region, map: ReturnType<typeof createOffsetMap>): Region {
  const start = map(region.start, "after");
  return { start, end: Math.max(start, map(region.end, "before")) };
}
