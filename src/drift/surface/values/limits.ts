import { defined } from "../../../text/model/defined.ts";
import type { Thing } from "../thing.ts";

/** Words of schemas, validators and annotations for the smallest and the largest value or length. */
const WORDS = {
  least: "min Min gte ge minimum min_length minLength min_value min_items DecimalMin".split(" "),
  most: "max Max lte le maximum max_length maxLength max_value max_items DecimalMax".split(" "),
};
const BOUND = new RegExp(
  `\\b(${[...WORDS.least, ...WORDS.most].join("|")})\\s*[=:(]\\s*(-?\\d[\\d._]*)`,
  "g",
);
const LEAST: ReadonlySet<string> = new Set(WORDS.least);
/** `IntRange(1, 10)`, `[Range(1, 100)]`, `range(1..=100)`. */
const RANGE =
  /\b(?:\w*Range|range)\(\s*(?:min\s*=\s*)?(-?\d[\d._]*?)\s*(?:,|\.\.=)\s*(?:max\s*=\s*)?(-?\d[\d._]*)/;

/** The limits that a validator, an annotation or an attribute writes. */
export function readLimits(written: string): Pick<Thing, "limits"> {
  const found: { least?: string; most?: string } = {};
  for (const [, word, value] of written.matchAll(BOUND))
    found[LEAST.has(word!) ? "least" : "most"] ??= value!;
  const range = RANGE.exec(written);
  if (range) Object.assign(found, { least: range[1]!, most: range[2]! });
  return asLimits(found);
}

export function asLimits({
  least,
  most,
}: {
  least?: string | undefined;
  most?: string | undefined;
}): Pick<Thing, "limits"> {
  if (least === undefined && most === undefined) return {};
  return { limits: defined({ least, most }) };
}
