import type { ChangeModel } from "../change-model.ts";
import { fileKind } from "../file-kind.ts";
import { createOwnModules, readImports } from "./imports.ts";

/**
 * Names that the changed code took from somebody else's package: by an import, or as a member of an imported module.
 * A page that has one of them speaks of that package, or of the reader's own code.
 */
export type ForeignNames = {
  /** Whether changed files imported the name from another project. */
  readonly imports: (name: string) => boolean;
  /** Whether every mention of the name on these lines is a member of something imported from another project. */
  readonly owns: (name: string, lines: readonly string[]) => boolean;
  /** Whether one of these lines re-exports the name from another project. */
  readonly lends: (name: string, lines: readonly string[]) => boolean;
};

const LARGEST = 400_000;

export function readForeignNames({ comparisons, input }: ChangeModel): ForeignNames {
  const isOwn = createOwnModules(input.tree, input.repository ?? []);
  const foreign = new Set<string>();
  const own = new Set<string>();
  for (const { from, before } of comparisons) {
    if (before === null || before.length > LARGEST || fileKind(from) !== "product") continue;
    for (const { names, module } of readImports(from, before))
      for (const name of names) (isOwn(module) ? own : foreign).add(name);
  }
  const imports = (name: string): boolean => foreign.has(name) && !own.has(name);
  return {
    imports,
    owns: (name, lines) => isMember(name, lines, imports),
    lends: (name, lines) => lines.some((line) => isAlias(name, line, imports)),
  };
}

/** `Name = other.Name`, or anything that is made of `other.Name`. */
function isAlias(name: string, line: string, imports: (name: string) => boolean): boolean {
  const word = name.replace(/\W/g, "\\$&");
  const made = new RegExp(
    `^\\s*(?:export\\s+)?(?:const\\s+|let\\s+|var\\s+|type\\s+)?${word}\\s*=.*?(?<![\\w$.])([\\w$]+)(?:\\.|::)${word}(?![\\w$])`,
  );
  const holder = made.exec(line)?.[1];
  return holder !== undefined && imports(holder);
}

function isMember(name: string, lines: readonly string[], imports: (name: string) => boolean): boolean {
  const word = name.replace(/\W/g, "\\$&");
  const holders = lines.flatMap((line) =>
    [...line.matchAll(new RegExp(`(?<![\\w$])(?:([\\w$]+)(?:\\.|::))?${word}(?![\\w$])`, "g"))].map(
      (match) => match[1],
    ),
  );
  return holders.length > 0 && holders.every((holder) => holder !== undefined && imports(holder));
}
