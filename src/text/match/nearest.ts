/** The name that was probably meant, if one is near: fewer than half of its letters differ. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  // A mistyped name is never this long, and the comparison is quadratic.
  if (word.length > 64) return undefined;
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = distanceOf(word.toLowerCase(), name.toLowerCase());
    const near = distance <= Math.max(1, Math.floor(name.replace(/^-+/, "").length / 2) - 1);
    if (near && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** Letters to insert, drop, change or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
