/** Gives equal strings the same number, counted from 0. */
export function createInterner(): { id(key: string): number } {
  const ids = new Map<string, number>();
  return {
    id(key) {
      const id = ids.get(key) ?? ids.size;
      if (id === ids.size) ids.set(key, id);
      return id;
    },
  };
}

/** Every place `needle` stands in `hay`, overlaps included, in linear time. */
export function findSequence(hay: ArrayLike<number>, needle: ArrayLike<number>, limit = Infinity): number[] {
  const places: number[] = [];
  if (needle.length === 0 || needle.length > hay.length) return places;
  const borders = new Int32Array(needle.length);
  for (let i = 1, k = 0; i < needle.length; i++) {
    while (k > 0 && needle[i] !== needle[k]) k = borders[k - 1]!;
    if (needle[i] === needle[k]) k++;
    borders[i] = k;
  }
  for (let i = 0, k = 0; i < hay.length && places.length < limit; i++) {
    while (k > 0 && hay[i] !== needle[k]) k = borders[k - 1]!;
    if (hay[i] === needle[k]) k++;
    if (k === needle.length) {
      places.push(i - k + 1);
      k = borders[k - 1]!;
    }
  }
  return places;
}
