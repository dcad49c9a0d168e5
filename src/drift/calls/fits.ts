import type { SampleCall, SampleLiteral } from "../../syntax/source/fragment.ts";
import type { Thing, ThingParameter } from "../surface/thing.ts";

/** Whether a call fits a declaration, and if not, why. */
export type CallFit =
  | { readonly is: "fits" }
  | { readonly is: "unknown" }
  | ({ readonly is: "misfit" } & CallMisfit);

export type CallMisfit = {
  readonly why: "too few" | "too many" | "keyword" | "missing" | "choice" | "not-awaited" | "result";
  readonly name?: string;
  /** The string that is none of the choices. */
  readonly literal?: SampleLiteral;
  readonly choices?: ReadonlySet<string>;
};

const FITS: CallFit = { is: "fits" };
export const UNKNOWN: CallFit = { is: "unknown" };

/** Whether the arguments of a call fit a list of parameters. Types are not asked. */
export function fitCall(
  call: SampleCall,
  { parameters: all = [], declaration = "" }: Pick<Thing, "parameters" | "declaration">,
  family: string,
): CallFit {
  if (call.isOpen && !call.isLiteral) return UNKNOWN;
  // A call of Go may return several values, each of which is an argument.
  if (family === "go" && call.arguments.length === 1 && call.arguments[0]!.isCall) return UNKNOWN;
  const isTrailed = call.arguments.some(({ isTrailing }) => isTrailing);
  // A lambda behind the call is the last parameter; what is left is passed in the parentheses.
  const parameters = (isTrailed ? all.slice(0, -1) : all).filter((one) => !isBlock(one, family));
  if (isTrailed && all.length === 0) return { is: "misfit", why: "too many" };
  const passed = call.arguments.filter(
    ({ isTrailing, isAttributes, keys }) =>
      !isTrailing && !(isAttributes && keys?.length === 0 && all.length === 0),
  );
  const keywords = passed.flatMap(({ keyword }) => (keyword ? [keyword.name] : []));
  const given = passed.length - keywords.length;
  const places = parameters.filter(({ keyword, rest }) => keyword !== "only" && !rest);
  const hasRest = parameters.some(({ rest, keyword }) => rest && keyword !== "only");
  const hasKeywordRest = parameters.some(({ rest, keyword }) => rest && keyword === "only");
  // A hash that a Ruby call writes without braces is its last positional argument where there are no keywords.
  const isHash =
    family === "ruby" && keywords.length > 0 && !parameters.some(({ keyword }) => keyword === "only");
  if (isHash) return fitPlaces(given + 1, places, hasRest);
  const strange = keywords.find(
    (name) => !parameters.some((one) => one.name === name && one.keyword !== "never" && !one.rest),
  );
  if (strange !== undefined && !hasKeywordRest) return { is: "misfit", why: "keyword", name: strange };
  if (call.isOpen) return FITS;
  const named = new Set(keywords);
  const missing = parameters.find(
    (one) =>
      isRequired(one) && !named.has(one.name) && (one.keyword === "only" || places.indexOf(one) >= given),
  );
  if (given > places.length && !hasRest) return { is: "misfit", why: "too many" };
  // A keyword that the declaration only hands on is for another function to know.
  if (!missing) return strange === undefined ? FITS : UNKNOWN;
  // JavaScript calls with too few arguments run; only types say that they may not, and a type parameter may be `void`.
  const { type = "" } = missing;
  const isBounded = type !== "" && declaration.includes(`${type} extends `);
  if (family === "javascript" && !isBounded && /^(?:[A-Z]|T[A-Z]\w*|)$/.test(type)) return UNKNOWN;
  return { is: "misfit", why: keywords.length > 0 ? "missing" : "too few", name: missing.name };
}

/** The block of a Ruby method, which no argument is. */
function isBlock({ keyword, optional, rest, default: value }: ThingParameter, family: string): boolean {
  return family === "ruby" && keyword === "only" && optional === true && !rest && value === undefined;
}

function fitPlaces(given: number, places: readonly ThingParameter[], hasRest: boolean): CallFit {
  if (given > places.length && !hasRest) return { is: "misfit", why: "too many" };
  const missing = places.slice(given).find(isRequired);
  return missing ? { is: "misfit", why: "too few", name: missing.name } : FITS;
}

/** Whether a caller has to pass it. */
export function isRequired({ optional, rest, default: value, type = "" }: ThingParameter): boolean {
  return !optional && !rest && value === undefined && !/\|\s*undefined\b|^undefined\s*\|/.test(type);
}
