/** A half-open stretch of a text, counted in UTF-16 units. */
export type Region = { readonly start: number; readonly end: number };

/** Two regions overlap when they share a character, or when one is a point strictly inside the other. */
export function overlap(a: Region, b: Region): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Whether `outer` holds every character of `inner`. */
export function contain(outer: Region, inner: Region): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
