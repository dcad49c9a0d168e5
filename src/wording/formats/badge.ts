import type { ClaimCounts } from "../../docs/claims/report.ts";

/** How much of what the documents say is true, as a picture for a page: what is decided is in the shares, the rest is told. */
export function printBadge({ claims, true: held, false: lost }: ClaimCounts): string {
  const shown = `${lost === 0 ? "" : `${lost.toLocaleString("en-US")} false, `}${held.toLocaleString("en-US")} of ${claims.toLocaleString("en-US")} true`;
  const [left, right] = [label, shown].map((text) => text.length * 6.5 + 12) as [number, number];
  const width = left + right;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}: ${shown}" width="${width}" height="20" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle" fill="#fff">
<rect width="${width}" height="20" rx="3" fill="#444"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="${lost === 0 ? "#1a7f37" : "#b3261e"}"/>
<text x="${left / 2}" y="14">${label}</text>
<text x="${left + right / 2}" y="14">${shown}</text>
</svg>
`;
}

const label = "claims";

/** A file that `printBadge` wrote. */
export const isBadge = /^<svg [^>]*aria-label="claims: /;
