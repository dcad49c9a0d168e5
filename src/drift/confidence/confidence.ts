import type { Features } from "./features.ts";
import weights from "./weights.json" with { type: "json" };

export type Tier = "certain" | "likely" | "possible";

/** The lowest probability of each tier. */
export const THRESHOLDS: Readonly<Record<"certain" | "likely", number>> = { certain: 0.97, likely: 0.8 };

/**
 * Features that leave no doubt: a page that copies or includes lines of a file that it names; a command that runs a
 * task which its only file no longer has; a link to a removed heading or file; a default in the row of its name, or in a copy of its lines that the page calls defaults; a member that the
 * page names with its owner; a flag or an environment variable that the tree no longer mentions; a public name that the
 * page has as code and the tree no longer has, the more so if it has one successor; a parameter that the tree no longer
 * has, on a page that names its function; a file name that no file has any more. Most are too rare to be fitted.
 */
const FLOORS: readonly { readonly all: readonly string[]; readonly least: number }[] = [
  { all: ["copy is named"], least: 0.98 },
  { all: ["lines taken in"], least: 0.98 },
  { all: ["task renamed"], least: 0.98 },
  { all: ["task gone"], least: 0.9 },
  { all: ["rule anchor"], least: 0.9 },
  { all: ["rule rename", "thing member by role", "name gone"], least: 0.9 },
  { all: ["rule removal", "thing member by role", "name gone"], least: 0.9 },
  { all: ["marked thing gone"], least: 0.9 },
  { all: ["rule removal", "offered, gone and marked"], least: 0.85 },
  { all: ["rule removal", "parameter gone and marked"], least: 0.85 },
  { all: ["rule removal", "file of that name gone"], least: 0.85 },
  { all: ["rule rename", "renamed and marked"], least: 0.97 },
];

/** The probability that a person confirms a finding with these features, fitted to histories that people have read. */
export function confidenceOf(features: Features, by: Readonly<Record<string, number>> = weights): number {
  let sum = by.intercept ?? 0;
  for (const [name, value] of Object.entries(features)) sum += (by[name] ?? 0) * value;
  const fitted = 1 / (1 + Math.exp(-sum));
  const holds = ({ all }: { readonly all: readonly string[] }): boolean =>
    all.every((name) => (features[name] ?? 0) > 0);
  return Math.max(fitted, ...FLOORS.filter(holds).map((floor) => floor.least));
}

export function tierOf(confidence: number): Tier {
  if (confidence >= THRESHOLDS.certain) return "certain";
  return confidence >= THRESHOLDS.likely ? "likely" : "possible";
}
