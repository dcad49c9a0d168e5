import { isInsideFence, type Piece, piecesOf } from "./pieces.ts";

/** The pieces of a section as it was and as it is, and the sentences, rows and lines of code that only one side has. */
export type Changes = {
  readonly old: readonly Piece[];
  readonly fresh: readonly Piece[];
  readonly removed: readonly Piece[];
  readonly added: readonly Piece[];
};

/** A section before and after an edit, and the page above it. */
export type EditedText = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly above?: string;
};

export function findChanges({ path, before, after, above = "" }: EditedText): Changes {
  const start = { path, above };
  const [old, fresh] = [piecesOf(before, start), piecesOf(after, start)];
  const [had, has] = [countKeys(old), countKeys(fresh)];
  return { old, fresh, removed: missing(old, has), added: missing(fresh, had) };
}

/** Layout and marks around a sentence are not its words. */
export function keyOf({ text }: Piece): string {
  return text.replace(/[\s|:-]+/g, " ").trim();
}

/** Equal words in prose and in code are two things: an opened fence may swallow a paragraph. */
function countedKey(piece: Piece): string {
  return `${piece.kind} ${keyOf(piece)}`;
}

function countKeys(pieces: readonly Piece[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const piece of pieces) counts.set(countedKey(piece), (counts.get(countedKey(piece)) ?? 0) + 1);
  return counts;
}

/** The pieces that the other side has not, or has less often. Lines of code repeat by nature, so one is enough there. */
function missing(pieces: readonly Piece[], others: ReadonlyMap<string, number>): Piece[] {
  const left = new Map(others);
  return pieces.filter((piece) => {
    const key = countedKey(piece);
    const count = left.get(key) ?? 0;
    if (!isInsideFence(piece) && keyOf(piece).length > 20) left.set(key, count - 1);
    return count <= 0;
  });
}
