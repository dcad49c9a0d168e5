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
