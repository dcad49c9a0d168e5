import { defined } from "../../text/model/defined.ts";
import { keepLast } from "../keep-last.ts";
import { createSourceFile, type ParsedLanguage } from "../languages/language.ts";
import { extensionOf, parsedLanguageAt } from "../languages/registry.ts";
import type { SourceOutline } from "./declaration.ts";
import { type Node, withTree } from "./tree.ts";

const MOST_KEPT = 100;
const outlines = keepLast<Promise<SourceOutline>>(MOST_KEPT);

/**
 * The declarations of a source file, by the grammar of its language; none without a grammar. The last ones are kept by
 * their text: several kinds of claims ask about the same changed file.
 */
export async function outlineSource(path: string, text: string): Promise<SourceOutline> {
  const language = parsedLanguageAt(path, text);
  if (!language) return withoutGrammar(extensionOf(path) || "unknown");
  return outlines(`${language.name}\0${text}`, () => parseSource(language, text));
}

async function parseSource(language: ParsedLanguage, text: string): Promise<SourceOutline> {
  const code = language.code?.(text) ?? text;
  const outcome = await withTree(language.grammar, code, (root) => outlineTree(language, root, code));
  return outcome.ok ? outcome.value : { ...withoutGrammar(language.name), trouble: outcome.why };
}

/** The name of the language a file is written in, where its grammar is known. */
export function sourceLanguage(path: string, text = ""): string | undefined {
  return parsedLanguageAt(path, text)?.name;
}

function withoutGrammar(language: string): SourceOutline {
  return { language, grammar: "none", declarations: [] };
}

function outlineTree(language: ParsedLanguage, root: Node, text: string): SourceOutline {
  const file = createSourceFile(text);
  language.declare(root, file);
  const brokenAt = root.hasError ? firstBrokenLine(root) : missedLine(language, root, text);
  return {
    language: language.name,
    grammar: "tree-sitter",
    declarations: file.declarations,
    ...defined({ brokenAt }),
  };
}

/** The line, from 1, of the first thing that the grammar lets pass and the language refuses. */
function missedLine({ brokenRow }: ParsedLanguage, root: Node, text: string): number | undefined {
  const row = brokenRow?.(root, text);
  return row === undefined ? undefined : row + 1;
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
