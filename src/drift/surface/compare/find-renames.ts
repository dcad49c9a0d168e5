import { compareText } from "../../../text/characters/compare-text.ts";
import { type Thing, type ThingKind, thingId } from "../thing.ts";
import { type Neighbours, pairRenamed, type RenamedPair, type Surroundings } from "./pair-renamed.ts";

/**
 * The things of one surface that have another name in the other one, by their identity and not by lines. A thing that is
 * gone and a new one of the same owner are a rename if more than their position agrees.
 */
export function findRenames(before: readonly Thing[], after: readonly Thing[]): RenamedPair[] {
  const [old, present] = [groupById(before), groupById(after)];
  const kept = new Set<Thing>();
  for (const [id, things] of old) for (const thing of keptOf(things, present.get(id) ?? [])) kept.add(thing);
  const around = { before: surroundingsOf(old, kept), after: surroundingsOf(present, kept) };
  const gone = Map.groupBy(missingFrom(present, old), ({ owner }) => owner.length);
  const fresh = Map.groupBy(missingFrom(old, present), ({ owner }) => owner.length);
  const renames: RenamedPair[] = [];
  const owners = new RenamedOwners();
  const claimed = new Set<Thing>();
  // Owners come before their members, so that the members of a renamed owner are paired too.
  for (const depth of [...gone.keys()].sort((a, b) => a - b)) {
    const open = gone.get(depth)!.filter((thing) => !owners.follow(thing, present, claimed));
    const come = (fresh.get(depth) ?? []).filter((thing) => !claimed.has(thing));
    const family = ({ kind, owner }: Thing): string => pathOf(kind, ...(owners.pathOf(owner) ?? owner));
    const peers = Map.groupBy(come, ({ kind, owner }) => pathOf(kind, ...owner));
    const pairs = [...Map.groupBy(open, family)].flatMap(([key, things]) =>
      pairRenamed(onePerId(things), onePerId(peers.get(key) ?? []), around),
    );
    for (const pair of pairs) owners.add(pair);
    renames.push(...pairs);
  }
  return renames;
}

/** The owners that were renamed. */
class RenamedOwners {
  readonly #paths = new Map<string, readonly string[]>();

  add({ before, after }: RenamedPair): void {
    this.#paths.set(pathOf(...before.owner, before.name), [...after.owner, after.name]);
  }

  /** The new path of an owner, if it or an owner above it was renamed. */
  pathOf(owner: readonly string[]): readonly string[] | undefined {
    for (let length = owner.length; length > 0; length--) {
      const now = this.#paths.get(pathOf(...owner.slice(0, length)));
      if (now) return [...now, ...owner.slice(length)];
    }
    return undefined;
  }

  /** Whether the new owner of a thing has it too. Each thing of the new owner is `claimed` once. */
  follow(thing: Thing, present: ReadonlyMap<string, readonly Thing[]>, claimed: Set<Thing>): boolean {
    const owner = this.pathOf(thing.owner);
    if (!owner) return false;
    const isMember = (kind: ThingKind): boolean => kind === "member" || kind === "setting";
    const now = (["member", "setting", thing.kind] as const)
      .flatMap((kind) => present.get(thingId(kind, owner, thing.name)) ?? [])
      .find((other) => !claimed.has(other) && (other.kind === thing.kind || isMember(thing.kind)));
    if (now) claimed.add(now);
    return now !== undefined;
  }
}

/** Of the things of one id on both sides, those that stayed in their file, and as many of the rest as there are on both. */
function keptOf(before: readonly Thing[], after: readonly Thing[]): Thing[] {
  const [from, to] = [before, after].map((things) => new Set(things.map(({ path }) => path)));
  const left = before.filter(({ path }) => !to!.has(path));
  const come = after.filter(({ path }) => !from!.has(path));
  const moved = Math.min(left.length, come.length);
  return [
    ...before.filter(({ path }) => to!.has(path)),
    ...after.filter(({ path }) => from!.has(path)),
    ...left.slice(0, moved),
    ...come.slice(0, moved),
  ];
}

function surroundingsOf(
  things: ReadonlyMap<string, readonly Thing[]>,
  kept: ReadonlySet<Thing>,
): Surroundings {
  const all = [...things.values()].flat();
  const owned = Map.groupBy(all, ({ owner }) => pathOf(...owner));
  const members = new Map(
    [...owned].map(([owner, those]) => [owner, new Set(those.map(({ kind, name }) => `${kind} ${name}`))]),
  );
  return {
    neighbours: neighboursOf(all, kept),
    members: ({ owner, name }) => members.get(pathOf(...owner, name)) ?? NO_MEMBERS,
  };
}

const NO_MEMBERS: ReadonlySet<string> = new Set();

/** For each thing, the nearest things before and after it in its file and owner that both surfaces have. */
function neighboursOf(things: readonly Thing[], kept: ReadonlySet<Thing>): Neighbours {
  const neighbours = new Map<Thing, { previous?: string; next?: string }>();
  const families = Map.groupBy(inOrder(things), ({ path, kind, owner }) => pathOf(path, kind, ...owner));
  for (const siblings of families.values()) {
    let previous: string | undefined;
    for (const each of siblings) {
      neighbours.set(each, previous === undefined ? {} : { previous });
      if (kept.has(each)) previous = each.id;
    }
    let next: string | undefined;
    for (const each of siblings.toReversed()) {
      if (next !== undefined) neighbours.get(each)!.next = next;
      if (kept.has(each)) next = each.id;
    }
  }
  return neighbours;
}

function groupById(things: readonly Thing[]): ReadonlyMap<string, readonly Thing[]> {
  return Map.groupBy(inOrder(things), ({ id }) => id);
}

function missingFrom(
  others: ReadonlyMap<string, readonly Thing[]>,
  these: ReadonlyMap<string, readonly Thing[]>,
): Thing[] {
  return [...these].flatMap(([id, things]) => (others.has(id) ? [] : things));
}

function inOrder(things: readonly Thing[]): Thing[] {
  return things.toSorted(
    (a, b) => compareText(a.path, b.path) || a.region.start - b.region.start || compareText(a.id, b.id),
  );
}

function onePerId(things: readonly Thing[]): Thing[] {
  return [...new Map(things.toReversed().map((each) => [each.id, each] as const)).values()].reverse();
}

function pathOf(...parts: readonly string[]): string {
  return parts.join("\0");
}
