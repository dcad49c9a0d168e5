import { findDeclared } from "../../src/drift/calls/find-declared.ts";
import { isRequired } from "../../src/drift/calls/fits.ts";
import type { SampleClaim } from "../../src/drift/claims/sample/sample.ts";
import type { State } from "../../src/drift/state/state.ts";
import type { Thing } from "../../src/drift/surface/thing.ts";
import type { Region } from "../../src/text/model/region.ts";
import type { Splice } from "../../src/text/model/splice.ts";

/** One way to break a call, and the kind that has to notice it. */
export type Mutation = { readonly way: string; readonly kind: "sample" | "exists"; readonly splice: Splice };

/** Every way in which a call that fits can be broken once. */
export async function mutationsOf(
  claim: SampleClaim,
  things: readonly Thing[],
  state: State,
): Promise<Mutation[]> {
  return [
    ...misspeltKeyword(claim, things),
    ...lostArgument(claim, things),
    ...lostAwait(claim, things),
    ...(await strangeKeys(claim, things, state)),
    ...renamedImport(claim),
  ];
}

/** Where every overload has a parameter of that name: an options hash takes any key. */
function misspeltKeyword(claim: SampleClaim, things: readonly Thing[]): Mutation[] {
  if (
    things.some(({ parameters = [] }) => parameters.some(({ rest, keyword }) => rest && keyword === "only"))
  )
    return [];
  const keyword = claim.call.arguments.find((one) => one.keyword)?.keyword;
  const isNamed = things.every(({ parameters = [] }) =>
    parameters.some(({ name }) => name === keyword?.name),
  );
  return keyword && (isNamed || claim.call.isLiteral)
    ? [
        {
          way: "keyword",
          kind: "sample",
          splice: { region: onPage(claim, keyword.region), text: misspell(keyword.name) },
        },
      ]
    : [];
}

/** The last argument by place, where every overload needs it. */
function lostArgument(claim: SampleClaim, things: readonly Thing[]): Mutation[] {
  const placed = claim.call.arguments.filter(
    ({ keyword, isTrailing, region }) => !keyword && !isTrailing && region.start > claim.call.region.start,
  );
  const last = placed.at(-1);
  const needed = things.every(({ parameters = [] }) => {
    const parameter = parameters.filter(({ rest, keyword }) => !rest && keyword !== "only")[
      placed.length - 1
    ];
    const isTyped = claim.sample.family !== "javascript" || parameter?.type !== undefined;
    return parameter !== undefined && isTyped && isRequired(parameter);
  });
  if (!last || !needed || placed.length !== claim.call.arguments.length) return [];
  const start = placed.at(-2)?.region.end ?? last.region.start;
  const region = onPage(claim, { start, end: last.region.end });
  return [{ way: "argument", kind: "sample", splice: { region, text: "" } }];
}

/** Where the result is no more than a promise: one that has members of its own may be used without waiting for it. */
function lostAwait(claim: SampleClaim, things: readonly Thing[]): Mutation[] {
  const { page, region, sample, call } = claim;
  if (things.some(({ type = "" }) => /^\w+Promise\b/.test(type))) return [];
  if (!call.isAwaited || call.use !== "value") return [];
  const { text } = page;
  const behind = /^\.await\b/.exec(text.slice(region.end, region.end + 8))?.[0].length;
  if (behind !== undefined)
    return [
      {
        way: "await",
        kind: "sample",
        splice: { region: { start: region.end, end: region.end + behind }, text: "" },
      },
    ];
  const before = text.slice(sample.region.start, region.start);
  const wait = /\bawait\s+(?=[\w.$:]*$)/.exec(before);
  if (!wait) return [];
  const start = sample.region.start + wait.index;
  return [
    { way: "await", kind: "sample", splice: { region: { start, end: start + wait[0].length }, text: "" } },
  ];
}

