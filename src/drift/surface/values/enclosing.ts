import type { OfferedDeclaration } from "../read/symbols.ts";

const DEEPEST = 40;

/** Looks up the innermost function or method around an offset. */
export function createEnclosing(
  offered: readonly OfferedDeclaration[],
): (at: number) => OfferedDeclaration | undefined {
  const functions = offered
    .filter(({ declaration: { kind } }) => kind === "function" || kind === "method")
    .sort((a, b) => a.declaration.region.start - b.declaration.region.start);
  return (at) => {
    let low = 0;
    let high = functions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (functions[middle]!.declaration.region.start <= at) low = middle + 1;
      else high = middle;
    }
    for (let index = low - 1; index >= 0 && index >= low - DEEPEST; index--)
      if (at < functions[index]!.declaration.region.end) return functions[index];
    return undefined;
  };
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
