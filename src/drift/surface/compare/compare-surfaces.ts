import { type Thing, thingId } from "../thing.ts";
import { compareDetails } from "./details.ts";
import type { Fact } from "./fact.ts";
import { type Neighbours, pairRenamed, type RenamedPair, type Surroundings } from "./pair-renamed.ts";

/**
 * How two surfaces differ, by the identity of things and not by lines. A thing that is in another file now is moved. A
 * removed and an added thing of one owner are a rename if more than their position agrees.
 */
export function compareSurfaces(before: readonly Thing[], after: readonly Thing[]): readonly Fact[] {
  return new Comparison(before, after).compare();
}

class Comparison {
  private readonly before: ReadonlyMap<string, readonly Thing[]>;
  private readonly after: ReadonlyMap<string, readonly Thing[]>;
  private readonly facts: Fact[] = [];
  /** Paths of owners that were renamed: the old path and the new one. */
  private readonly renamedOwners = new Map<string, readonly string[]>();
  /** The id before the change of each renamed owner, by its new path. */
  private readonly causes = new Map<string, string>();
  private readonly kept = new Set<Thing>();

  constructor(before: readonly Thing[], after: readonly Thing[]) {
    this.before = groupBy(inOrder(before), ({ id }) => id);
    this.after = groupBy(inOrder(after), ({ id }) => id);
  }

  compare(): readonly Fact[] {
    const gone: Thing[] = [];
    const fresh: Thing[] = [];
    for (const [id, things] of this.before) {
      const others = this.after.get(id);
      if (others) this.compareCopies(things, others);
      else gone.push(...things);
    }
    for (const [id, things] of this.after) if (!this.before.has(id)) fresh.push(...things);
    this.compareRest(gone, fresh);
    return this.facts;
  }

  /** Things of one id on both sides: those of the same file first, then those that moved. */
  private compareCopies(before: readonly Thing[], after: readonly Thing[]): void {
    const byPath = groupBy(after, ({ path }) => path);
    const left: Thing[] = [];
    const used = new Set<Thing>();
    for (const [path, olds] of groupBy(before, ({ path: from }) => from)) {
      const news = byPath.get(path) ?? [];
      for (const each of news) used.add(each);
      if (news.length > 0) this.compareOverloads(olds, news);
      else left.push(...olds);
    }
    const come = after.filter((each) => !used.has(each));
    left.forEach((old, index) => {
      const now = come[index];
      if (now) this.move(old, now);
      else if (old.exported !== "no") this.removeCopy(old, after);
    });
  }

  private removeCopy(old: Thing, survivors: readonly Thing[]): void {
    if (isLookup(old)) return;
    const elsewhere = [...new Set(survivors.map(({ path }) => path))];
    this.facts.push({
      kind: old.kind === "enum-value" ? "value-removed" : "removed",
      id: old.id,
      before: old,
      elsewhere,
    });
  }

  private move(before: Thing, after: Thing): void {
    this.keep(before, after);
    if (!isLookup(before))
      this.facts.push({ kind: "moved", id: before.id, before, after, evidence: ["name"], score: 1 });
    this.compareKept(before, after);
  }

  /** Equal declarations pair first, the rest in order where there are as many on both sides. */
  private compareOverloads(olds: readonly Thing[], news: readonly Thing[]): void {
    const rest = [...news];
    const unmatched = olds.filter((old) => {
      const same = rest.findIndex((each) => each.declaration === old.declaration && each.value === old.value);
      if (same < 0 || olds.length === 1) return true;
      const [now] = rest.splice(same, 1);
      this.keep(old, now!);
      if (old.description !== now!.description || old.deprecated !== now!.deprecated)
        this.compareKept(old, now!);
      return false;
    });
    if (unmatched.length !== rest.length) {
      for (const each of [...unmatched, ...rest]) this.kept.add(each);
      return;
    }
    unmatched.forEach((old, index) => {
      this.keep(old, rest[index]!);
      this.compareKept(old, rest[index]!);
    });
  }

  private keep(before: Thing, after: Thing): void {
    this.kept.add(before);
    this.kept.add(after);
  }

