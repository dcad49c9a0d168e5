import type { Comparison } from "../change/comparison.ts";
import { fileKind } from "../change/file-kind.ts";
import { createPace } from "../pace.ts";
import { compareSurfaces } from "./compare/compare-surfaces.ts";
import type { Fact } from "./compare/fact.ts";
import { readSurface } from "./read-surface.ts";
import type { Thing } from "./thing.ts";

/** How the surface of the project differs between the two sides of a change. */
export type SurfaceChange = {
  readonly facts: readonly Fact[];
  /** Facts that removed or renamed a thing of this name. */
  readonly lost: (name: string) => readonly Fact[];
  /** The public functions and types that no longer take a parameter of this name. */
  readonly withoutParameter: (name: string) => readonly Thing[];
  /** Whether a changed file offered something of this name before. */
  readonly wasThing: (name: string) => boolean;
  /** Whether a changed file still reads a variable of the environment of this name. */
  readonly readsVariable: (name: string) => boolean;
  /** Names of the things that an owner had before, in the changed files. */
  readonly membersOf: (owner: readonly string[]) => ReadonlySet<string>;
  /** The public thing that a line of a changed file declared before, lines counted from 1. */
  readonly offeredAt: (path: string, line: number) => Thing | undefined;
  /** The other things of the same kind, owner and file after the change, in the file's order. */
  readonly beside: (thing: Thing) => readonly Thing[];
};

// A change of more files is a rewrite or a vendored tree; reading all of it would take longer than a person waits.
const MOST_FILES = 400;
const LARGEST = 400_000;

/** Reads both sides of every changed file that is part of the product. */
export async function readSurfaceChange(comparisons: readonly Comparison[]): Promise<SurfaceChange> {
  const before: Thing[] = [];
  const after: Thing[] = [];
  const pace = createPace();
  for (const file of comparisons.filter(isOffered).slice(0, MOST_FILES)) {
    await pace();
    if (file.before !== null) before.push(...(await readSurface(file.from, file.before)));
    if (file.after !== null) after.push(...(await readSurface(file.path, file.after)));
  }
  const facts = compareSurfaces(before, after);
  const lost = Map.groupBy(
    facts.filter(({ kind }) => LOSSES.has(kind)),
    ({ before: thing }) => plainName(thing?.name ?? ""),
  );
  const parameters = Map.groupBy(facts.filter(isLostParameter), ({ parameter }) => parameter!);
  const things = new Set(before.map(({ name }) => plainName(name)));
  const variables = new Set(after.flatMap(({ kind, name }) => (kind === "environment" ? [name] : [])));
  const byOwner = Map.groupBy(before, ({ owner }) => owner.join("\0"));
  const families = Map.groupBy(
    after.toSorted((a, b) => a.line - b.line),
    familyOf,
  );
  const places = new Map(
    before.flatMap((thing) => (thing.exported === "no" ? [] : [[`${thing.path}\0${thing.line}`, thing]])),
  );
  return {
    facts,
    lost: (name) => lost.get(name) ?? [],
    withoutParameter: (name) => (parameters.get(name) ?? []).map(({ before: thing }) => thing!),
    wasThing: (name) => things.has(name),
    readsVariable: (name) => variables.has(name),
    membersOf: (owner) => new Set((byOwner.get(owner.join("\0")) ?? []).map(({ name }) => plainName(name))),
    offeredAt: (path, line) => places.get(`${path}\0${line}`),
    beside: (thing) => (families.get(familyOf(thing)) ?? []).filter(({ name }) => name !== thing.name),
  };
}

function isLostParameter({ kind, parameter, before }: Fact): boolean {
  const isLost = kind === "parameter-removed" || kind === "parameter-renamed";
  return isLost && parameter !== undefined && before?.exported === "yes";
}

function familyOf({ kind, owner, path }: Thing): string {
  return [kind, path, ...owner].join("\0");
}

const LOSSES: ReadonlySet<string> = new Set(["removed", "renamed", "value-removed", "moved"]);

function isOffered({ path, before, after }: Comparison): boolean {
  const kind = fileKind(path);
  if (kind !== "product" && kind !== "manifest" && kind !== "data") return false;
  return (before?.length ?? 0) + (after?.length ?? 0) <= LARGEST;
}

/** A name without the dashes of a flag. */
export function plainName(name: string): string {
  return name.replace(/^-{1,2}/, "");
}
