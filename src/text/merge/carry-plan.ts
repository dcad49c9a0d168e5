import { compareTexts } from "../diff/compare.ts";
import { indexLines, type Lines, lineAt, lineEnd } from "../model/lines.ts";
import { accept, type Outcome, refuse } from "../model/outcome.ts";
import type { Change, Landing, Plan } from "../model/plan.ts";
import { overlap, type Region } from "../model/region.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { applySplices, createOffsetMap, type Splice } from "../model/splice.ts";
import { rebase } from "./rebase.ts";

/**
 * A plan that was made on earlier texts, as a plan for the present ones. Refused where a line that an edit names has
 * changed since.
 */
export function carryPlan(plan: Plan, present: ReadonlyMap<string, Snapshot>): Outcome<Plan> {
  const changes: Change[] = [];
  let { landings } = plan;
  for (const change of plan.changes) {
    const now = present.get(change.path) ?? change.before;
    const own = landings.filter(({ path }) => path === change.path);
    const carried = now.text === change.before.text ? null : carryChange(change, now, own);
    if (carried && !carried.ok) return carried;
    changes.push(carried ? carried.value.change : { ...change, before: now });
    if (carried) landings = landings.map((landing) => carried.value.moved.get(landing) ?? landing);
  }
  return accept({ ...plan, changes, landings });
}

type Carried = { readonly change: Change; readonly moved: ReadonlyMap<Landing, Landing> };

function carryChange(change: Change, now: Snapshot, landings: readonly Landing[]): Outcome<Carried> {
  const { path, before, from, mode, after } = change;
  const versions = { code: "stale", path, expected: before.version, actual: now.version } as const;
  if (before.text === null || now.text === null || after === null || from !== undefined)
    return refuse(versions);
  const over = compareTexts(before.text, now.text);
  const lines = indexLines(before.text);
  const named = landings.flatMap((landing) => landing.before.map((region) => linesOf(lines, region)));
  const touched = over.find(({ region }) => named.some((taken) => crosses(taken, region)));
  const rebased = rebase(change.splices, over);
  const clash = touched ?? (rebased.ok ? undefined : rebased.conflicts[0]?.theirs);
  if (!rebased.ok || clash)
    return refuse({
      ...versions,
      edit: landings[0]?.edit ?? 0,
      ...(clash ? { changed: changeAt(before.text, clash) } : {}),
    });
  const { splices } = rebased;
  const text = applySplices(now.text, splices);
  const mapOver = createOffsetMap(over);
  const mapOwn = createOffsetMap(splices);
  const moved = landings.map((landing): [Landing, Landing] => {
    const regions = landing.before.map(({ start, end }) => {
      const first = mapOver(start, "after");
      return { start: first, end: first + end - start };
    });
    const own = regions.map(({ start, end }) => ({
      start: mapOwn(start, "before"),
      end: mapOwn(end, "after"),
    }));
    return [landing, { ...landing, before: regions, after: own }];
  });
  return accept({
    change: { path, before: now, splices, after: text, ...(mode === undefined ? {} : { mode }) },
    moved: new Map(moved),
  });
}

/** The whole lines of a region. An insertion between two lines names the line above it. */
function linesOf(lines: Lines, { start, end }: Region): Region {
  const isBetween = start === end && start > 0 && lines.text[start - 1] === "\n";
  const first = lineAt(lines, isBetween ? start - 1 : start);
  const last = isBetween ? first : lineAt(lines, Math.max(start, end - 1));
  return { start: lines.starts[first] ?? 0, end: lineEnd(lines, last) };
}

/** Whether a change touches the inside of some lines. Text that is inserted at their edge does not. */
function crosses(taken: Region, changed: Region): boolean {
  if (changed.start < changed.end) return overlap(taken, changed);
  return taken.start < changed.start && changed.start < taken.end;
}

function changeAt(text: string, { region, text: after }: Splice) {
  const line = text.slice(0, region.start).split("\n").length;
  return { line, before: text.slice(region.start, region.end), after };
}
