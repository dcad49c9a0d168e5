import { accept, type Outcome, refuse } from "./outcome.ts";
import type { Region } from "./region.ts";
import { sha256 } from "./sha256.ts";
import { applySplices, type Splice } from "./splice.ts";

/** A text by its length and hash. */
export type Digest = { readonly length: number; readonly sha256: string };

/**
 * A statement of what a change has touched: each region before and after, and the hash of each piece of text outside
 * them, from the text before the first region to the text after the last.
 */
export type Proof = {
  readonly before: Digest;
  readonly after: Digest;
  readonly regions: readonly { readonly before: Region; readonly after: Region }[];
  readonly outside: readonly string[];
};

/** States which regions the splices touch. `checkProof` can verify it from the two texts alone. */
export function prove(before: string, splices: readonly Splice[]): Proof {
  let shift = 0;
  const regions = splices.map(({ region, text }) => {
    const start = region.start + shift;
    shift += text.length - (region.end - region.start);
    return { before: region, after: { start, end: start + text.length } };
  });
  const outside = gapsAround(
    regions.map((region) => region.before),
    before,
  ).map(sha256);
  return { before: digest(before), after: digest(applySplices(before, splices)), regions, outside };
}

/** Checks a proof with nothing but the two texts. */
export function checkProof(proof: Proof, before: string, after: string): Outcome<true> {
  for (const [name, text] of [
    ["before", before],
    ["after", after],
  ] as const) {
    const actual = digest(text);
    if (actual.sha256 !== proof[name].sha256 || actual.length !== proof[name].length)
      return refuse({ code: "stale", expected: proof[name].sha256, actual: actual.sha256, detail: name });
  }
  const { regions, outside } = proof;
  const ordered =
    areOrdered(
      regions.map((region) => region.before),
      before,
    ) &&
    areOrdered(
      regions.map((region) => region.after),
      after,
    );
  if (!ordered || outside.length !== regions.length + 1)
    return refuse({ code: "malformed", what: "the regions of the proof are not in order" });
  const gapsBefore = gapsAround(
    regions.map((region) => region.before),
    before,
  );
  const gapsAfter = gapsAround(
    regions.map((region) => region.after),
    after,
  );
  for (const [i, expected] of outside.entries()) {
    const actual = sha256(gapsAfter[i]!);
    if (gapsBefore[i] !== gapsAfter[i] || actual !== expected)
      return refuse({ code: "stale", expected, actual, detail: `outside ${i}` });
  }
  return accept(true);
}

function digest(text: string): Digest {
  return { length: text.length, sha256: sha256(text) };
}

function gapsAround(regions: readonly Region[], text: string): string[] {
  return [...regions, { start: text.length }].map(({ start }, i) =>
    text.slice(i === 0 ? 0 : regions[i - 1]!.end, start),
  );
}

function areOrdered(regions: readonly Region[], text: string): boolean {
  let at = 0;
  for (const { start, end } of regions) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < at || end < start) return false;
    at = end;
  }
  return at <= text.length;
}
