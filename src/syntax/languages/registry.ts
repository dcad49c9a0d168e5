import type { Grammar } from "../source/grammars.ts";
import { bash } from "./bash.ts";
import { c, cpp } from "./c.ts";
import { cSharp } from "./c-sharp.ts";
import { component } from "./component.ts";
import { DATA_FORMATS } from "./data-formats.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { javascript, tsx, typescript } from "./javascript/javascript.ts";
import { kotlin } from "./kotlin.ts";
import type { Language, ParsedLanguage } from "./language.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { swift } from "./swift.ts";
import { WITHOUT_GRAMMAR } from "./without-grammar.ts";

/** Languages whose declarations can be read. */
const PARSED: readonly ParsedLanguage[] = [
  bash,
  c,
  cpp,
  cSharp,
  component,
  go,
  java,
  javascript,
  kotlin,
  php,
  python,
  ruby,
  rust,
  swift,
  tsx,
  typescript,
];

/** Every language of source files. All lists of source endings are derived from this one. */
export const LANGUAGES: readonly Language[] = [...PARSED, ...WITHOUT_GRAMMAR];

/** The grammars that ship with this package, each once. */
export const GRAMMARS: readonly Grammar[] = [
  ...new Map([...PARSED, ...DATA_FORMATS].map(({ grammar }) => [grammar.name, grammar])).values(),
];

/** Endings of files that are named after a class, without the dot. */
export const CLASS_FILES: readonly string[] = LANGUAGES.flatMap(({ classFiles }) => classFiles ?? []);

/** The language of a file by its ending; a file without one may name its interpreter in its first line. */
export function languageAt(path: string, text = ""): Language | undefined {
  const extension = extensionOf(path);
  if (extension) return BY_EXTENSION.get(extension);
  const interpreter = SHEBANG.exec(text.slice(0, 200))?.[1];
  return interpreter === undefined ? undefined : BY_INTERPRETER.get(interpreter);
}

/** As `languageAt`, where the language has a grammar. */
export function parsedLanguageAt(path: string, text = ""): ParsedLanguage | undefined {
  const language = languageAt(path, text);
  return language && isParsed(language) ? language : undefined;
}

/** Whether the declarations of a language can be read. */
export function isParsed(language: Language): language is ParsedLanguage {
  return language.grammar !== undefined;
}

/** The ending of a file's name in lower case, without its dot. A name that begins with its only dot has none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1) : "";
}

const BY_EXTENSION = indexBy(({ extensions }) => extensions);
const BY_INTERPRETER = indexBy(({ interpreters }) => interpreters ?? []);
const SHEBANG = new RegExp(String.raw`^#!.*?\b(${[...BY_INTERPRETER.keys()].join("|")})[\d.]*\b`);

function indexBy(keysOf: (language: Language) => readonly string[]): ReadonlyMap<string, Language> {
  return new Map(LANGUAGES.flatMap((language) => keysOf(language).map((key) => [key, language] as const)));
}

/** Sources of the JVM, whose folders below these are their package: `src/main/java/a/b/C.java` is `a.b.C`. */
export const JVM_SOURCE = /\.(?:java|kt|scala|groovy)$/;
export const JVM_FOLDER = /^(?:.*\/)?(?:java|kotlin|scala|groovy|src)\//;
