import { defined } from "../../../text/model/defined.ts";
import { isRequired } from "../../calls/fits.ts";
import { habitsOf } from "../../calls/page-samples.ts";
import { renamedParameter } from "../../calls/renamed-parameter.ts";
import type { Thing, ThingParameter } from "../../surface/thing.ts";
import type { SignatureClaim } from "./read.ts";
import { nameBeforeType, type ShownParameter } from "./shown.ts";

type ParameterList = Extract<SignatureClaim, { of: "list" }>;

/** The list of the new declaration in the notation of the page; undefined where the page has one that is not known. */
export function repairList(
  claim: ParameterList,
  { before, after }: { readonly before: Thing; readonly after: Thing },
): string | undefined {
  const { page, region } = claim;
  const isNameFirst = habitsOf(before.path)?.notation === "name type";
  const shown = claim.parameters.map((one) => (isNameFirst ? { ...one, name: nameBeforeType(one) } : one));
  const written = page.text.slice(region.start, region.end);
  const [was, is] = [before.parameters ?? [], after.parameters ?? []];
  // `height, width int` writes one type for two.
  if (isNameFirst && new Set(shown.map(isBare)).size > 1) return undefined;
  if (claim.isEncoded || /[[\]\n*/]/.test(written) || is.some(({ rest, keyword }) => rest || keyword))
    return undefined;
  const isWhole = shown.length === was.length;
  const wanted = isWhole ? is : is.filter(isRequired);
  const items = wanted.map((parameter) => {
    const old = was.find(
      ({ name }) => name === parameter.name || renamedParameter(name, { was, is }) === parameter.name,
    );
    const item = shown.find(({ name }) => name === old?.name);
    return item ? item.text.replace(item.name, () => parameter.name) : printNew(parameter, claim, before);
  });
  const lead = /^\s*/.exec(written)![0];
  const trail = /(?<!\s)\s*$/.exec(written)![0];
  return items.includes(null) ? undefined : `${lead}${items.join(", ")}${trail}`;
}

function isBare({ name, text }: ShownParameter): boolean {
  return name === text;
}

/** A new parameter in the notation of the others. */
function printNew(
  parameter: ThingParameter,
  { parameters: shown }: ParameterList,
  { path }: Thing,
): string | null {
  const { name, type, default: value, optional } = parameter;
  if (shown.every(isBare) && value === undefined) return name;
  const ending = value === undefined ? "" : value;
  if (shown.every(({ text }) => /^\w+(?:=.*)?$/.test(text)))
    return ending === "" ? name : `${name}=${ending}`;
  if (type === undefined || !shown.every((one) => one.text !== one.name)) return null;
  switch (habitsOf(path)?.notation) {
    case "name type":
      return `${name} ${type}`;
    case "type name":
      return `${type}${type.endsWith("*") ? "" : " "}${name}${value === undefined ? "" : ` = ${value}`}`;
    case "name: type":
      return value === undefined ? `${name}${optional ? "?" : ""}: ${type}` : null;
    default:
      return null;
  }
}

/** Another type with the same arguments, or another plain type. A result that is used otherwise needs other words. */
export function repairResult(
  { says, article, page, region }: Extract<SignatureClaim, { of: "result" }>,
  { type = "" }: Thing,
): string | undefined {
  if (/^(?:null|undefined)$/.test(says)) {
    const [now, ...others] = type.match(/\b(?:null|undefined)\b/g) ?? [];
    return others.length === 0 ? now : undefined;
  }
  const argumentsOf = (text: string): string => /[<[].*$/.exec(text)?.[0] ?? "";
  if (type === "" || type.length > 60 || argumentsOf(says) !== argumentsOf(type)) return undefined;
  if (/^(?:none|nil|void)$/i.test(says) || /\?$|\|/.test(type)) return undefined;
  return withArticle({ says, page, region, ...defined({ article }) }, type);
}

/** Another name behind the article that suits it. */
export function withArticle(
  { says, article, page, region }: Pick<OutcomeClaim, "says" | "article" | "page" | "region">,
  name: string,
): string {
  if (article === undefined) return name;
  const written = page.text.slice(region.start, region.end - says.length);
  const now = written.replace(/^(an?)(?=\s)/i, (word) => {
    const plain = /^[aeiou]|^[AEIO](?![A-Z])|^[AEFHILMNORSX](?=[A-Z])|^I[A-Z]/.test(name) ? "an" : "a";
    return word[0] === "A" ? `A${plain.slice(1)}` : plain;
  });
  return `${now}${name}`;
}

type OutcomeClaim = Extract<SignatureClaim, { of: "result" | "error" }>;

const PAIRS: readonly (readonly [string, string])[] = [
  ["optional", "required"],
  ["Optional", "Required"],
  ["OPTIONAL", "REQUIRED"],
  ["yes", "no"],
  ["Yes", "No"],
  ["true", "false"],
  ["True", "False"],
  ["✓", "✗"],
  ["✅", "❌"],
];

/** The opposite word in the same spelling. */
export function repairNeed({ says }: Extract<SignatureClaim, { of: "need" }>): string | undefined {
  for (const [one, other] of PAIRS) {
    if (says === one) return other;
    if (says === other) return one;
  }
  return undefined;
}
