/**
 * A short name for a folder, for what a cache keeps about it. It is no protection: two folders could be made to share a
 * name. Node's cryptography takes longer to load than a small cache to read.
 */
export function placeName(folder: string): string {
  const sums = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < folder.length; at++)
    for (const [index, prime] of primes.entries()) {
      const mixed = Math.imul(sums[index]! ^ folder.charCodeAt(at), prime);
      sums[index] = mixed ^ (mixed >>> 15);
    }
  return sums.map((sum) => (sum >>> 0).toString(16).padStart(8, "0")).join("");
}

const primes = [16777619, 2246822519, 3266489917, 668265263];
