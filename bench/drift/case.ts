import type { DriftInput } from "../../src/drift/change/change.ts";
import { documentClass, isDocumentPath } from "../../src/drift/pages/policies.ts";
import type { Clone } from "./git.ts";
import { hashesOf, holdsAll, indexWords } from "./word-index.ts";

export type DriftCase = {
  readonly case_id: string;
  readonly label: "positive" | "negative";
  readonly repo: string;
  readonly lang: string;
  readonly parent: string;
  readonly commit: string;
  readonly subject: string;
  readonly kind: string;
  readonly hunks: readonly DriftHunk[];
};

export type DriftHunk = {
  readonly path: string;
  readonly role: string;
  readonly stale: boolean;
  readonly mechanical: boolean;
  readonly kind: string | null;
  readonly old_start: number;
  readonly old_count: number;
  readonly old_text: string;
  readonly new_text: string;
};

const LARGEST = 400_000;
const OPAQUE =
  /\.(png|jpe?g|gif|svg|ico|webp|woff2?|ttf|eot|pdf|zip|gz|tgz|jar|mp4|webm|lock|map|snap|min\.js|min\.css|wasm|bin|exe)$|(^|\/)(package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|go\.sum|node_modules\/|vendor\/)/i;

/** What stays true for every case of one clone, so that history is read once. */
export type CloneCache = {
  readonly words: Map<string, Uint32Array>;
  readonly texts: Map<string, string | null>;
};

/**
 * The two trees of a case, in memory: the parent, and the parent with only the non-document part of the commit.
 * `withheld` says which documents the human's commit changed.
 */
export async function buildCase(one: DriftCase, clone: Clone, cache: CloneCache): Promise<DriftInput> {
  const [tree, changed] = await Promise.all([clone.tree(one.parent), clone.changed(one.parent, one.commit)]);
  const code = changed.filter(({ path }) => !isWithheld(path));
  for (const { path, after } of code) {
    if (after === null) tree.delete(path);
    else tree.set(path, after);
  }
  const files = await Promise.all(
    code
      .filter(({ path }) => !OPAQUE.test(path))
      .map(async ({ path, before, after }) => ({
        path,
        before: before === null ? null : await readText(before, clone, cache),
        after: after === null ? null : await readText(after, clone, cache),
      })),
  );
  const pages = [...tree].filter(([path]) => isDocumentPath(path));
  const documents = [];
  for (const [path, id] of pages) {
    const text = await readText(id, clone, cache);
    if (text !== null) documents.push({ path, text });
  }
  return {
    base: one.parent,
    head: one.commit,
    files: files.filter((file) => file.before !== null || file.after !== null),
    tree: [...tree.keys()],
    documents,
    occurrences: (names) => findOccurrences(names, tree, clone, cache),
  };
}

function isWithheld(path: string): boolean {
  if (!isDocumentPath(path) || /\.(adoc|asciidoc|txt|mdc)$/i.test(path)) return false;
  const kind = documentClass(path);
  return kind !== "fixture";
}

async function findOccurrences(
  names: readonly string[],
  tree: ReadonlyMap<string, string>,
  clone: Clone,
  cache: CloneCache,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>(names.map((name) => [name, []]));
  const wanted = names.map((name) => ({
    name,
    hashes: hashesOf(name),
    exact: /^\w+$/.test(name) ? null : wholeWord(name),
  }));
  if (!wanted.length) return found;
  for (const [path, id] of tree) {
    if (isDocumentPath(path) || OPAQUE.test(path)) continue;
    let index = cache.words.get(id);
    if (!index) {
      const text = await readText(id, clone, cache, false);
      index = indexWords(text ?? "");
      cache.words.set(id, index);
    }
    for (const { name, hashes, exact } of wanted) {
      if (!holdsAll(index, hashes)) continue;
      if (exact && !exact.test((await readText(id, clone, cache, false)) ?? "")) continue;
      found.get(name)!.push(path);
    }
  }
  return found;
}

function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`);
}

async function readText(id: string, clone: Clone, cache: CloneCache, keep = true): Promise<string | null> {
  const known = cache.texts.get(id);
  if (known !== undefined) return known;
  const bytes = await clone.blob(id);
  const text =
    bytes && bytes.length <= LARGEST && !bytes.subarray(0, 8000).includes(0) ? bytes.toString("utf8") : null;
  if (keep) cache.texts.set(id, text);
  return text;
}
