import { compareTexts } from "../diff/compare.ts";
import { defined } from "../model/defined.ts";
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
    const isHunk = ({ edit }: Landing): boolean => "hunks" in (plan.edits[edit]?.target ?? {});
    const carried =
      now.text === change.before.text ? null : carryChange(change, now, { landings: own, isHunk });
    if (carried && !carried.ok) return carried;
    changes.push(carried ? carried.value.change : { ...change, before: now });
    if (carried) landings = landings.map((landing) => carried.value.moved.get(landing) ?? landing);
  }
  return accept({ ...plan, changes, landings });
}

type Carried = { readonly change: Change; readonly moved: ReadonlyMap<Landing, Landing> };

type OwnLandings = {
  readonly landings: readonly Landing[];
  readonly isHunk: (landing: Landing) => boolean;
};

function carryChange(change: Change, now: Snapshot, { landings, isHunk }: OwnLandings): Outcome<Carried> {
  const { path, before, from, mode, after } = change;
  const versions = { code: "stale", path, expected: before.version, actual: now.version } as const;
  if (before.text === null || now.text === null || after === null || from !== undefined)
    return refuse(versions);
  const over = compareTexts(before.text, now.text);
  const lines = indexLines(before.text);
  const touched =
    over.find(({ region }) =>
      landings.some((landing) => {
        const meets = isHunk(landing) ? touches : crosses;
        return landing.before.some((taken) => meets(lines, taken, region));
      }),
    ) ?? findAround(lines, over, landings);
  const rebased = rebase(change.splices, over);
  const clash = touched ?? (rebased.ok ? undefined : rebased.conflicts[0]?.theirs);
  if (!rebased.ok || clash)
    return refuse({
      ...versions,
      edit: landings[0]?.edit ?? 0,
      ...defined({ changed: clash ? changeAt(before.text, clash) : undefined }),
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
    change: { path, before: now, splices, after: text, ...defined({ mode }) },
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

/**
 * A change beside a named line, if the lines on both sides of it have changed and others have the same text: then
 * nothing tells which of the equal lines it is now.
 */
function findAround(lines: Lines, over: readonly Splice[], landings: readonly Landing[]): Splice | undefined {
  for (const region of landings.flatMap(({ before }) => before)) {
    const named = linesOf(lines, region);
    const above = over.find(({ region: { end } }) => end === named.start);
    const below = over.find(({ region: { start } }) => start === named.end);
    const text = lines.text.slice(named.start, named.end);
    const isSeveral = (): boolean =>
      lines.text.indexOf(`\n${text}`) !== lines.text.lastIndexOf(`\n${text}`) || lines.text.startsWith(text);
    if (above && below && lineAt(lines, named.start) + 1 >= lineAt(lines, named.end) && isSeveral())
      return above;
  }
  return undefined;
}

/** Whether two changes share a line or are side by side, which git takes as a conflict. */
function touches(lines: Lines, { start, end }: Region, changed: Region): boolean {
  const first = lines.starts[lineAt(lines, start)] ?? 0;
  const last = end > start ? lineEnd(lines, lineAt(lines, end - 1)) : end;
  return changed.start <= last && changed.end >= first;
}

/** Whether a change is inside the lines that an edit names. Text that is inserted at their edge is not. */
function crosses(lines: Lines, named: Region, changed: Region): boolean {
  const taken = linesOf(lines, named);
  if (changed.start < changed.end) return overlap(taken, changed);
  return taken.start < changed.start && changed.start < taken.end;
}

function changeAt(text: string, { region, text: after }: Splice) {
  const line = text.slice(0, region.start).split("\n").length;
  return { line, before: text.slice(region.start, region.end), after };
}
