import { Language, type Node, Parser } from "web-tree-sitter";
import { type Grammar, readGrammar } from "./grammars.ts";

export type { Node } from "web-tree-sitter";

/** What came of asking for a tree: the value made from it, or why there was none. */
export type FromTree<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

/** Larger files are generated or data; they are read as tokens. */
const LARGEST = 2_000_000;

/**
 * Hands the root of `text`'s tree to `use`, and frees the tree. Work is bounded by the text's length, by counting and
 * not by a clock, so that the same text always gives the same answer.
 */
export async function withTree<T>(
  grammar: Grammar,
  text: string,
  use: (root: Node) => T,
): Promise<FromTree<T>> {
  if (text.length > LARGEST) return { ok: false, why: `longer than ${LARGEST} characters` };
  if (broken) return { ok: false, why: broken };
  const language = await loadGrammar(grammar);
  if (!language) return { ok: false, why: `the ${grammar} grammar could not be loaded` };
  // A parser that has read one text may carry its scanner's state into the next.
  const parser = new Parser();
  try {
    parser.setLanguage(language);
    let stepsLeft = 10_000 + text.length;
    const tree = parser.parse(text, null, { progressCallback: () => --stepsLeft < 0 });
    if (!tree) return { ok: false, why: "too tangled to parse" };
    try {
      return { ok: true, value: use(tree.rootNode) };
    } finally {
      tree.delete();
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "RuntimeError") throw error;
    // The parser's memory can no longer be trusted, for this file or any other.
    broken = `the parser failed on an earlier file (${error.message})`;
    return { ok: false, why: `the parser failed (${error.message})` };
  } finally {
    if (!broken) parser.delete();
  }
}

const loaded = new Map<Grammar, Promise<Language | undefined>>();
let started: Promise<void> | undefined;
let broken: string | undefined;

function loadGrammar(grammar: Grammar): Promise<Language | undefined> {
  let language = loaded.get(grammar);
  if (!language) {
    started ??= Parser.init();
    language = started
      .then(() => readGrammar(grammar))
      .then((bytes) => Language.load(bytes))
      .catch(() => undefined);
    loaded.set(grammar, language);
  }
  return language;
}
