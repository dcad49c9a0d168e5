/** The places of one sequence, in order. `more`: the limit was reached, so there may be further places. */
export type Occurrences = { readonly places: readonly number[]; readonly more: boolean };

/**
 * Finds all places of many sequences, overlaps included, in one pass over `hay` (Aho-Corasick). Time grows with the sum
 * of the lengths. Equal sequences share one result; an empty sequence has no place.
 */
export function findSequences(
  hay: ArrayLike<number>,
  needles: readonly ArrayLike<number>[],
  limit: number,
): Occurrences[] {
  const trie = buildTrie(needles);
  const found = trie.ends.map((): { places: number[]; more: boolean } => ({ places: [], more: false }));
  const chain = createChain(trie);
  let state = 0;
  for (let i = 0; i < hay.length; i++) {
    state = trie.step(state, hay[i]!);
    for (let node = chain.first(state); node > 0; node = chain.next(node)) {
      const occurrences = found[trie.endOf[node]!]!;
      occurrences.places.push(i - trie.depth[node]! + 1);
      if (occurrences.places.length < limit) continue;
      occurrences.more = true;
      chain.drop(node);
    }
  }
  return needles.map((_, i) => found[trie.groups[i]!] ?? { places: [], more: false });
}

type Trie = {
  /** The node reached from a node by one more item, falling back to shorter beginnings. */
  step(node: number, item: number): number;
  readonly depth: readonly number[];
  /** The longest proper suffix of each node that is itself a node. */
  readonly fail: readonly number[];
  /** Which distinct sequence ends at a node; -1 for none. */
  readonly endOf: readonly number[];
  readonly ends: readonly number[];
  /** The distinct sequence of each needle; -1 for an empty one. */
  readonly groups: readonly number[];
};

function buildTrie(needles: readonly ArrayLike<number>[]): Trie {
  const children = new Map<number, number>();
  const width = largest(needles) + 1;
  const [parent, item, depth, endOf, ends] = [[0], [0], [0], [-1], [] as number[]];
  const groups = needles.map((needle) => {
    let node = 0;
    for (let i = 0; i < needle.length; i++) {
      const key = node * width + needle[i]!;
      let child = children.get(key);
      if (child === undefined) {
        child = depth.length;
        children.set(key, child);
        parent.push(node);
        item.push(needle[i]!);
        depth.push(depth[node]! + 1);
        endOf.push(-1);
      }
      node = child;
    }
    if (node === 0) return -1;
    if (endOf[node] === -1) endOf[node] = ends.push(node) - 1;
    return endOf[node]!;
  });
  const fail = new Array<number>(depth.length).fill(0);
  const step = (node: number, wanted: number): number => {
    if (wanted < 0 || wanted >= width) return 0;
    for (let at = node; ; at = fail[at]!) {
      const child = children.get(at * width + wanted);
      if (child !== undefined) return child;
      if (at === 0) return 0;
    }
  };
  for (const node of byDepth(depth))
    if (depth[node]! > 1) fail[node] = step(fail[parent[node]!]!, item[node]!);
  return { step, depth, fail, endOf, ends, groups };
}

function largest(needles: readonly ArrayLike<number>[]): number {
  let most = 0;
  for (const needle of needles) for (let i = 0; i < needle.length; i++) most = Math.max(most, needle[i]!);
  return most;
}

/** The suffix of a node is shallower than the node, so shallow nodes come first. */
function byDepth(depth: readonly number[]): number[] {
  const levels: number[][] = [];
  for (let node = 0; node < depth.length; node++) (levels[depth[node]!] ??= []).push(node);
  return levels.flat();
}

/** The sequences that end at a node, longest first. Those dropped are skipped from then on, at no cost. */
function createChain({ endOf, fail }: Trie) {
  const dropped = new Uint8Array(endOf.length);
  const skip = new Int32Array(endOf.length).fill(-1);
  const settle = (start: number): number => {
    let node = start;
    while (node > 0 && (endOf[node] === -1 || dropped[node] === 1))
      node = skip[node]! < 0 ? fail[node]! : skip[node]!;
    for (let at = start; at !== node; ) {
      const next = skip[at]! < 0 ? fail[at]! : skip[at]!;
      skip[at] = node;
      at = next;
    }
    return node;
  };
  return {
    first: settle,
    next: (node: number): number => settle(fail[node]!),
    drop: (node: number): void => void (dropped[node] = 1),
  };
}
