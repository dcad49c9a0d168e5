import type { Region } from "../../../text/model/region.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";

const DEEPEST = 60;

/** Looks up the innermost of some regions around an offset. */
export function createInnermost<Item>(
  items: readonly Item[],
  regionOf: (item: Item) => Region,
): (at: number) => Item | undefined {
  const sorted = items
    .map((item) => ({ item, ...regionOf(item) }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  return (at) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.start <= at) low = middle + 1;
      else high = middle;
    }
    return sorted.slice(Math.max(0, low - DEEPEST), low).findLast(({ end }) => at < end)?.item;
  };
}

type Lookup = (at: number) => OfferedDeclaration | undefined;

/** Looks up the innermost function or method around an offset. */
export function createEnclosing(offered: readonly OfferedDeclaration[]): Lookup {
  const functions = offered.filter(({ declaration: { kind } }) => kind === "function" || kind === "method");
  return createInnermost(functions, ({ declaration }) => declaration.region);
}

/** Looks up the declaration that an annotation, a decorator or a comment at an offset marks. */
export function createMarked(offered: readonly OfferedDeclaration[]): Lookup {
  return createInnermost(offered, ({ declaration: { region, nameRegion } }) => ({
    start: region.start,
    end: nameRegion.start,
  }));
}

const UTILITY = /^(?:Partial|Required|Readonly|DeepPartial|NonNullable|Option|Optional|Box|Arc|Rc)\s*<(.*)>$/;

/** The name of a type without what wraps it: `Partial<ServeOptions> | undefined` is `ServeOptions`. */
export function typeName(type: string | undefined): string | undefined {
  let name = type?.trim() ?? "";
  for (let step = 0; step < 4; step++) {
    name = name
      .replace(/\s*\|\s*(?:undefined|null|None)$/, "")
      .replace(/^(?:&(?:mut\s+)?|\*|const\s+|struct\s+)+/, "")
      .replace(/[?&*]$/, "")
      .trim();
    name = UTILITY.exec(name)?.[1] ?? name;
  }
  return /^(?:\w+(?:\.|::))*([A-Z]\w*)(?:<[^<>]*>)?$/.exec(name)?.[1];
}
