import type { Features } from "./features.ts";
import weights from "./weights.json" with { type: "json" };

export type Tier = "certain" | "likely" | "possible";

/** From these probabilities on a finding belongs to a tier. */
export const THRESHOLDS: Readonly<Record<"certain" | "likely", number>> = { certain: 0.97, likely: 0.8 };

/** A page that names the file it copies leaves nothing to guess. */
const DECLARED = 0.98;

/** The probability, fitted to read and repaired history, that a person calls a finding with these features right. */
export function confidenceOf(features: Features, by: Readonly<Record<string, number>> = weights): number {
  let sum = by.intercept ?? 0;
  for (const [name, value] of Object.entries(features)) sum += (by[name] ?? 0) * value;
  const fitted = 1 / (1 + Math.exp(-sum));
  return features["copy is named"] ? Math.max(fitted, DECLARED) : fitted;
}

export function tierOf(confidence: number): Tier {
  if (confidence >= THRESHOLDS.certain) return "certain";
  return confidence >= THRESHOLDS.likely ? "likely" : "possible";
}
