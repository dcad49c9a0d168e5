import { plural } from "./sentences.ts";

/** What was used, in one line. */
export function usageLine({
  inputTokens,
  outputTokens,
  costUsd,
}: {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
}): string {
  const cost = costUsd === null ? "cost unknown" : `$${costUsd.toFixed(4)}`;
  return `${inputTokens} tokens in, ${outputTokens} out, ${cost}`;
}

/** What the judge of a check used, and how many of its questions came to nothing. */
export function judgeLine({
  model,
  usage,
  failed,
}: {
  readonly model: string;
  readonly usage: Parameters<typeof usageLine>[0];
  readonly failed: number;
}): string {
  const unanswered = failed === 0 ? "" : `; ${plural(failed, "question")} without a usable answer`;
  return `${model}: ${usageLine(usage)}${unanswered}`;
}

/** Where the verdicts of a check can be read. */
export function verdictsLine(run: string): string {
  return `Each verdict and its reason: suture review ${run}`;
}
