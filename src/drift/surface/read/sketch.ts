const SIZE = 24;

/**
 * The smallest hashes of a body's lines, without white space and without the body's own name: two bodies that share
 * most of them are copies of each other. Nothing for a body too short to recognise.
 */
export function sketchBody(body: string, name: string): number[] | undefined {
  if (body.length < 40 || body.length > 200_000) return undefined;
  const hashes = new Set<number>();
  for (const line of body.split("\n")) {
    const words = line.split(name).join("_").replace(/\s+/g, "");
    if (words.length > 3) hashes.add(hash(words));
  }
  return hashes.size < 2 ? undefined : [...hashes].sort((a, b) => a - b).slice(0, SIZE);
}

/** How much of two sketches agrees, 0 to 1. */
export function compareSketches(a: readonly number[], b: readonly number[]): number {
  const all = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, SIZE);
  const other = new Set(b);
  const own = new Set(a);
  return all.filter((each) => own.has(each) && other.has(each)).length / all.length;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** A sketch of a set of names, so that a module that keeps its symbols is recognised under a new name. */
export function sketchNames(names: readonly string[]): number[] | undefined {
  const hashes = new Set(names.map(hash));
  return hashes.size < 1 ? undefined : [...hashes].sort((a, b) => a - b).slice(0, SIZE);
}