  private compareKept(before: Thing, after: Thing, cause?: string): void {
    if (before.exported !== "no" && after.exported === "no")
      this.facts.push({ kind: "removed", id: before.id, before, after, ...(cause && { cause }) });
    else if (before.exported === "no" && after.exported === "yes")
      this.facts.push({ kind: "added", id: after.id, before, after });
    this.facts.push(...compareDetails(before, after));
  }

  /** Owners come before their members, so that the members of a renamed owner are paired too. */
  private compareRest(gone: readonly Thing[], fresh: readonly Thing[]): void {
    const around = { before: this.surroundingsOf(this.before), after: this.surroundingsOf(this.after) };
    const goneByDepth = groupBy(gone, ({ owner }) => owner.length);
    const freshByDepth = groupBy(fresh, ({ owner }) => owner.length);
    const lost: Thing[] = [];
    const come: Thing[] = [];
    const claimed = new Set<Thing>();
    for (const depth of [...new Set([...goneByDepth.keys(), ...freshByDepth.keys()])].sort((a, b) => a - b)) {
      const open = this.followOwners(goneByDepth.get(depth) ?? [], claimed);
      const news = (freshByDepth.get(depth) ?? []).filter((each) => !claimed.has(each));
      const pairs = this.pairWithin(open, news, around);
      const taken = new Set(pairs.flatMap(({ before, after }) => [before, after]));
      for (const pair of pairs) this.rename(pair);
      lost.push(...open.filter((each) => !taken.has(each)));
      come.push(...news.filter((each) => !taken.has(each)));
    }
    const unclaimed = come.filter((each) => !claimed.has(each));
    this.reportRest(lost, unclaimed, this.pairAcrossOwners(lost, unclaimed));
  }

  /** Members of a renamed owner that the new owner has too are the same things. */
  private followOwners(gone: readonly Thing[], claimed: Set<Thing>): Thing[] {
    return gone.filter((each) => {
      const owner = this.renamedOwner(each.owner);
      if (!owner) return true;
      const now = (["member", "setting", each.kind] as const)
        .flatMap((kind) => this.after.get(thingId(kind, owner, each.name)) ?? [])
        .find(
          (other) =>
            !claimed.has(other) && (other.kind === each.kind || /^(?:member|setting)$/.test(each.kind)),
        );
      if (!now) return true;
      claimed.add(now);
      this.keep(each, now);
      this.compareKept(each, now, this.causes.get(owner.join("\0")));
      return false;
    });
  }

  private renamedOwner(owner: readonly string[]): readonly string[] | undefined {
    for (let length = owner.length; length > 0; length--) {
      const now = this.renamedOwners.get(owner.slice(0, length).join("\0"));
      if (now) return [...now, ...owner.slice(length)];
    }
    return undefined;
  }

  private pairWithin(
    gone: readonly Thing[],
    fresh: readonly Thing[],
    around: { before: Surroundings; after: Surroundings },
  ): RenamedPair[] {
    const key = (kind: string, owner: readonly string[]) => `${kind}\0${owner.join("\0")}`;
    const news = groupBy(fresh, ({ kind, owner }) => key(kind, owner));
    const pairs: RenamedPair[] = [];
    for (const [, olds] of groupBy(gone, ({ kind, owner }) => key(kind, this.renamedOwner(owner) ?? owner))) {
      const { kind, owner } = olds[0]!;
      const successors = news.get(key(kind, this.renamedOwner(owner) ?? owner));
      if (successors) pairs.push(...pairRenamed(onePerId(olds), onePerId(successors), around));
    }
    return pairs;
  }

  private rename({ before, after, evidence, score }: RenamedPair): void {
    this.causes.set([...after.owner, after.name].join("\0"), before.id);
    this.renamedOwners.set([...before.owner, before.name].join("\0"), [...after.owner, after.name]);
    this.keep(before, after);
    this.facts.push({ kind: "renamed", id: before.id, before, after, evidence, score });
    this.facts.push(...compareDetails(before, after));
  }

  /** The same name and kind under another owner, once on each side, with a further agreement: it was moved there. */
  private pairAcrossOwners(lost: readonly Thing[], come: readonly Thing[]): RenamedPair[] {
    const key = ({ kind, name }: Thing) => `${kind}\0${name}`;
    const news = groupBy(onePerId(come), key);
    const none = { before: NOTHING, after: NOTHING };
    return [...groupBy(onePerId(lost), key)].flatMap(([name, olds]) => {
      const successors = news.get(name);
      return olds.length === 1 && successors?.length === 1 && olds[0]!.kind !== "enum-value"
        ? pairRenamed(olds, successors, none)
        : [];
    });
  }

