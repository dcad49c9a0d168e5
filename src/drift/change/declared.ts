import type { Declaration, SourceOutline } from "../../syntax/source/declaration.ts";
import { outlineSource, sourceLanguage } from "../../syntax/source/source.ts";
import type { Comparison } from "./comparison.ts";

/** The declarations of a changed file on each side, read with a grammar. */
export type DeclaredSides = {
  readonly before: readonly Declaration[];
  readonly after: readonly Declaration[];
};

// Parsing costs fifty times as much as reading, and a program generated a file of this size.
const LARGEST = 300_000;
const MOST = 60;

/**
 * Parses changed files with the grammars of their languages, each once and on first use. Null if there is no grammar or
 * parsing failed; rules then use the lines and words of the change.
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
