import type { ClaimCounts, ClaimsReport, ReportedClaim, ReportedPage } from "./report.ts";

export function countClaims(claims: Iterable<Pick<ReportedClaim, "truth">>): ClaimCounts {
  const counts = { claims: 0, true: 0, false: 0, undecidable: 0 };
  for (const { truth } of claims) {
    counts.claims++;
    counts[truth]++;
  }
  return counts;
}

/** The totals of pages: by kind, and by the reason for which a claim is undecidable. */
export function totalsOf(pages: readonly Pick<ReportedPage, "claims">[]): ClaimsReport["totals"] {
  const all = pages.flatMap(({ claims }) => claims);
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)].sort((a, b) => b[1].length - a[1].length);
  const undecidable = all.filter(({ truth }) => truth === "undecidable");
  const reasons = [...Map.groupBy(undecidable, ({ why = "" }) => why)];
  return {
    pages: pages.length,
    ...countClaims(all),
    kinds: Object.fromEntries(kinds.map(([kind, own]) => [kind, countClaims(own)])),
    reasons: reasons
      .map(([why, { length: count }]) => ({ why, count }))
      .sort((a, b) => b.count - a.count || (a.why < b.why ? -1 : 1)),
  };
}
