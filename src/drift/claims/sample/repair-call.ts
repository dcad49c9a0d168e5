import type { CallArgument, SampleKey, SampleLiteral } from "../../../syntax/source/fragment.ts";
import { applySplices, type Splice } from "../../../text/model/splice.ts";
import { renamedParameter } from "../../calls/renamed-parameter.ts";
import type { Thing, ThingParameter } from "../../surface/thing.ts";
import type { SampleClaim } from "./sample.ts";

/** A function before and after a change. */
type BothThings = { readonly before: Thing; readonly after: Thing };

/** The call with the names that the new declaration gives for certain; undefined where a person has to write it. */
export function repairCall(claim: SampleClaim, { before, after }: BothThings): string | undefined {
  const { parameters: was = [] } = before;
  const { parameters: is = [] } = after;
  const splices =
    renamedKeywords(claim, was, is) ??
    namedArguments(claim, was, is) ??
    addedContext(claim, was, is) ??
    dropped(claim, was, is);
  return splices ? applied(claim, splices) : undefined;
}

/** The choice that takes the place of the one that the call passes. */
export function repairChoice(
  claim: SampleClaim,
  { text, region }: SampleLiteral,
  { was, is }: { readonly was: ReadonlySet<string>; readonly is: ReadonlySet<string> },
): string | undefined {
  const gone = [...was].filter((one) => !is.has(one));
  const fresh = [...is].filter((one) => !was.has(one));
  const isRenamed = gone.length === 1 && fresh.length === 1 && gone[0] === text;
  return isRenamed ? applied(claim, [{ region, text: fresh[0]! }]) : undefined;
}

/** The key that takes the place of one that is gone: the only new one, of the same type. */
export function repairKey(
  claim: SampleClaim,
  { name, region }: SampleKey,
  { was, is }: { readonly was: ReadonlyMap<string, string>; readonly is: ReadonlyMap<string, string> },
): string | undefined {
  const gone = [...was.keys()].filter((one) => !is.has(one));
  const [fresh, ...others] = [...is.keys()].filter((one) => !was.has(one));
  const isRenamed = gone.length === 1 && gone[0] === name && others.length === 0;
  if (!isRenamed || fresh === undefined || is.get(fresh) !== was.get(name)) return undefined;
  const written = claim.page.text.slice(
    claim.sample.region.start + region.start,
    claim.sample.region.start + region.end,
  );
  return applied(claim, [{ region, text: written.replace(name, () => fresh) }]);
}

function applied({ page, sample, region }: SampleClaim, splices: readonly Splice[]): string {
  const offset = region.start - sample.region.start;
  const moved = splices.map((splice) => ({
    ...splice,
    region: { start: splice.region.start - offset, end: splice.region.end - offset },
  }));
  return applySplices(page.text.slice(region.start, region.end), moved);
}

type List = readonly ThingParameter[];

function renamedKeywords({ call }: SampleClaim, was: List, is: List): Splice[] | null {
  const splices = call.arguments.flatMap(({ keyword }) => {
    if (!keyword || is.some(({ name }) => name === keyword.name)) return [];
    const now = renamedParameter(keyword.name, { was, is });
    return [now === undefined ? null : { region: keyword.region, text: now }];
  });
  return splices.length > 0 && splices.every((splice) => splice !== null) ? splices : null;
}

/** Arguments by place whose parameters are passed by name only now. */
function namedArguments({ call, sample: { family } }: SampleClaim, was: List, is: List): Splice[] | null {
  const places = was.filter(({ keyword, rest }) => keyword !== "only" && !rest);
  const splices = placed(call.arguments).flatMap(({ region: { start } }, at) => {
    const named = is.find(({ name, keyword }) => name === places[at]?.name && keyword === "only");
    return named
      ? [{ region: { start, end: start }, text: family === "ruby" ? `${named.name}: ` : `${named.name}=` }]
      : [];
  });
  return splices.length > 0 ? splices : null;
}

/** Go's context, which every program has under one name. */
function addedContext({ call }: SampleClaim, was: List, is: List): Splice[] | null {
  const [first, ...others] = is;
  if (first?.type !== "context.Context" || !isSameList(was, others)) return null;
  const start = call.arguments[0]?.region.start;
  return start === undefined ? null : [{ region: { start, end: start }, text: "ctx, " }];
}

/** One parameter is gone and the others stay as they are. */
function dropped({ call }: SampleClaim, was: List, is: List): Splice[] | null {
  const gone = was.findIndex((one, at) => one.name !== is[at]?.name);
  if (gone < 0 || !isSameList([...was.slice(0, gone), ...was.slice(gone + 1)], is)) return null;
  const given = placed(call.arguments);
  const argument = given[gone];
  if (!argument || given.length !== call.arguments.length) return null;
  const [before, next] = [given[gone - 1], given[gone + 1]];
  const start = before ? before.region.end : argument.region.start;
  const end = before ? argument.region.end : (next?.region.start ?? argument.region.end);
  return [{ region: { start, end }, text: "" }];
}

function placed(list: readonly CallArgument[]): CallArgument[] {
  return list.filter(({ keyword }) => keyword === undefined);
}

function isSameList(a: List, b: List): boolean {
  return (
    a.length === b.length && a.every(({ name, type }, at) => name === b[at]!.name && type === b[at]!.type)
  );
}