/** Whether the keys are the reader's own: the type is made of type parameters, or takes any key. */
function isData(type: string, declaration: string): boolean {
  const list = declaration.slice(0, declaration.indexOf("("));
  const isAnything = (word: string): boolean =>
    ANYTHING.test(word) || new RegExp(String.raw`[<,]\s*(?:const\s+)?${word}\b`).test(list);
  // What is a type parameter among other things is inferred from the argument.
  const parts = type.split("&").map((part) => part.trim());
  return (
    /^(?:Partial<|Readonly<)*Record<|\{\s*\[/.test(type) ||
    parts.some((part) => /^\w+$/.test(part) && isAnything(part)) ||
    (type.match(/[A-Za-z_$][\w$]*/g) ?? []).every(isAnything)
  );
}

const ANYTHING =
  /^(?:T\w?|T[A-Z]\w*|any|unknown|object|string|null|undefined|Partial|Readonly|Array|keyof|in|extends)$/;

/** A key of each options object. The keys of a type parameter, of `any` or of a record are the reader's own. */
async function strangeKeys(
  { call, ...claim }: SampleClaim,
  things: readonly Thing[],
  state: State,
): Promise<Mutation[]> {
  const found: Mutation[] = [];
  for (const [at, { keys = [] }] of call.arguments.entries()) {
    const types = things.map(({ parameters = [], declaration = "", path }) => ({
      type: parameters[at]?.type,
      declaration,
      path,
    }));
    const isOwn = types.some(({ type = "", declaration }) => isData(type, declaration));
    if (!keys[0] || isOwn) continue;
    let isTheirs = true;
    for (const { type, path } of types)
      if (type !== undefined && !(await isOfProject(type, path, state, 6))) isTheirs = false;
    if (isTheirs)
      found.push({
        way: "option key",
        kind: "sample",
        splice: { region: onPage({ call, ...claim }, keys[0].region), text: misspell(keys[0].name) },
      });
  }
  return found;
}

/** Whether all types that give an object its keys are written in the project. */
async function isOfProject(type: string, path: string, state: State, depth: number): Promise<boolean> {
  const plain = type
    .replace(/\b(?:Partial|Readonly|Required|NoInfer|Omit|Pick)</g, "")
    .replace(/=>[^|&]*/g, "");
  const names = dropBrackets(plain).match(/[A-Z]\w*/g) ?? [];
  for (const name of names) {
    const near = (await state.surface(path)).filter((one) => one.name === name && one.kind === "symbol");
    const all = near.length > 0 ? near : ((await findDeclared(name, { family: "javascript", state })) ?? []);
    const [declared] = all.filter(({ kind, owner }) => kind === "symbol" && owner.length === 0);
    if (!declared) return false;
    const text = ((await state.text(declared.path)) ?? "").slice(declared.region.start, declared.region.end);
    const head = /\binterface\s+\w+(?:<[^{]*?>)?\s*(?:extends\s+([^{]*))?\{/.exec(text);
    const given = head ? (head[1] ?? "") : (declared.type ?? /=([\s\S]*)$/.exec(text)?.[1] ?? "");
    if (depth > 0 && !(await isOfProject(given, declared.path, state, depth - 1))) return false;
  }
  return true;
}

/** A type without what stands between its brackets. */
function dropBrackets(type: string): string {
  for (let text = type; ; ) {
    const next = text.replace(
      /\{[^{}]*\}|\([^()]*\)|\[[^[\]]*\]|<[^<>]*>|"[^"]*"|'[^']*'|\/\*[\s\S]*?\*\/|\/\/.*/g,
      "",
    );
    if (next === text) return text;
    text = next;
  }
}

/** The name in the import of the sample that the call goes through. */
function renamedImport(claim: SampleClaim): Mutation[] {
  const { page, sample, call } = claim;
  const imported = sample.imports.find(({ local, name }) => local === call.callee[0] && name === local);
  if (!imported || !sample.isWhole) return [];
  const text = page.text.slice(sample.region.start, sample.region.end);
  const line = new RegExp(String.raw`^[^\n]*\b(?:import|use|from)\b[^\n]*?\b(${imported.name})\b`, "m").exec(
    text,
  );
  if (!line) return [];
  const end = sample.region.start + line.index + line[0].length;
  const region = { start: end - imported.name.length, end };
  return [{ way: "import", kind: "exists", splice: { region, text: misspell(imported.name) } }];
}

/** A name that nothing has. */
function misspell(name: string): string {
  return `${name}Quux`;
}

function onPage({ sample }: SampleClaim, { start, end }: Region): Region {
  return { start: sample.region.start + start, end: sample.region.start + end };
}
