import { type Thing, type ThingKind, thingId } from "../thing.ts";
import { typeName } from "../values/enclosing.ts";
import type { OfferedDeclaration } from "./symbols.ts";

/**
 * Each thing once: a key of a type, its default and its description may stand in three places. Overloads stay apart, and
 * so do declarations with two values, because none of them is the only one.
 */
export function joinThings(things: readonly Thing[]): readonly Thing[] {
  const byPlace = new Map<string, Thing>();
  for (const thing of things) {
    const place = `${thing.id}\0${thing.parameters ? thing.region.start : ""}`;
    const other = byPlace.get(place);
    if (!other) byPlace.set(place, thing);
    else if (isContrary(thing, other)) byPlace.set(`${place}\0${thing.value}`, thing);
    else byPlace.set(place, join(thing, other));
  }
  return [...byPlace.values()];
}

const VALUED: ReadonlySet<ThingKind> = new Set(["setting", "environment", "flag"]);

function isContrary(a: Thing, b: Thing): boolean {
  return VALUED.has(a.kind) && a.value !== undefined && b.value !== undefined && a.value !== b.value;
}

/** The more detailed of two declarations, with what only the other one says. */
function join(a: Thing, b: Thing): Thing {
  const [more, less] = weigh(a) > weigh(b) ? [a, b] : [b, a];
  const exported = more.exported === "yes" || less.exported === "yes" ? "yes" : more.exported;
  const { value, type, description, deprecated, choices, limits } = less;
  const rest = { value, type, description, deprecated, choices, limits };
  const given = Object.fromEntries(Object.entries(rest).filter(([, field]) => field !== undefined));
  return { ...given, ...more, exported };
}

function weigh({ declaration, description, type, value }: Thing): number {
  const has = (field: unknown, weight: number) => (field === undefined ? 0 : weight);
  return has(declaration, 4) + has(description, 2) + has(type, 1) + has(value, 1);
}

/** Gives the entries of a table of defaults the type of the table as their owner: they are defaults of its keys. */
export function withTypedTables(
  things: readonly Thing[],
  offered: readonly OfferedDeclaration[],
): readonly Thing[] {
  const types = new Map<string, string>();
  for (const { declaration } of offered) {
    const { kind, path, type } = declaration;
    const name =
      kind === "constant" || kind === "variable" || kind === "property" ? typeName(type) : undefined;
    if (name) types.set(path.join("\0"), name);
  }
  if (types.size === 0) return things;
  return things.map((thing) => {
    const type = thing.kind === "setting" ? types.get(thing.owner.join("\0")) : undefined;
    if (type === undefined || thing.value === undefined) return thing;
    return { ...thing, owner: [type], id: thingId(thing.kind, [type], thing.name) };
  });
}

const CHOOSING: ReadonlySet<ThingKind> = new Set(["setting", "parameter", "symbol", "member"]);
const LITERAL_TYPE = /^(?:Literal\[(.*)\]|((?:"[^"]*"|'[^']*'|\d+)(?:\s*\|\s*(?:"[^"]*"|'[^']*'|\d+))+))$/;

/** Gives each thing the values that the file lists for it: an enumeration, a union of literals. */
export function withChoices(things: readonly Thing[]): readonly Thing[] {
  const members = Map.groupBy(
    things.filter(({ kind, exported }) => kind === "enum-value" && exported !== "no"),
    ({ owner }) => owner.join("\0"),
  );
  const values = new Map([...members].map(([owner, each]) => [owner, each.map(({ name }) => name)] as const));
  return things.map((thing) => {
    if (thing.choices) return thing;
    const accepted = thing.kind === "flag" ? members.get(thing.type ?? "")?.flatMap(typedWord) : undefined;
    if (accepted?.length) return { ...thing, choices: [...new Set(accepted)] };
    if (!CHOOSING.has(thing.kind)) return thing;
    const own = isList(thing) ? undefined : values.get([...thing.owner, thing.name].join("\0"));
    const choices = own ?? literals(thing.type) ?? (thing.type && values.get(thing.type));
    return choices ? { ...thing, choices } : thing;
  });
}

/** A value of an enumeration as a reader types it behind a flag: its text, or its name if that is a word. */
function typedWord({ name, value }: Thing): string[] {
  const text = /^(["'])([\w.-]+)\1$/.exec(value ?? "")?.[2];
  return text !== undefined ? [text] : name === name.toLowerCase() ? [name] : [];
}

/** Whether the strings below a key are its value, not what it accepts. */
function isList({ kind, type, declaration }: Thing): boolean {
  return kind !== "symbol" && declaration !== undefined && type === undefined;
}

/** The literals of a union: `"a" | "b"`, `Literal["a", "b"]`. */
function literals(type: string | undefined): string[] | undefined {
  const union = LITERAL_TYPE.exec(type ?? "");
  if (!union) return undefined;
  const found = Array.from(union[0].matchAll(/(["'])(.*?)\1|\b\d+\b/g), ([whole, , text]) => text ?? whole);
  return found.length > 0 ? found : undefined;
}
