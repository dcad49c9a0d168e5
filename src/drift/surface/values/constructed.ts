import type { Declaration } from "../../../syntax/source/declaration.ts";
import type { CodeText } from "../read/code-text.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { typeName } from "./enclosing.ts";
import { bareValue, isConstantName, isPlainValue, valueAt } from "./value-text.ts";

const MAKER = /^(?:new|default)(?:_?\w*)$/i;

/** Gives the fields of a struct the values that its constructors and checks for empty fields write. */
export function withConstructed(
  things: readonly Thing[],
  offered: readonly OfferedDeclaration[],
  code: CodeText,
): readonly Thing[] {
  const written = new Map<string, string>();
  for (const { declaration } of offered) {
    const { kind, name, body } = declaration;
    const isTable = /^(?:variable|constant)$/.test(kind) && /default/i.test(name);
    if (!isTable && (!body || (kind !== "function" && kind !== "method"))) continue;
    const found = isTable || MAKER.test(name) ? readMaker(declaration, code) : readChecks(declaration, code);
    for (const [field, value] of found) if (!written.has(field)) written.set(field, value);
  }
  if (written.size === 0) return things;
  const byPlace = new Map<number, string>();
  for (const { declaration } of offered) {
    const value = written.get(`${declaration.path.at(-2)}.${declaration.name}`);
    if (value !== undefined && declaration.kind === "property") byPlace.set(declaration.region.start, value);
  }
  return things.map((thing) => {
    const value = byPlace.get(thing.region.start);
    const isField = thing.kind === "member" || thing.kind === "setting";
    return value !== undefined && isField && thing.value === undefined ? { ...thing, value } : thing;
  });
}

type FieldValue = readonly [field: string, value: string];

/** `return &Config{Port: 80}`, `Self { port: 80 }`, `c.Port = 80`. */
function readMaker(declaration: Declaration, code: CodeText): FieldValue[] {
  const { start, end } = declaration.body ?? declaration.region;
  const holder = declaration.path.at(-2);
  const made = typeName(declaration.returns?.replace(/^\(|,.*$/g, "")) ?? holder;
  const found: FieldValue[] = [];
  for (const literal of code.code.slice(start + 1, end).matchAll(/\b(Self|[A-Z]\w*)\s*(?:::\s*\w+\s*)?\{/g)) {
    const type = literal[1] === "Self" ? holder : literal[1];
    const group = code.readGroup(start + literal.index + literal[0].length);
    for (const { name, text } of group?.arguments ?? []) {
      const value = bareValue(text);
      if (name && isKnown(value, declaration)) found.push([`${type}.${name}`, value]);
    }
  }
  for (const set of code.code.slice(start, end).matchAll(/^[ \t]*\w+\.(\w+)\s*=\s*(?!=)/gm)) {
    const value = valueAt(code, start + set.index + set[0].length);
    if (value !== undefined && made && isKnown(value, declaration)) found.push([`${made}.${set[1]!}`, value]);
  }
  return found;
}

/** Whether a value is written in the code: what a caller passes is no default. */
function isKnown(value: string, { parameters = [] }: Declaration): boolean {
  const root = /^\w+/.exec(value)?.[0];
  return (isPlainValue(value) || isConstantName(value)) && !parameters.some(({ name }) => name === root);
}

/** `if c.Port == 0 { c.Port = 80 }`, `if c.Port == 0 { return 80 }`. */
function readChecks(declaration: Declaration, code: CodeText): FieldValue[] {
  if (code.family !== "go") return [];
  const { start, end } = declaration.body!;
  const signature = code.code.slice(declaration.signature.start, start);
  const receiver = /^func\s*\(\s*(\w+)\s+\*?(\w+)/.exec(signature);
  const pattern =
    /\bif\s+(?:len\()?(\w+)\.(\w+)\)?\s*(?:==|<=)\s*(?:""|0|nil|false)\s*\{\s*(?:\1\.\2\s*=|return)\s*/g;
  const body = code.code.slice(start, end);
  return Array.from(body.matchAll(pattern)).flatMap((check) => {
    if (check[0].includes("return") && !body.includes(`return ${check[1]}.${check[2]}`)) return [];
    const value = valueAt(code, start + check.index + check[0].length);
    const type =
      receiver?.[1] === check[1]
        ? receiver?.[2]
        : typeName(declaration.parameters?.find(({ name }) => name === check[1])?.type);
    return value !== undefined && type ? [[`${type}.${check[2]!}`, value] as const] : [];
  });
}

/** Gives a method that sets a private field the field's value: `maxSize(…)`, `setMaxSize(…)`, `withMaxSize(…)`. */
export function withFieldValues(things: readonly Thing[]): readonly Thing[] {
  const place = (owner: readonly string[], name: string): string => [...owner, name].join("\0");
  const kept = new Map(
    things.flatMap(({ exported, parameters, value, owner, name }) =>
      exported === "no" && !parameters && value !== undefined ? [[place(owner, name), value] as const] : [],
    ),
  );
  if (kept.size === 0) return things;
  return things.map((thing) => {
    if (thing.parameters?.length !== 1 || thing.value !== undefined) return thing;
    const field = thing.name.replace(/^(?:set|with)([A-Z])/, (_, first: string) => first.toLowerCase());
    const value = kept.get(place(thing.owner, field));
    return value === undefined ? thing : { ...thing, value };
  });
}
