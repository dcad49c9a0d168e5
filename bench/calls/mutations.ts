import { isRequired } from "../../src/drift/calls/fits.ts";
import type { SampleClaim } from "../../src/drift/claims/sample/sample.ts";
import type { Thing } from "../../src/drift/surface/thing.ts";
import type { Region } from "../../src/text/model/region.ts";
import type { Splice } from "../../src/text/model/splice.ts";

/** One way to break a call, and the kind that has to notice it. */
export type Mutation = { readonly way: string; readonly kind: "sample" | "exists"; readonly splice: Splice };

/** Every way in which a call that fits can be broken once. */
export function mutationsOf(claim: SampleClaim, things: readonly Thing[]): Mutation[] {
  return [
    ...misspeltKeyword(claim, things),
    ...lostArgument(claim, things),
    ...lostAwait(claim),
    ...strangeKey(claim, things),
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

function lostAwait(claim: SampleClaim): Mutation[] {
  const { page, region, sample, call } = claim;
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

/** A key of an options object. The keys of a type parameter, of `any` or of a record are the reader's own. */
function strangeKey(claim: SampleClaim, things: readonly Thing[]): Mutation[] {
  const at = claim.call.arguments.findIndex(({ keys = [] }) => keys.length > 0);
  const key = claim.call.arguments[at]?.keys?.[0];
  const isOwn = things.some(({ parameters = [], declaration = "" }) =>
    isData(parameters[at]?.type ?? "", declaration),
  );
  if (isOwn) return [];
  return key
    ? [
        {
          way: "option key",
          kind: "sample",
          splice: { region: onPage(claim, key.region), text: misspell(key.name) },
        },
      ]
    : [];
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
