import type { DocumentPage } from "../../change/change-model.ts";
import { productOf } from "./products.ts";
import type { VersionClaim } from "./read.ts";

const BADGE =
  /\bbadge\/([^-\s/]+(?:--[^-\s/]+)*)-((?:%[\dA-F]{2}|[v^~>=_])*)(\d+(?:\.\d+)*)(\+|%2B)?(?=[-.\s")])/gi;

/** The versions that badges show: `badge/node-%3E%3D18-green`, and the words that stand for the picture. */
export function readBadges(page: DocumentPage): VersionClaim[] {
  if (!page.text.includes("badge/")) return [];
  return page.outline().spans.flatMap(({ kind, destination, content }) => {
    if (kind !== "image" || !destination) return [];
    const { region, value } = destination;
    const [match] = value.matchAll(BADGE);
    if (!match) return [];
    const [, label, sign, version, plus] = match as unknown as [string, string, string, string, string?];
    const product = productIn(label);
    if (product === undefined) return [];
    const start = region.start + match.index + match[0].length - (plus?.length ?? 0) - version.length;
    const claim: Omit<VersionClaim, "region"> = {
      page,
      product,
      says: version,
      as: "least",
      isFloor: plus !== undefined || sign !== "" || /msrv|minimum/i.test(label),
      others: [],
    };
    const shown = page.text.slice(content.start, content.end);
    const said = new RegExp(String.raw`(?<![\d.])${version.replaceAll(".", "\\.")}(?![\d.]*\d)`).exec(shown);
    const from = content.start + (said?.index ?? 0);
    return [
      ...(said ? [{ ...claim, region: { start: from, end: from + version.length } }] : []),
      { ...claim, region: { start, end: start + version.length } },
    ];
  });
}

function productIn(label: string): string | undefined {
  const words = label.replace(/%[\da-f]{2}/gi, " ").split(/[\s_-]+/);
  return words.map(productOf).find((product) => product !== undefined);
}
