import type { SourcePassage } from "./ranking.ts";

/** Sorts passages by the similarity of their embeddings to the query's, most similar first. The sort is stable. */
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
    const [left = 0, right = 0] = [a[i], b[i]];
    dot += left * right;
    x += left ** 2;
    y += right ** 2;
  }
  return x === 0 || y === 0 ? 0 : dot / Math.sqrt(x * y);
}