  private reportRest(lost: readonly Thing[], come: readonly Thing[], moved: readonly RenamedPair[]): void {
    const taken = new Set(moved.flatMap(({ before, after }) => [before.id, after.id]));
    for (const { before, after, evidence, score } of moved) {
      this.facts.push(
        { kind: "moved", id: before.id, before, after, evidence, score },
        ...compareDetails(before, after),
      );
    }
    const lostOwners = ownersOf(lost);
    const comeOwners = ownersOf(come);
    for (const each of onePerId(lost)) {
      if (taken.has(each.id)) continue;
      const cause = causeOf(each, lostOwners);
      this.facts.push({
        kind: each.kind === "enum-value" ? "value-removed" : "removed",
        id: each.id,
        before: each,
        ...(cause && { cause }),
      });
    }
    for (const each of onePerId(come)) {
      if (taken.has(each.id)) continue;
      const cause = causeOf(each, comeOwners);
      this.facts.push({
        kind: each.kind === "enum-value" ? "value-added" : "added",
        id: each.id,
        after: each,
        ...(cause && { cause }),
      });
    }
  }

  private surroundingsOf(things: ReadonlyMap<string, readonly Thing[]>): Surroundings {
    const members = new Map<string, Set<string>>();
    for (const [{ owner, name, kind }] of things.values() as Iterable<readonly [Thing]>) {
      if (owner.length === 0) continue;
      const key = owner.join("\0");
      const names = members.get(key) ?? new Set();
      members.set(key, names.add(`${kind} ${name}`));
    }
    return {
      neighbours: this.neighboursOf(things),
      members: ({ owner, name }) => members.get([...owner, name].join("\0")) ?? NO_MEMBERS,
    };
  }

  /** For each thing, the nearest things before and after it in its file and owner that both surfaces have. */
  private neighboursOf(things: ReadonlyMap<string, readonly Thing[]>): Neighbours {
    const neighbours = new Map<Thing, { previous?: string; next?: string }>();
    const all = inOrder([...things.values()].flat());
    for (const [, siblings] of groupBy(
      all,
      ({ path, kind, owner }) => `${path}\0${kind}\0${owner.join("\0")}`,
    )) {
      let previous: string | undefined;
      for (const each of siblings) {
        neighbours.set(each, previous === undefined ? {} : { previous });
        if (this.kept.has(each)) previous = each.id;
      }
      let next: string | undefined;
      for (const each of siblings.toReversed()) {
        if (next !== undefined) neighbours.get(each)!.next = next;
        if (this.kept.has(each)) next = each.id;
      }
    }
    return neighbours;
  }
}

/** Things that are read from their uses: the place of a use does not matter to a reader. */
function isLookup({ kind, exported, owner }: Thing): boolean {
  if (kind === "setting") return exported === "unknown" && owner.length === 0;
  return kind === "environment" || kind === "message" || kind === "error";
}

const NO_MEMBERS: ReadonlySet<string> = new Set();
const NOTHING: Surroundings = { neighbours: new Map(), members: () => NO_MEMBERS };

function inOrder(things: readonly Thing[]): Thing[] {
  return [...things].sort(
    (a, b) => compareText(a.path, b.path) || a.region.start - b.region.start || compareText(a.id, b.id),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

function onePerId(things: readonly Thing[]): Thing[] {
  return [...new Map(things.toReversed().map((each) => [each.id, each] as const)).values()].reverse();
}

function ownersOf(things: readonly Thing[]): ReadonlyMap<string, string> {
  return new Map(things.map((each) => [[...each.owner, each.name].join("\0"), each.id] as const));
}

function causeOf({ owner }: Thing, owners: ReadonlyMap<string, string>): string | undefined {
  for (let length = 1; length <= owner.length; length++) {
    const cause = owners.get(owner.slice(0, length).join("\0"));
    if (cause !== undefined) return cause;
  }
  return undefined;
}
