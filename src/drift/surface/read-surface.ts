import { parsedLanguageAt } from "../../syntax/languages/registry.ts";
import { isManifest } from "../../syntax/manifests/manifest.ts";
import { outlineSource } from "../../syntax/source/source.ts";
import { readBuildFile } from "./library/build-files.ts";
import { type LibraryReaders, librariesOf } from "./library/families.ts";
import { CodeText } from "./read/code-text.ts";
import { readConstants, resolveConstants } from "./read/constants.ts";
import { readEnvironment } from "./read/environment.ts";
import { readErrors } from "./read/errors.ts";
import { readKeys } from "./read/keys.ts";
import { readManifestThings } from "./read/manifest-things.ts";
import { isGeneratedText, isOffered } from "./read/offered-path.ts";
import { readRoutes } from "./read/routes.ts";
import { readSchema } from "./read/schema.ts";
import { joinSchemaCalls } from "./read/settings.ts";
import { findOfferedDeclarations, type OfferedDeclaration, readSymbols } from "./read/symbols.ts";
import type { Thing } from "./thing.ts";

const LARGEST = 1_000_000;

/**
 * The things that a file declares. One parse and a fixed number of passes over the text; never throws. Nothing for
 * tests, examples, vendored code and generated files.
 */
export async function readSurface(path: string, text: string): Promise<readonly Thing[]> {
  if (text.length > LARGEST || !isOffered(path)) return [];
  const language = parsedLanguageAt(path, text);
  // A build script that is written in a language (noxfile.py, build.gradle.kts) offers its tasks, not its functions.
  if (language === undefined || isManifest(path)) return readData(path, text);
  if (isGeneratedText(text)) return [];
  const outline = await outlineSource(path, text);
  const code = new CodeText(path, text, language);
  for (const { kind, name, value } of outline.declarations)
    if (kind === "constant" && value && /^["'`][^"'`]*["'`]$/.test(value))
      code.addConstant(name, value.slice(1, -1));
  const offered = findOfferedDeclarations(outline, code);
  const libraries = librariesOf(code);
  const declared = readDeclared(code, offered, libraries);
  const things = unique([
    ...(libraries.module?.(code, declared) ?? []),
    ...declared,
    ...(libraries.forwardedNames?.(code, offered) ?? []),
    ...(libraries.flags?.(code, offered) ?? []),
    ...(libraries.optionDefaults?.(code, offered) ?? []),
    ...readKeys(code),
    ...(libraries.keys?.(code, offered) ?? []),
    ...readEnvironment(code),
    ...readRoutes(code),
    ...readErrors(code),
  ]);
  return resolveConstants(things, readConstants(outline, code));
}

function readData(path: string, text: string): readonly Thing[] {
  return unique([...readManifestThings(path, text), ...readSchema(path, text), ...readBuildFile(path, text)]);
}

function readDeclared(
  code: CodeText,
  offered: readonly OfferedDeclaration[],
  { settings, joinSettings = joinSchemaCalls }: LibraryReaders,
): readonly Thing[] {
  const symbols = readSymbols(offered, code);
  return joinSettings({ symbols, settings: settings?.(code, offered) ?? [], offered, code });
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
