import type { Edit } from "../model/edit.ts";
import type { Names } from "./git-names.ts";

/** The edits of a patch to one file, in pieces that may have to change their order. */
export type FileStep = {
  readonly path: string;
  readonly part: number;
  readonly ids?: Names | undefined;
  readonly transfer?: { readonly how: "move" | "copy"; readonly edit: Edit };
  readonly changes: readonly Edit[];
  /** Edits that are possible only when the file has its new name. */
  readonly after: readonly Edit[];
};

/**
 * A git diff describes all files at once; edits are made one after the other. Within one patch, copies come first,
 * while their sources are still what they were; then changes in place; then moves, those first that make room
 * for others; then files created where another was moved away.
 */
export function inOrder(steps: readonly FileStep[]): Edit[] {
  const parts = new Map<number, FileStep[]>();
  for (const step of steps) {
    const part = parts.get(step.part);
    if (part) part.push(step);
    else parts.set(step.part, [step]);
  }
  return [...parts.values()].flatMap(orderPart);
}

function orderPart(steps: readonly FileStep[]): Edit[] {
  if (!steps.some(({ transfer }) => transfer))
    return steps.flatMap(({ changes, after }) => [...changes, ...after]);
  const early = new Set(copiesOfOriginals(steps));
  const moved = new Set(steps.filter(isMove).map(({ path }) => path));
  const late = new Set(steps.filter((step) => !step.transfer && moved.has(step.path) && creates(step)));
  const inPlace = steps.filter((step) => !early.has(step) && !late.has(step));
  return [
    ...[...early].flatMap(copyEdits),
    ...inPlace.flatMap((step) => (step.transfer?.how === "copy" ? copyEdits(step) : step.changes)),
    ...roomFirst(steps.filter(isMove).map(({ transfer }) => transfer!.edit as MoveEdit)),
    ...steps.filter(isMove).flatMap(({ after }) => after),
    ...[...late].flatMap(({ changes }) => changes),
    ...inPlace.filter(({ transfer }) => !transfer).flatMap(({ after }) => after),
  ];
}

function isMove({ transfer }: FileStep): boolean {
  return transfer?.how === "move";
}

/** Copies are made from the source as it was, unless their ids say that an earlier change comes first. */
function copiesOfOriginals(steps: readonly FileStep[]): FileStep[] {
  const made = new Set<string>();
  return steps.filter(({ path, ids, transfer }) => {
    const original = transfer?.how === "copy" && !(ids?.old && made.has(`${ids.old} ${path}`));
    if (!transfer && ids?.new) made.add(`${ids.new} ${path}`);
    return original;
  });
}

function copyEdits({ transfer, changes, after }: FileStep): Edit[] {
  return [transfer!.edit, ...changes, ...after];
}

function creates({ changes }: FileStep): boolean {
  return changes.some(({ target }) => "file" in target && target.file === "create");
}

type MoveEdit = Edit & { readonly to: string };

/**
 * Moves in an order in which no destination is still taken by a file that is itself moved away. Where files
 * change places in a ring, one of them is set aside under another name first.
 */
function roomFirst(moves: readonly MoveEdit[]): MoveEdit[] {
  const leaving = new Map(moves.map((move) => [move.path, move]));
  const ordered: MoveEdit[] = [];
  const done = new Set<MoveEdit>();
  for (const move of moves) {
    const chain: MoveEdit[] = [];
    let at: MoveEdit | undefined = move;
    for (; at && !done.has(at); at = leaving.get(at.to)) {
      done.add(at);
      chain.push(at);
    }
    const ring = at === move && chain.length > 1;
    const aside = `${move.path}.moving`;
    if (ring) ordered.push({ ...move, to: aside });
    ordered.push(...(ring ? chain.slice(1) : chain).reverse());
    if (ring) ordered.push({ ...move, path: aside });
  }
  return ordered;
}
