/** A difference: the items `oldStart..oldEnd` of one sequence are replaced by `newStart..newEnd` of the other. */
export type Gap = {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
};

/**
 * The stretches in which two sequences of small numbers (from 0) differ. The result is shortest for ordinary edits, and
 * coarser for hostile ones: the work is bounded by a fixed amount plus a multiple of the lengths.
 */
export function align(before: Int32Array, after: Int32Array): Gap[] {
  const kinds = Math.max(largest(before), largest(after)) + 1;
  const old = itemsSharedWith(after, before, kinds);
  const fresh = itemsSharedWith(before, after, kinds);
  const partners = matchItems(old.items, fresh.items, kinds);
  const gaps: Gap[] = [];
  let oldStart = 0;
  let newStart = 0;
  const meet = (oldEnd: number, newEnd: number): void => {
    if (oldEnd > oldStart || newEnd > newStart) gaps.push({ oldStart, oldEnd, newStart, newEnd });
    oldStart = oldEnd + 1;
    newStart = newEnd + 1;
  };
  for (let i = 0; i < partners.length; i++)
    if (partners[i]! >= 0) meet(old.places[i]!, fresh.places[partners[i]!]!);
  meet(before.length, after.length);
  return gaps;
}

function largest(items: Int32Array): number {
  let most = -1;
  for (let i = 0; i < items.length; i++) most = Math.max(most, items[i]!);
  return most;
}

/** The items that both sides have. An item of one side only matches nothing, and leaving it out saves work. */
function itemsSharedWith(others: Int32Array, items: Int32Array, kinds: number) {
  const known = new Uint8Array(kinds);
  for (let i = 0; i < others.length; i++) known[others[i]!] = 1;
  const places = new Int32Array(items.length);
  const shared = new Int32Array(items.length);
  let count = 0;
  for (let i = 0; i < items.length; i++) {
    if (known[items[i]!] === 0) continue;
    places[count] = i;
    shared[count++] = items[i]!;
  }
  return { places, items: shared.subarray(0, count) };
}

type AlignedRange = { readonly x: number; readonly xEnd: number; readonly y: number; readonly yEnd: number };

/** For each item of `a` its partner in `b`, or -1: equal items, in order on both sides. */
function matchItems(a: Int32Array, b: Int32Array, kinds: number): Int32Array {
  const total = a.length + b.length;
  const partners = new Int32Array(a.length).fill(-1);
  if (a.length === 0 || b.length === 0) return partners;
  const budget = { left: fixedWork + workPerItem * total };
  const share = budget.left / 4 / total;
  const finder = new PathFinder(a, b);
  const findAnchors = createAnchorFinder(a, b, kinds);
  const ranges: AlignedRange[] = [{ x: 0, xEnd: a.length, y: 0, yEnd: b.length }];

  while (ranges.length > 0 && budget.left > 0) {
    const range = matchEnds(a, b, ranges.pop()!, partners);
    const size = sizeOf(range);
    if (range.x === range.xEnd || range.y === range.yEnd) continue;
    const path = finder.find(range, longestPath, share * size + leastWork);
    budget.left -= path.work;
    if (path.complete) {
      finder.keep(range, path, partners);
      continue;
    }
    const anchors = findAnchors(range);
    budget.left -= size * workPerLook;
    if (anchors.length > 0) splitAt(range, anchors);
    else matchByWindows(range);
  }
  return partners;

  function splitAt(range: AlignedRange, anchors: readonly Anchor[]): void {
    let { x, y } = range;
    for (const anchor of anchors) {
      partners[anchor.x] = anchor.y;
      ranges.push({ x, xEnd: anchor.x, y, yEnd: anchor.y });
      x = anchor.x + 1;
      y = anchor.y + 1;
    }
    ranges.push({ x, xEnd: range.xEnd, y, yEnd: range.yEnd });
  }

  /** Takes the path found within the limits, even if it is not complete, and goes on from its end. */
  function matchByWindows(whole: AlignedRange): void {
    const longest = Math.min(longestPath, Math.ceil(share));
    let range = whole;
    while (range.x < range.xEnd && range.y < range.yEnd && budget.left > 0) {
      const path = finder.find(range, longest, Infinity);
      budget.left -= path.work;
      finder.keep(range, path, partners);
      range = { ...range, x: path.x, y: path.y };
    }
  }
}

const fixedWork = 8_000_000;
const workPerItem = 24;
const leastWork = 4096;
const workPerLook = 8;
const longestPath = 1024;

function sizeOf(range: AlignedRange): number {
  return range.xEnd - range.x + range.yEnd - range.y;
}

/** Matches equal lines at both ends of the range; returns the range between them. */
function matchEnds(a: Int32Array, b: Int32Array, range: AlignedRange, partners: Int32Array): AlignedRange {
  let { x, xEnd, y, yEnd } = range;
  while (x < xEnd && y < yEnd && a[x] === b[y]) partners[x++] = y++;
  while (x < xEnd && y < yEnd && a[xEnd - 1] === b[yEnd - 1]) partners[--xEnd] = --yEnd;
  return { x, xEnd, y, yEnd };
}

