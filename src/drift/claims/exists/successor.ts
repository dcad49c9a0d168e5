import { renamedParameter } from "../../calls/renamed-parameter.ts";
import { partsOf } from "../../change/names.ts";
import type { State } from "../../state/state.ts";
import { findRenames } from "../../surface/compare/find-renames.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";

/** A thing under its new name, and what it was. */
export type Successor = { readonly was: Thing; readonly now: Thing; readonly name: string };

/** The new name of things: of the same owner, kind and shape, with no rival on either side, and the same for all of them. */
export async function findSuccessor(
  things: readonly Thing[],
  states: { readonly base: State; readonly head: State },
): Promise<Successor | null> {
  const found: Successor[] = [];
  for (const thing of things.slice(0, MOST_THINGS)) {
    const successor = await follow(thing, states);
    if (successor) found.push(successor);
  }
  const [first] = found;
  return first &&
    found.every(({ name }) => name === first.name) &&
    found.length * 2 > Math.min(things.length, MOST_THINGS)
    ? first
    : null;
}

const MOST_THINGS = 40;

async function follow(
  thing: Thing,
  { base, head }: { readonly base: State; readonly head: State },
): Promise<Successor | null> {
  const path = (await head.text(thing.path)) === null ? (await head.movedTo?.(thing.path))?.to : thing.path;
  if (!path) return null;
  const [before, after] = [await base.surface(thing.path), await head.surface(path)];
  if (thing.kind === "parameter") return followParameter(thing, before, after);
  const change = compareSurfaces(before, after);
  const { renames } = change;
  // A command and the function behind it are one thing.
  const behind = thing.kind === "command" ? renames.get(`symbol ${thing.name}`) : undefined;
  const now = renames.get(thing.id) ?? behind ?? onlyHeir(thing, change);
  return now ? { was: thing, now, name: plainName(now.name) } : null;
}

/** The only new thing of its kind, owner and shape in the file, where only this one is gone, and the names share a part. */
function onlyHeir(thing: Thing, { gone, fresh }: SurfaceChange): Thing | undefined {
  if (thing.kind === "symbol" || thing.kind === "member") return undefined;
  const peers = peersOf(thing);
  const [heir, ...rivals] = fresh.get(peers) ?? [];
  if (!heir || rivals.length > 0 || new Set(gone.get(peers)?.map(({ id }) => id)).size !== 1)
    return undefined;
  return partsOf(heir.name).some((part) => partsOf(thing.name).includes(part)) ? heir : undefined;
}

/** The parameter in the same place with the same type, of the function that has it. */
function followParameter(thing: Thing, before: readonly Thing[], after: readonly Thing[]): Successor | null {
  const isFunction = ({ owner, name }: Thing): boolean =>
    [...owner, name].join("\0") === thing.owner.join("\0");
  const [was, now] = [before.find(isFunction), after.find(isFunction)];
  if (!was?.parameters || !now?.parameters) return null;
  const name = renamedParameter(thing.name, { was: was.parameters, is: now.parameters });
  return name === undefined ? null : { was: thing, now, name };
}

type SurfaceChange = {
  /** For the id of each renamed thing of a file, the thing that it is now. */
  readonly renames: ReadonlyMap<string, Thing>;
  /** The things that only one side has, by kind, owner and shape. */
  readonly gone: ReadonlyMap<string, readonly Thing[]>;
  readonly fresh: ReadonlyMap<string, readonly Thing[]>;
};

function compareSurfaces(before: readonly Thing[], after: readonly Thing[]): SurfaceChange {
  // Each passage asks for the states of its own past, so the same file is compared with many others in turn.
  const known = compared.get(before) ?? new WeakMap<readonly Thing[], SurfaceChange>();
  compared.set(before, known);
  const change = known.get(after) ?? changeOf(before, after);
  known.set(after, change);
  return change;
}

const compared = new WeakMap<readonly Thing[], WeakMap<readonly Thing[], SurfaceChange>>();

function changeOf(before: readonly Thing[], after: readonly Thing[]): SurfaceChange {
  const isCrowded = createCrowd(before, after);
  const renames = new Map<string, Thing>();
  for (const { before: old, after: fresh, evidence } of findRenames(before, after)) {
    if (isCrowded(old)) continue;
    const agrees = evidence.some((one) => one !== "position" && one !== "file");
    if (agrees && old.type === fresh.type && old.value === fresh.value) renames.set(old.id, fresh);
  }
  return {
    renames,
    gone: Map.groupBy(without(before, after), peersOf),
    fresh: Map.groupBy(without(after, before), peersOf),
  };
}

function peersOf({ kind, owner, type, value }: Thing): string {
  return JSON.stringify([kind, owner, type, value]);
}

/** The things of one surface that another has not. */
function without(these: readonly Thing[], those: readonly Thing[]): Thing[] {
  const known = new Set(those.map(({ id }) => id));
  return these.filter(({ id }) => !known.has(id));
}

/** Whether more things of a kind and owner went than came: then one new name may stand for several old ones. */
function createCrowd(before: readonly Thing[], after: readonly Thing[]): (thing: Thing) => boolean {
  const familyOf = ({ kind, owner }: Thing): string => [kind, ...owner].join("\0");
  const countNew = (these: readonly Thing[], those: readonly Thing[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const thing of without(these, those))
      counts.set(familyOf(thing), (counts.get(familyOf(thing)) ?? 0) + 1);
    return counts;
  };
  const [went, came] = [countNew(before, after), countNew(after, before)];
  return (thing) => (went.get(familyOf(thing)) ?? 0) > (came.get(familyOf(thing)) ?? 0);
}
