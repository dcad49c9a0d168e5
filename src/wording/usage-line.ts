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

const mostNamed = 5;

/** What a model was asked about beyond the rules, and what it was not. */
export function lookedLine({
  files,
  pages,
  notAsked,
  partsNotShown,
  unanswered,
}: {
  readonly files: number;
  readonly pages: readonly string[];
  readonly notAsked: readonly string[];
  readonly partsNotShown: number;
  readonly unanswered: readonly string[];
}): string {
  const changed = plural(files, "changed file");
  if (pages.length === 0) return `No page is near the ${changed}, so the model was asked about none.`;
  const asked = `Beyond the rules, the model was asked about ${plural(pages.length, "page")} near the ${changed}: ${named(pages)}.`;
  const missing = [
    ...(notAsked.length === 0 ? [] : [`${plural(notAsked.length, "more page")} (${named(notAsked)})`]),
    ...(partsNotShown === 0 ? [] : [`${plural(partsNotShown, "section")} of long pages`]),
    ...(unanswered.length === 0 ? [] : [`${named(unanswered)}, for want of a usable answer`]),
  ];
  return missing.length === 0 ? asked : `${asked} Not looked at: ${missing.join("; ")}.`;
}

function named(paths: readonly string[]): string {
  const more = paths.length - mostNamed;
  return more > 0 ? `${paths.slice(0, mostNamed).join(", ")} and ${more} more` : paths.join(", ");
}
