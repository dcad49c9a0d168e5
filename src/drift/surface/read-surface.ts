import { isManifest } from "../../syntax/manifests/manifest.ts";
import { outlineSource, sourceLanguage } from "../../syntax/source/source.ts";
import { readBuildFile } from "./library/build-files.ts";
import { readGoFlags } from "./library/go.ts";
import { readJavaScriptFlags } from "./library/javascript.ts";
import { readJvmFlags } from "./library/jvm.ts";
import { readNativeFlags, readShellFlags } from "./library/native.ts";
import { readPythonFlags } from "./library/python.ts";
import { readRubyFlags } from "./library/ruby.ts";
import { readRustFlags } from "./library/rust.ts";
import { CodeText } from "./read/code-text.ts";
import { readEnvironment } from "./read/environment.ts";
import { readErrors } from "./read/errors.ts";
import { readForwardedNames } from "./read/forwarded-names.ts";
import { readKeys } from "./read/keys.ts";
import { readManifestThings } from "./read/manifest-things.ts";
import { readModule } from "./read/module.ts";
import { isGeneratedText, isOffered } from "./read/offered-path.ts";
import { readOptionDefaults } from "./read/option-defaults.ts";
import { readRoutes } from "./read/routes.ts";
import { readSchema } from "./read/schema.ts";
import { readNamedSettings, withRustDefaults, withSchemaCalls } from "./read/settings.ts";
import { findOfferedDeclarations, type OfferedDeclaration, readSymbols } from "./read/symbols.ts";
import type { Thing } from "./thing.ts";

const LARGEST = 1_000_000;

/**
 * The things that a file declares. One parse and a fixed number of passes over the text; never throws. Nothing for
 * tests, examples, vendored code and generated files.
 */
export async function readSurface(path: string, text: string): Promise<readonly Thing[]> {
  if (text.length > LARGEST || !isOffered(path)) return [];
  const language = sourceLanguage(path, text);
  // A build script that is written in a language (noxfile.py, build.gradle.kts) offers its tasks, not its functions.
  if (language === undefined || isManifest(path)) return readData(path, text);
  if (isGeneratedText(text)) return [];
  const outline = await outlineSource(path, text);
  const code = new CodeText(path, text, language);
  for (const { kind, name, value } of outline.declarations)
    if (kind === "constant" && value && /^["'`][^"'`]*["'`]$/.test(value))
      code.addConstant(name, value.slice(1, -1));
  const offered = findOfferedDeclarations(outline, code);
  const declared = readDeclared(offered, code);
  return unique([
    ...readModule(declared, code),
    ...declared,
    ...readForwardedNames(offered, code),
    ...readFlags(code, offered),
    ...readOptionDefaults(code),
    ...readKeys(code, offered),
    ...readEnvironment(code),
    ...readRoutes(code),
    ...readErrors(code),
  ]);
}

function readData(path: string, text: string): readonly Thing[] {
  return unique([...readManifestThings(path, text), ...readSchema(path, text), ...readBuildFile(path, text)]);
}

function readDeclared(offered: readonly OfferedDeclaration[], code: CodeText): readonly Thing[] {
  const named = readNamedSettings(offered, code);
  const symbols = readSymbols(offered, code);
  if (code.language !== "rust") return withSchemaCalls([...symbols, ...named], offered, code);
  // A field that serde reads is one thing: the setting.
  const places = new Set(named.filter(({ kind }) => kind === "setting").map(({ region }) => region.start));
  const others = symbols.filter(
    ({ region, kind }) => !places.has(region.start) || (kind !== "member" && kind !== "setting"),
  );
  return withRustDefaults([...others, ...named], offered, code);
}

function readFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  switch (code.language) {
    case "javascript":
    case "typescript":
    case "tsx":
      return readJavaScriptFlags(code, offered);
    case "python":
      return readPythonFlags(code, offered);
    case "go":
      return readGoFlags(code, offered);
    case "rust":
      return readRustFlags(code, offered);
    case "ruby":
      return readRubyFlags(code);
    case "java":
    case "kotlin":
      return readJvmFlags(code);
    case "c":
    case "cpp":
      return readNativeFlags(code);
    case "bash":
      return readShellFlags(code);
    default:
      return [];
  }
}

/** Each thing once. If two readers found the same thing, the more detailed one stays. All overloads stay. */
function unique(things: readonly Thing[]): readonly Thing[] {
  const byPlace = new Map<string, Thing>();
  for (const thing of things) {
    const key = `${thing.id}\0${thing.parameters ? thing.region.start : ""}`;
    const other = byPlace.get(key);
    if (!other || weigh(thing) > weigh(other)) byPlace.set(key, thing);
  }
  return [...byPlace.values()];
}

function weigh({ value, description, type }: Thing): number {
  return (value === undefined ? 0 : 1) + (description === undefined ? 0 : 2) + (type === undefined ? 0 : 1);
}
