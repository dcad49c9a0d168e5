import { DATA_FORMATS } from "../languages/data-formats.ts";
import type { Merging, ParsedLanguage } from "../languages/language.ts";
import { extensionOf, parsedLanguageAt } from "../languages/registry.ts";
import type { Grammar } from "../source/grammars.ts";

/** The grammar by which a file is merged, and what may stand in any order in it. */
export type MergeGrammar = {
  readonly grammar: Grammar;
  readonly merging?: Merging;
  readonly overloads?: ParsedLanguage["overloads"];
  readonly code?: (text: string) => string;
};

export function mergeGrammarAt(path: string, text: string): MergeGrammar | undefined {
  const extension = extensionOf(path);
  return (
    parsedLanguageAt(path, text) ?? DATA_FORMATS.find(({ extensions }) => extensions.includes(extension))
  );
}
