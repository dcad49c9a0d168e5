/**
 * Likeness of two sequences, with the answers of Python's `difflib`: the scorers of the benchmark sets are written
 * with it, and their figures must come out the same here.
 */
export type Opcode = {
  readonly tag: "replace" | "delete" | "insert" | "equal";
  readonly i1: number;
  readonly i2: number;
  readonly j1: number;
  readonly j2: number;
};

type Block = { readonly a: number; readonly b: number; readonly size: number };
type Span = { readonly alo: number; readonly ahi: number; readonly blo: number; readonly bhi: number };

export class SequenceMatcher<T> {
  readonly #b: readonly T[];
  readonly #places = new Map<T, number[]>();
  #counts: Map<T, number> | undefined;

  /** With `autojunk`, items that fill over a hundredth of a long second sequence start no match. */
  constructor(b: readonly T[], { autojunk }: { autojunk: boolean }) {
    this.#b = b;
    for (const [j, item] of b.entries()) {
      const places = this.#places.get(item);
      if (places) places.push(j);
      else this.#places.set(item, [j]);
    }
    if (!autojunk || b.length < 200) return;
    const most = Math.floor(b.length / 100) + 1;
    for (const [item, places] of this.#places) if (places.length > most) this.#places.delete(item);
  }

  opcodes(a: readonly T[]): Opcode[] {
    const codes: Opcode[] = [];
    let i = 0;
    let j = 0;
    for (const block of [...this.#blocks(a), { a: a.length, b: this.#b.length, size: 0 }]) {
      const tag =
        i < block.a && j < block.b ? "replace" : i < block.a ? "delete" : j < block.b ? "insert" : null;
      if (tag) codes.push({ tag, i1: i, i2: block.a, j1: j, j2: block.b });
      i = block.a + block.size;
      j = block.b + block.size;
      if (block.size) codes.push({ tag: "equal", i1: block.a, i2: i, j1: block.b, j2: j });
    }
    return codes;
  }

  ratio(a: readonly T[]): number {
    const matches = this.#blocks(a).reduce((sum, { size }) => sum + size, 0);
    return ratioOf(matches, a.length + this.#b.length);
  }

  /** Never less than `ratio`, and much cheaper. */
  ratioAtMost(a: readonly T[]): number {
    if (!this.#counts) {
      this.#counts = new Map();
      for (const item of this.#b) this.#counts.set(item, (this.#counts.get(item) ?? 0) + 1);
    }
    const left = new Map<T, number>();
    let matches = 0;
    for (const item of a) {
      const count = left.get(item) ?? this.#counts.get(item) ?? 0;
      left.set(item, count - 1);
      if (count > 0) matches++;
    }
    return ratioOf(matches, a.length + this.#b.length);
  }

  #blocks(a: readonly T[]): Block[] {
    const spans: Span[] = [{ alo: 0, ahi: a.length, blo: 0, bhi: this.#b.length }];
    const blocks: Block[] = [];
    for (let span = spans.pop(); span; span = spans.pop()) {
      const block = this.#longest(a, span);
      if (block.size === 0) continue;
      blocks.push(block);
      const { alo, ahi, blo, bhi } = span;
      if (alo < block.a && blo < block.b) spans.push({ alo, ahi: block.a, blo, bhi: block.b });
      const [i, j] = [block.a + block.size, block.b + block.size];
      if (i < ahi && j < bhi) spans.push({ alo: i, ahi, blo: j, bhi });
    }
    return joinAdjacent(blocks.sort((x, y) => x.a - y.a || x.b - y.b));
  }

  #longest(a: readonly T[], span: Span): Block {
    let best: Block = { a: span.alo, b: span.blo, size: 0 };
    let lengths = new Map<number, number>();
    for (let i = span.alo; i < span.ahi; i++) {
      const next = new Map<number, number>();
      for (const j of this.#places.get(a[i]!) ?? []) {
        if (j < span.blo) continue;
        if (j >= span.bhi) break;
        const size = (lengths.get(j - 1) ?? 0) + 1;
        next.set(j, size);
        if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
      }
      lengths = next;
    }
    return this.#widen(a, span, best);
  }

  /** Items that start no match may still lie beside one. */
  #widen(a: readonly T[], { alo, ahi, blo, bhi }: Span, best: Block): Block {
    let { a: i, b: j, size } = best;
    while (i > alo && j > blo && a[i - 1] === this.#b[j - 1]) {
      i--;
      j--;
      size++;
    }
    while (i + size < ahi && j + size < bhi && a[i + size] === this.#b[j + size]) size++;
    return { a: i, b: j, size };
  }
}

/** Of the candidates that are at least as alike as `cutoff`, the one most alike. */
export function closestMatch(
  text: string,
  candidates: Iterable<string>,
  { cutoff }: { cutoff: number },
): string | null {
  const wanted = [...text];
  const matcher = new SequenceMatcher(wanted, { autojunk: true });
  let best: { score: number; candidate: string } | undefined;
  for (const candidate of new Set(candidates)) {
    const letters = [...candidate];
    const least = Math.max(cutoff, best?.score ?? 0);
    if (ratioOf(Math.min(letters.length, wanted.length), letters.length + wanted.length) < least) continue;
    if (matcher.ratioAtMost(letters) < least) continue;
    const score = matcher.ratio(letters);
    if (score < least || (score === best?.score && candidate <= best.candidate)) continue;
    best = { score, candidate };
  }
  return best?.candidate ?? null;
}

function ratioOf(matches: number, length: number): number {
  return length ? (2 * matches) / length : 1;
}

function joinAdjacent(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last && last.a + last.size === block.a && last.b + last.size === block.b)
      joined[joined.length - 1] = { ...last, size: last.size + block.size };
    else joined.push(block);
  }
  return joined;
}
