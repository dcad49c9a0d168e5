import { createRequire } from "node:module";
import type { Language, Node, Tree } from "web-tree-sitter";
import { findParser, type Grammar, readGrammar } from "./grammars.ts";

export type { Node } from "web-tree-sitter";

/** The value made from a tree, or why there was no tree. */
export type FromTree<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

/** Larger files are generated or data, and are not parsed. */
const LARGEST = 1_000_000;
/** Some grammars overflow the parser's stack at three thousand open brackets; people write a dozen. */
const DEEPEST = 1500;
/** The optimising compiler takes 500 MB and a second for the large functions of a grammar, and gains less in one check. */
export const BASELINE_ONLY = ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];
/** In pages of 64 KB: several times the need of the largest file, and a limit for all. */
const MEMORY = { initial: 512, maximum: 8192 };

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
  if (isDeep(text)) return { ok: false, why: "nested too deep" };
  engine ??= startEngine();
  const own = engine;
  const language = await own.load(grammar);
  // Another file may have broken the engine while this one waited for its grammar.
  if (engine !== own) return withTree(grammar, text, use);
  if (!language) return { ok: false, why: `the ${grammar.name} grammar could not be loaded` };
  return parse(own, language, text, use);
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > DEEPEST) return true;
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--;
  }
  return false;
}

function parse<T>(
  { library, abandon }: Engine,
  language: Language,
  text: string,
  use: (root: Node) => T,
): FromTree<T> {
  // A parser that has read one text may carry its scanner's state into the next.
  const parser = new library.Parser();
  let tree: Tree | null = null;
  try {
    parser.setLanguage(language);
    const limit = createWorkLimit(text);
    tree = parser.parse(limit.read, null, { progressCallback: limit.stop });
    const value = tree && !limit.spent() ? { value: use(tree.rootNode) } : undefined;
    tree?.delete();
    parser.delete();
    return value ? { ok: true, ...value } : { ok: false, why: "too tangled to parse" };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "RuntimeError") throw error;
    // Its memory can no longer be trusted, so the next file gets a new engine.
    abandon();
    engine = undefined;
    return { ok: false, why: "the parser ran out of memory" };
  }
}

/**
 * Limits the work for a text. Code takes at most 1.5 steps per character, and a few readings of each stretch. A text that
 * takes seven times as much was made to be slow, or is not code. The parser calls `stop` every hundred steps.
 */
function createWorkLimit(text: string) {
  let stops = 500 + text.length / 10;
  let reads = 500 + (50 * text.length) / STRETCH;
  return {
    read: (at: number) => (--reads < 0 ? "" : text.slice(at, at + STRETCH)),
    stop: () => --stops < 0 || reads < 0,
    spent: () => stops < 0 || reads < 0,
  };
}

const STRETCH = 5000;

type Library = typeof import("web-tree-sitter");

/** One copy of the library, which has one memory for all its grammars. */
type Engine = {
  readonly library: Library;
  readonly load: (grammar: Grammar) => Promise<Language | undefined>;
  /** Drops the engine without calling into it again. */
  readonly abandon: () => void;
};

let engine: Engine | undefined;

declare const WebAssembly: { readonly Memory: new (pages: typeof MEMORY) => object };

function startEngine(): Engine {
  // Required, not imported: an imported module can be neither loaded a second time nor unloaded.
  const require = createRequire(import.meta.filename);
  // A browser has no such flags.
  const v8 = globalThis.process?.getBuiltinModule?.("node:v8");
  for (const flag of BASELINE_ONLY) v8?.setFlagsFromString(flag);
  const path = findParser();
  delete require.cache[path];
  const library = require(path) as Library;
  // The library puts its functions into the object it is given; a parser that dies writes to the terminal otherwise.
  const functions: Record<string, unknown> = {
    wasmMemory: new WebAssembly.Memory(MEMORY),
    printErr: () => {},
  };
  const started = library.Parser.init(functions);
  const loaded = new Map<string, Promise<Language | undefined>>();
  return {
    library,
    load(grammar) {
      let language = loaded.get(grammar.name);
      if (!language) {
        language = started
          .then(() => readGrammar(grammar))
          .then((bytes) => library.Language.load(bytes))
          .catch(() => undefined);
        loaded.set(grammar.name, language);
      }
      return language;
    },
    abandon() {
      // Trees and parsers are freed when they are collected, and freeing them in a broken memory may never end.
      for (const name of ["_ts_parser_delete", "_ts_tree_delete", "_free"]) functions[name] = () => {};
    },
  };
}
