import type { Declaration, SourceOutline } from "../../syntax/source/declaration.ts";
import { outlineSource, sourceLanguage } from "../../syntax/source/source.ts";
import type { Comparison } from "./comparison.ts";

/** What a changed file declares on each side, by its grammar. */
export type DeclaredSides = {
  readonly before: readonly Declaration[];
  readonly after: readonly Declaration[];
};

// A grammar costs fifty times what reading does; a file this large was written by a program.
const LARGEST = 300_000;
const MOST = 60;

/**
 * Reads changed files through the grammars of their languages, each once and only when asked. Null where there is no
 * grammar, or it did not get through the file: then the lines and words of the change have to do.
 */
export function createDeclared(): (file: Comparison) => Promise<DeclaredSides | null> {
  const known = new Map<Comparison, Promise<DeclaredSides | null>>();
  return (file) => {
    const answer = known.get(file) ?? (known.size < MOST ? read(file) : Promise.resolve(null));
    known.set(file, answer);
    return answer;
  };
}

async function read({ path, from, before, after }: Comparison): Promise<DeclaredSides | null> {
  if (before === null || after === null || before.length + after.length > LARGEST) return null;
  if (sourceLanguage(path, after) === undefined) return null;
  const [old, fresh] = [await outlineSource(from, before), await outlineSource(path, after)];
  return isRead(old) && isRead(fresh) ? { before: old.declarations, after: fresh.declarations } : null;
}

function isRead({ grammar }: SourceOutline): boolean {
  return grammar === "tree-sitter";
}
