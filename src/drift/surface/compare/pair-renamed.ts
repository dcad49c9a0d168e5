import { compareSketches } from "../read/sketch.ts";
import type { Thing } from "../thing.ts";
import { compareNames, compareWords } from "./similar.ts";

/** In what the two things of a rename agree. */
type Agreement =
  | "name"
  | "declaration"
  | "parameters"
  | "type"
  | "value"
  | "description"
  | "body"
  | "members"
  | "position"
  | "file"
  | "replacement";

export type RenamedPair = {
  readonly before: Thing;
  readonly after: Thing;
  readonly evidence: readonly Agreement[];
  readonly score: number;
};

/** The ids of the nearest unchanged siblings before and after a thing. */
export type Neighbours = ReadonlyMap<Thing, { readonly previous?: string; readonly next?: string }>;

/** The context of the things of one surface: their neighbours, and the names of the members of each owner. */
export type Surroundings = {
  readonly neighbours: Neighbours;
  readonly members: (owner: Thing) => ReadonlySet<string>;
};

type Both = { readonly before: Surroundings; readonly after: Surroundings };

/** People do not rename more things at once: beyond this, only things with something rare in common are compared. */
const MOST_PAIRS = 20_000;
const LEAST = 0.5;
const MARGIN = 0.08;

/**
 * Pairs things that are gone with things that are new, each at most once. A pair needs agreements beyond kind and owner
 * and must be better than every other pair of either side.
 */
export function pairRenamed(
  gone: readonly Thing[],
  fresh: readonly Thing[],
  surroundings: Both,
): RenamedPair[] {
  const candidates: RenamedPair[] = [];
  const successors = gone.length * fresh.length > MOST_PAIRS ? findLikely(fresh) : () => fresh;
  for (const before of gone)
    for (const after of successors(before)) {
      const pair = weigh(before, after, surroundings);
      if (pair) candidates.push(pair);
    }
  return chooseBest(candidates);
}

/** Of many new things, those that share a part of the name, the description or the value. */
function findLikely(fresh: readonly Thing[]): (before: Thing) => readonly Thing[] {
  const byKey = new Map<string, Thing[]>();
  for (const thing of fresh)
    for (const key of keysOf(thing)) {
      const list = byKey.get(key);
      if (!list) byKey.set(key, [thing]);
      else if (list.length < 20) list.push(thing);
    }
  return (before) => [...new Set(keysOf(before).flatMap((key) => byKey.get(key) ?? []))];
}

function keysOf({ name, description, declaration, sketch }: Thing): string[] {
  return [
    `n:${name.toLowerCase().slice(0, 5)}`,
    `e:${name.toLowerCase().slice(-5)}`,
    ...(description ? [`d:${description}`] : []),
    ...(declaration ? [`s:${withoutName(declaration, name)}`] : []),
    ...(sketch ? [`b:${sketch[0]}`] : []),
  ];
}

function weigh(before: Thing, after: Thing, surroundings: Both): RenamedPair | undefined {
  if (before.name === after.name && before.owner.join() === after.owner.join()) return undefined;
  if (shapeOf(before) !== shapeOf(after) || doAnother(before, after)) return undefined;
  const evidence: Agreement[] = [];
  let score = 0;
  const add = (agreement: Agreement, weight: number) => {
    evidence.push(agreement);
    score += weight;
  };
  const likeness =
    before.name === after.name
      ? 1
      : before.kind === "message"
        ? compareWords(before.name, after.name)
        : compareNames(before.name, after.name);
  if (likeness >= (before.kind === "message" ? 0.6 : 0.4)) add("name", 0.45 * likeness);
  if (agreeOnDeclaration(before, after)) add("declaration", 0.2);
  if (agreeOnParameters(before, after)) add("parameters", 0.2);
  if (before.type !== undefined && before.type === after.type)
    add("type", isCommon(before.type) ? 0.05 : 0.15);
  if (before.value !== undefined && before.value === after.value)
    add("value", isCommon(before.value) ? 0.08 : 0.2);
  const words =
    before.description && after.description ? compareWords(before.description, after.description) : 0;
  if (words >= 0.6) add("description", 0.35 * words);
  const body = before.sketch && after.sketch ? compareSketches(before.sketch, after.sketch) : 0;
  if (body >= 0.5) add("body", 0.45 * body);
  const members = compareMembers(surroundings.before.members(before), surroundings.after.members(after));
  if (members >= 0.5) add("members", 0.4 * members);
  if (agreeOnPlace(before, after, surroundings)) add("position", 0.25);
  if (before.path === after.path) add("file", 0.05);
  if (before.deprecated?.includes(after.name)) add("replacement", 0.4);
  return isEnough(evidence, likeness) && score >= LEAST
    ? { before, after, evidence, score: Math.min(1, Math.round(score * 100) / 100) }
    : undefined;
}

