import type { SourcePassage } from "./ranking.ts";

/** Passages by how near their points are to that of the query, nearest first; equal ones keep their order. */
export function orderByNearness(
  passages: readonly SourcePassage[],
  query: readonly number[],
  points: readonly (readonly number[])[],
): SourcePassage[] {
  const ranked = passages.map((passage, i) => ({ passage, near: cosine(query, points[i] ?? []) }));
  return ranked.sort((a, b) => b.near - a.near).map(({ passage }) => passage);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let dot = 0;
  let [x, y] = [0, 0];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    dot += a[i]! * b[i]!;
    x += a[i]! ** 2;
    y += b[i]! ** 2;
  }
  return x === 0 || y === 0 ? 0 : dot / Math.sqrt(x * y);
}
