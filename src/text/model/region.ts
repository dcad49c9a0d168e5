/** A half-open stretch of a text, counted in UTF-16 units. */
export type Region = { readonly start: number; readonly end: number };

/** Two regions overlap when they share a character, or when one is a point strictly inside the other. */
export function overlap(a: Region, b: Region): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The first of regions in order that ends behind the start of a region. It overlaps the region, or none of them does. */
export function firstReaching({ start }: Region, sorted: readonly Region[]): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether `outer` holds every character of `inner`. */
export function contain(outer: Region, inner: Region): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