type Path = {
  /** Where it ends: the far corner of the range when it is complete. */
  readonly x: number;
  readonly y: number;
  readonly edits: number;
  readonly complete: boolean;
  readonly work: number;
};

/** Myers' greedy search: for each number of edits, how far along each diagonal one can get. */
class PathFinder {
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #middle: number;
  readonly #reach: Int32Array;
  /** The content of `reach` after each number of edits, to walk the path back: row n has n + 1 diagonals. */
  #rows = new Int32Array(256);

  constructor(a: Int32Array, b: Int32Array) {
    this.#a = a;
    this.#b = b;
    this.#middle = Math.min(longestPath, a.length + b.length) + 1;
    this.#reach = new Int32Array(2 * this.#middle + 1);
  }

  find(range: AlignedRange, mostEdits: number, mostWork: number): Path {
    const [a, b, reach, middle] = [this.#a, this.#b, this.#reach, this.#middle];
    const width = range.xEnd - range.x;
    const height = range.yEnd - range.y;
    let work = 0;
    reach[middle + 1] = 0;
    for (let edits = 0; ; edits++) {
      const row = rowStart(edits);
      if (row + edits >= this.#rows.length) this.#rows = grown(this.#rows);
      const rows = this.#rows;
      let best = -1;
      let bestDiagonal = 0;
      for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const down = reach[middle + diagonal + 1]!;
        const right = reach[middle + diagonal - 1]! + 1;
        const start = diagonal === -edits || (diagonal !== edits && right <= down) ? down : right;
        let x = start;
        let y = x - diagonal;
        while (x < width && y < height && a[range.x + x] === b[range.y + y]) {
          x++;
          y++;
        }
        work += x - start;
        reach[middle + diagonal] = x;
        rows[row + (diagonal + edits) / 2] = x;
        if (x + y > best && x <= width && y <= height) {
          best = x + y;
          bestDiagonal = diagonal;
        }
      }
      work += edits + 1;
      const complete = best === width + height;
      if (complete || edits === mostEdits || work > mostWork) {
        const x = range.x + (best + bestDiagonal) / 2;
        const y = range.y + (best - bestDiagonal) / 2;
        return { x, y, edits, complete, work };
      }
    }
  }

  /** Enters the equal items along the path last found into `partners`. */
  keep(range: AlignedRange, path: Path, partners: Int32Array): void {
    const rows = this.#rows;
    let x = path.x - range.x;
    let y = path.y - range.y;
    for (let edits = path.edits; edits >= 0; edits--) {
      const diagonal = x - y;
      const before = rowStart(edits - 1);
      const down = rows[before + (diagonal + edits) / 2]!;
      const right = rows[before + (diagonal + edits) / 2 - 1]! + 1;
      const isDown = diagonal === -edits || (diagonal !== edits && right <= down);
      const start = edits === 0 ? 0 : isDown ? down : right;
      while (x > start) partners[range.x + --x] = range.y + --y;
      if (isDown) y--;
      else x--;
    }
  }
}

function rowStart(edits: number): number {
  return (edits * (edits + 1)) / 2;
}

function grown(rows: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(rows.length * 2);
  more.set(rows);
  return more;
}

/** Finds items that occur once on each side of a range: as many as possible in the same order. */
function createAnchorFinder(a: Int32Array, b: Int32Array, kinds: number) {
  const inA = new Int32Array(kinds);
  const inB = new Int32Array(kinds);
  const placeInB = new Int32Array(kinds);

  return (range: AlignedRange): Anchor[] => {
    for (let x = range.x; x < range.xEnd; x++) inA[a[x]!]!++;
    for (let y = range.y; y < range.yEnd; y++) {
      inB[b[y]!]!++;
      placeInB[b[y]!] = y;
    }
    const unique: Anchor[] = [];
    for (let x = range.x; x < range.xEnd; x++) {
      const item = a[x]!;
      if (inA[item] === 1 && inB[item] === 1) unique.push({ x, y: placeInB[item]! });
    }
    for (let x = range.x; x < range.xEnd; x++) inA[a[x]!] = 0;
    for (let y = range.y; y < range.yEnd; y++) inB[b[y]!] = 0;
    return longestRising(unique);
  };
}

type Anchor = { readonly x: number; readonly y: number };

/** The longest choice of anchors whose `y` rises: patience sorting. */
function longestRising(anchors: readonly Anchor[]): Anchor[] {
  const piles: number[] = [];
  const below = new Int32Array(anchors.length);
  anchors.forEach(({ y }, i) => {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if (anchors[piles[half]!]!.y < y) low = half + 1;
      else high = half;
    }
    below[i] = low > 0 ? piles[low - 1]! : -1;
    piles[low] = i;
  });
  const rising: Anchor[] = [];
  for (let i = piles.at(-1) ?? -1; i >= 0; i = below[i]!) rising.push(anchors[i]!);
  return rising.reverse();
}
