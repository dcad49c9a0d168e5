/** A claim on a page: its place, in lines and columns from 1, and its truth. */
export type Placed = {
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number;
  readonly endColumn: number;
  readonly truth: "true" | "false" | "undecidable";
};

/** Lines that are shown together, from the number of the first one. */
export type Stretch<C> = {
  readonly first: number;
  readonly lines: readonly string[];
  readonly claims: readonly C[];
};

/** A page in stretches: a line with claims begins one, and takes the lines over which its claims go. */
export function cutPage<C extends Placed>(text: string, claims: readonly C[]): Stretch<C>[] {
  const lines = text.split(/\r?\n/);
  const byLine = Map.groupBy(claims, ({ startLine }) => startLine);
  const found: Stretch<C>[] = [];
  for (let first = 1; first <= lines.length; ) {
    const own = byLine.get(first) ?? [];
    const last = own.reduce((most, { endLine }) => Math.max(most, endLine), first);
    let next = first + 1;
    while (next <= lines.length && !byLine.has(next) && (own.length === 0 || next <= last)) next++;
    found.push({ first, lines: lines.slice(first - 1, next - 1), claims: own });
    first = next;
  }
  return found;
}

export type Piece = { readonly text: string; readonly truth?: Placed["truth"] };

/** The words of a stretch with the truth of the claim that they are part of: of the inner one where claims are nested. */
export function markWords({ first, lines, claims }: Stretch<Placed>): Piece[] {
  const text = lines.join("\n");
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  const offset = (line: number, column: number): number =>
    Math.min(text.length, (starts[line - first] ?? text.length) + column - 1);
  const marks = claims
    .map(({ startLine, startColumn, endLine, endColumn, truth }) => ({
      start: offset(startLine, startColumn),
      end: offset(endLine, endColumn),
      truth,
    }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const pieces: Piece[] = [];
  const open: (typeof marks)[number][] = [];
  let at = 0;
  const moveTo = (place: number): void => {
    if (place <= at) return;
    const truth = open.at(-1)?.truth;
    pieces.push({ text: text.slice(at, place), ...(truth && { truth }) });
    at = place;
  };
  const closeUntil = (place: number): void => {
    for (let inner = open.at(-1); inner && inner.end <= place; inner = open.at(-1)) {
      moveTo(inner.end);
      open.pop();
    }
  };
  for (const mark of marks) {
    closeUntil(mark.start);
    moveTo(mark.start);
    open.push(mark);
  }
  closeUntil(text.length);
  open.length = 0;
  moveTo(text.length);
  return pieces;
}
