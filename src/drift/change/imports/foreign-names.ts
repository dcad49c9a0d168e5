import type { ChangeModel } from "../change-model.ts";
import { fileKind } from "../file-kind.ts";
import { createOwnModules, readImports } from "./imports.ts";

/**
 * Names that the changed code took from another project's package: by an import, or as a member of an imported module.
 * A page with such a name means that package, or the reader's own code.
 */
export type ForeignNames = {
  /** Whether changed files imported the name from another project. */
  readonly imports: (name: string) => boolean;
  /** Whether changed files, as they are now, import the name from another project. */
  readonly importsNow: (name: string) => boolean;
  /** Whether every mention of the name on these lines is a member of something imported from another project. */
  readonly owns: (name: string, lines: readonly string[]) => boolean;
  /** Whether one of these lines re-exports the name from another project. */
  readonly reexports: (name: string, lines: readonly string[]) => boolean;
};

const LARGEST = 400_000;

export function readForeignNames({ comparisons, input }: ChangeModel): ForeignNames {
  const isOwn = createOwnModules(input.tree, input.repository ?? []);
  const imports = createImported(
    comparisons.map(({ from, before }) => [from, before]),
    isOwn,
  );
  let now: ((name: string) => boolean) | undefined;
  return {
    imports,
    importsNow: (name) => {
      now ??= createImported(
        comparisons.map(({ path, after }) => [path, after]),
        isOwn,
      );
      return now(name);
    },
    owns: (name, lines) => isMember(name, lines, imports),
    reexports: (name, lines) => lines.some((line) => isAlias(name, line, imports)),
  };
}

/** Whether these files of the product import a name from another project, and none imports it from this one. */
function createImported(
  files: readonly (readonly [path: string, text: string | null])[],
  isOwn: (module: string) => boolean,
): (name: string) => boolean {
  const foreign = new Set<string>();
  const own = new Set<string>();
  for (const [path, text] of files) {
    if (text === null || text.length > LARGEST || fileKind(path) !== "product") continue;
    for (const { names, module } of readImports(path, text))
      for (const name of names) (isOwn(module) ? own : foreign).add(name);
  }
  return (name) => foreign.has(name) && !own.has(name);
}

/** `Name = other.Name`, or any expression with `other.Name`. */
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
