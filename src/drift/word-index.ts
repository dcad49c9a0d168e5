/** Sorted hashes of the distinct words of a text: small enough to keep one per blob for a whole clone. */
export function indexWords(text: string): Uint32Array {
  const hashes = new Set<number>();
  let hash = 0;
  let open = false;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 32;
    if (isWordCode(code)) {
      hash = open ? Math.imul(hash ^ code, 16777619) : Math.imul(2166136261 ^ code, 16777619);
      open = true;
    } else if (open) {
      hashes.add(hash >>> 0);
      open = false;
    }
  }
  return Uint32Array.from(hashes).sort();
}

export function holdsAll(index: Uint32Array, hashes: readonly number[]): boolean {
  return hashes.every((hash) => {
    let low = 0;
    let high = index.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (index[middle]! < hash) low = middle + 1;
      else high = middle;
    }
    return index[low] === hash;
  });
}

export function hashesOf(name: string): number[] {
  return [...indexWords(name)];
}

function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code > 127
  );
}
