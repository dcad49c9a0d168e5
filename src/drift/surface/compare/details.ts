import { insteadOf } from "../read/documentation.ts";
import type { Thing, ThingParameter } from "../thing.ts";
import type { Fact } from "./fact.ts";
import { compareNames } from "./similar.ts";

/** The changes of a thing that both surfaces have. */
export function compareDetails(before: Thing, after: Thing): Fact[] {
  const pair = { id: before.id, before, after };
  return [
    ...compareParameters(before, after),
    ...changed("type-changed", pair, before.type, after.type),
    ...compareValues(before, after),
    ...changed("description-changed", pair, before.description, after.description),
    ...compareDeprecation(before, after),
  ];
}

type Pair = {
  readonly id: string;
  readonly before: Thing;
  readonly after: Thing;
  readonly parameter?: string;
};

function changed(
  kind: "type-changed" | "default-changed" | "description-changed",
  pair: Pair,
  from: string | undefined,
  to: string | undefined,
): Fact[] {
  if (plain(from) === plain(to)) return [];
  return [{ kind, ...pair, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}

/** Whether a missing value counts as a change: only the declaration of a flag always shows its value. */
function compareValues(before: Thing, after: Thing): Fact[] {
  const both = before.value !== undefined && after.value !== undefined;
  if (!both && before.kind !== "flag") return [];
  return changed("default-changed", { id: before.id, before, after }, before.value, after.value);
}

/** A value without white space, kind of quotes and trailing commas: formatting is no change. */
function plain(text: string | undefined): string | undefined {
  return text
    ?.replace(/["'`]/g, '"')
    .replace(/\s+/g, " ")
    .replace(/\s*([,:;|&(){}[\]<>=])\s*/g, "$1")
    .replace(/[,;]([)\]}])/g, "$1")
    .replace(/^\||[;,]$/g, "")
    .trim();
}

function compareDeprecation(before: Thing, after: Thing): Fact[] {
  if (after.deprecated === undefined || before.deprecated !== undefined) return [];
  const instead = insteadOf(after.deprecated);
  return [
    { kind: "deprecated", id: before.id, before, after, to: after.deprecated, ...(instead && { instead }) },
  ];
}

function compareParameters(before: Thing, after: Thing): Fact[] {
  if (!before.parameters || !after.parameters) return [];
  const pair = { id: before.id, before, after };
  const old = new Map(before.parameters.map((each, index) => [each.name, { ...each, index }] as const));
  const fresh = new Map(after.parameters.map((each, index) => [each.name, { ...each, index }] as const));
  const gone = before.parameters.filter(({ name }) => !fresh.has(name));
  const come = after.parameters.filter(({ name }) => !old.has(name));
  const renamed = pairParameters(gone, come, before, after);
  const facts: Fact[] = [];
  for (const [from, to] of renamed)
    facts.push({
      kind: "parameter-renamed",
      ...pair,
      parameter: from.name,
      newParameter: to.name,
      ...typesOf(from, to),
    });
  for (const each of gone)
    if (!renamed.has(each))
      facts.push({
        kind: "parameter-removed",
        ...pair,
        parameter: each.name,
        ...(each.type && { from: each.type }),
      });
  const successors = new Set(renamed.values());
  for (const each of come)
    if (!successors.has(each))
      facts.push({
        kind: "parameter-added",
        ...pair,
        parameter: each.name,
        ...(each.type && { to: each.type }),
      });
  const kept = before.parameters.filter(({ name }) => fresh.has(name));
  if (isReordered(kept.map(({ name }) => fresh.get(name)!.index)))
    facts.push({ kind: "parameters-reordered", ...pair });
  for (const each of kept) {
    const other = fresh.get(each.name)!;
    const parameter = { ...pair, parameter: each.name };
    facts.push(...changed("type-changed", parameter, each.type, other.type));
    facts.push(...changed("default-changed", parameter, each.default, other.default));
  }
  return facts;
}

function typesOf(from: ThingParameter, to: ThingParameter): Pick<Fact, "from" | "to"> {
  return { ...(from.type && { from: from.type }), ...(to.type && { to: to.type }) };
}

/** A parameter is renamed when it keeps its place and its type, its default or part of its name. */
function pairParameters(
  gone: readonly ThingParameter[],
  come: readonly ThingParameter[],
  before: Thing,
  after: Thing,
): ReadonlyMap<ThingParameter, ThingParameter> {
  const pairs = new Map<ThingParameter, ThingParameter>();
  if (gone.length !== come.length && !(gone.length === 1 || come.length === 1)) return pairs;
  for (const from of gone) {
    const at = before.parameters!.indexOf(from);
    const to = come.find((each) => after.parameters!.indexOf(each) === at);
    if (!to || from.rest !== to.rest || /[{[]/.test(from.name + to.name)) continue;
    const type = from.type !== undefined && plain(from.type) === plain(to.type);
    const value = from.default !== undefined && plain(from.default) === plain(to.default);
    const alone = before.parameters!.length === after.parameters!.length && gone.length === 1;
    if (type || value || compareNames(from.name, to.name) >= 0.5 || (alone && from.type === to.type))
      pairs.set(from, to);
  }
  return pairs;
}

function isReordered(indexes: readonly number[]): boolean {
  return indexes.some((index, at) => at > 0 && index < indexes[at - 1]!);
}
