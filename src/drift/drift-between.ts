import { isCodePath } from "../syntax/file-kinds.ts";
import { createWordFinder } from "../syntax/words/words.ts";
import type { ChangedFile, DriftInput } from "./change/change.ts";
import { findDrift, type Unknown } from "./find-drift.ts";
import type { Finding } from "./findings.ts";
import { toDocument } from "./pages/document-text.ts";
import { isDocumentPath } from "./pages/policies.ts";

/** A project in memory: texts by path. */
export type Tree = ReadonlyMap<string, string>;

/** The passages that a change made false, for two states of a project in memory. */
export function driftBetween(
  before: Tree,
  after: Tree,
): Promise<{ readonly findings: readonly Finding[]; readonly unknown: readonly Unknown[] }> {
  return findDrift(inputFor(before, after));
}

function inputFor(before: Tree, after: Tree): DriftInput {
  const changed = findChanged(before, after);
  const documents = [...after].filter(([path]) => isDocumentPath(path));
  const code = [...after].filter(([path]) => isCodePath(path) && !isDocumentPath(path));
  const only = (these: Tree, those: Tree) =>
    [...these].filter(([path]) => !those.has(path)).map(([path, text]) => ({ path, id: text }));
  return {
    base: "before",
    head: "after",
    files: changed.filter(({ path }) => isCodePath(path)),
    pages: changed.filter(({ path }) => isDocumentPath(path)),
    paths: { removed: only(before, after), added: only(after, before) },
    tree: [...after.keys()],
    documents: documents.map(([path, text]) => toDocument(path, text, (one) => after.has(one))),
    read: async (path) => after.get(path) ?? null,
    occurrences: async (names) => findOccurrences(names, code),
  };
}

function findChanged(before: Tree, after: Tree): ChangedFile[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }));
}

/** For each name, the files that have it as a whole word. */
function findOccurrences(
  names: readonly string[],
  files: readonly (readonly [path: string, text: string])[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>(names.map((name) => [name, []]));
  const find = createWordFinder(names);
  for (const [path, text] of files)
    for (const name of new Set(find(text).map((mention) => mention.name))) found.get(name)?.push(path);
  return found;
}
