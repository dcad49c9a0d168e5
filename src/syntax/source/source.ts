import { bash } from "../languages/bash.ts";
import { c, cpp } from "../languages/c.ts";
import { cSharp } from "../languages/c-sharp.ts";
import { go } from "../languages/go.ts";
import { java } from "../languages/java.ts";
import { javascript, tsx, typescript } from "../languages/javascript/javascript.ts";
import { kotlin } from "../languages/kotlin.ts";
import { createSourceFile, findQuoted, type Language } from "../languages/language.ts";
import { php } from "../languages/php.ts";
import { python } from "../languages/python.ts";
import { ruby } from "../languages/ruby.ts";
import { rust } from "../languages/rust.ts";
import { swift } from "../languages/swift.ts";
import { onlyScripts } from "./component-scripts.ts";
import type { SourceOutline } from "./declaration.ts";
import { scanStrings } from "./tokens.ts";
import { type Node, withTree } from "./tree.ts";

/** What a source file declares, by the grammar of its language; without one only its strings, and it says so. */
export async function outlineSource(path: string, text: string): Promise<SourceOutline> {
  const language = languageOf(path, text);
  if (!language) return withoutGrammar(extensionOf(path) || "unknown", text);
  const code = COMPONENTS.has(extensionOf(path)) ? onlyScripts(text) : text;
  const outcome = await withTree(language.grammar, code, (root) => outlineTree(language, root, code));
  return outcome.ok ? outcome.value : { ...withoutGrammar(language.name, text), trouble: outcome.why };
}

/** The name of the language a file is written in, where its grammar is known. */
export function sourceLanguage(path: string, text = ""): string | undefined {
  return languageOf(path, text)?.name;
}

function languageOf(path: string, text: string): Language | undefined {
  const extension = extensionOf(path);
  if (extension) return BY_EXTENSION.get(extension);
  const interpreter = /^#!.*?\b(node|deno|bun|python|ruby|php|bash|zsh|sh)[\d.]*\b/.exec(text.slice(0, 200));
  return interpreter ? BY_INTERPRETER.get(interpreter[1]!) : undefined;
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1) : "";
}

const BY_EXTENSION: ReadonlyMap<string, Language> = byEach([
  [typescript, "ts mts cts"],
  [tsx, "tsx"],
  [typescript, "vue svelte"],
  [javascript, "js mjs cjs jsx"],
  [python, "py pyi pyw"],
  [go, "go"],
  [rust, "rs"],
  [ruby, "rb rake gemspec ru"],
  [kotlin, "kt kts"],
  [java, "java"],
  [c, "c"],
  [cpp, "cc cpp cxx c++ h hh hpp hxx ipp"],
  [cSharp, "cs"],
  [php, "php phtml"],
  [swift, "swift"],
  [bash, "sh bash zsh ksh"],
]);

/** Files that hold scripts among other things. */
const COMPONENTS: ReadonlySet<string> = new Set(["vue", "svelte"]);

const BY_INTERPRETER: ReadonlyMap<string, Language> = byEach([
  [javascript, "node deno bun"],
  [python, "python"],
  [ruby, "ruby"],
  [php, "php"],
  [bash, "bash zsh sh"],
]);

function byEach(rows: readonly (readonly [Language, string])[]): ReadonlyMap<string, Language> {
  return new Map(rows.flatMap(([language, keys]) => keys.split(" ").map((key) => [key, language] as const)));
}

function withoutGrammar(language: string, text: string): SourceOutline {
  return { language, grammar: "none", declarations: [], strings: scanStrings(text) };
}

function outlineTree(language: Language, root: Node, text: string): SourceOutline {
  const file = createSourceFile(text);
  language.declare(root, file);
  const brokenAt = root.hasError ? firstBrokenLine(root) : undefined;
  return {
    language: language.name,
    grammar: "tree-sitter",
    declarations: file.declarations,
    strings: findStrings(language, root, text),
    ...(brokenAt !== undefined && { brokenAt }),
  };
}

function findStrings(language: Language, root: Node, text: string): SourceOutline["strings"] {
  return root.descendantsOfType([...language.strings]).flatMap((node) => {
    const region = findQuoted(text, node.startIndex, node.endIndex);
    return region ? [{ value: text.slice(region.start, region.end), region }] : [];
  });
}

/** The line, from 1, of the first thing the grammar could not make sense of or missed. */
function firstBrokenLine(root: Node): number {
  let node = root;
  for (;;) {
    if (node.isError || node.isMissing) return node.startPosition.row + 1;
    const next = node.children.find((child) => child.hasError || child.isMissing);
    if (!next) return node.startPosition.row + 1;
    node = next;
  }
}