/** Position and type alone prove nothing: a name, a text or a body must agree, or three weaker features. */
function isEnough(evidence: readonly Agreement[], likeness: number): boolean {
  const further = evidence.filter((each) => each !== "file" && each !== "name");
  if (evidence.includes("name")) return further.length > 0 || (likeness >= 0.85 && evidence.includes("file"));
  return (
    evidence.some((each) => /^(?:body|members|description|parameters|value|replacement)$/.test(each)) &&
    further.length > 1
  );
}

/** A constant does not become a class by a rename. A function may become a constant that holds one. */
function shapeOf({ kind, declaration }: Thing): string {
  if (kind !== "symbol" || !declaration) return kind;
  return TYPE_DECLARATION.test(declaration) ? "type" : "value";
}

/** Whether two switches do something else, as the first words of their descriptions say: one reuses, the other recreates. */
function doAnother(before: Thing, after: Thing): boolean {
  const isSwitch = ({ kind, type, value }: Thing): boolean =>
    kind === "flag" && value === undefined && (type === undefined || /^bool/i.test(type));
  const verb = ({ description }: Thing): string | undefined =>
    description?.trim().split(/\W/, 1)[0]?.toLowerCase();
  const [was, is] = [verb(before), verb(after)];
  return isSwitch(before) && isSwitch(after) && was !== undefined && is !== undefined && was !== is;
}

const TYPE_DECLARATION =
  /^(?:(?:export|default|declare|public|abstract|final|sealed|static|data|open|pub(?:\([^)]*\))?)\s+)*(?:class|interface|type|enum|struct|trait|union|record|module|namespace|object)\b/;

/** How much two owners share of their members, 0 to 1. One member in common is a coincidence. */
function compareMembers(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  const shared = [...before].filter((each) => after.has(each)).length;
  return shared < 2 ? 0 : (2 * shared) / (before.size + after.size);
}

function agreeOnDeclaration(before: Thing, after: Thing): boolean {
  if (!before.declaration || !after.declaration) return false;
  const rest = withoutName(before.declaration, before.name);
  return rest.length >= 12 && rest === withoutName(after.declaration, after.name);
}

function withoutName(declaration: string, name: string): string {
  return declaration.split(name).join("_").replace(/\s+/g, " ");
}

function agreeOnParameters(before: Thing, after: Thing): boolean {
  const names = ({ parameters }: Thing) =>
    parameters?.map(({ name, type }) => `${name}:${type ?? ""}`).join() ?? "";
  return names(before) !== "" && names(before) === names(after);
}

/** Types and values that half of all things have. */
function isCommon(text: string): boolean {
  return /^(?:\??(?:string|str|bool|boolean|number|int|usize|any|void|None|error|String|Option<String>|Bool|Int|Promise<void>|unknown|&str|&'a str)|true|false|True|False|null|nil|0|1|""|''|\[\]|\{\})$/.test(
    text,
  );
}

function agreeOnPlace(before: Thing, after: Thing, surroundings: Both): boolean {
  if (before.path !== after.path) return false;
  const old = surroundings.before.neighbours.get(before);
  const fresh = surroundings.after.neighbours.get(after);
  if (!old || !fresh) return false;
  const previous = old.previous === fresh.previous;
  const next = old.next === fresh.next;
  return previous && next && (old.previous !== undefined || old.next !== undefined);
}

function chooseBest(candidates: readonly RenamedPair[]): RenamedPair[] {
  const best = new Map<Thing, number>();
  const second = new Map<Thing, number>();
  for (const { before, after, score } of candidates)
    for (const side of [before, after]) {
      const top = best.get(side) ?? 0;
      if (score > top) {
        second.set(side, top);
        best.set(side, score);
      } else second.set(side, Math.max(second.get(side) ?? 0, score));
    }
  return candidates.filter(({ before, after, score }) =>
    [before, after].every((side) => best.get(side) === score && score - (second.get(side) ?? 0) >= MARGIN),
  );
}
