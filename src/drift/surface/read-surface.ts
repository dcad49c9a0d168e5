import { parsedLanguageAt } from "../../syntax/languages/registry.ts";
import { isManifest } from "../../syntax/manifests/manifest.ts";
import { outlineSource } from "../../syntax/source/source.ts";
import { withOpenness } from "./closed.ts";
import { isCalled, readContract } from "./contracts/contracts.ts";
import { readBuildFile } from "./library/build-files.ts";
import { type LibraryReaders, librariesOf } from "./library/families.ts";
import { withProgram } from "./library/program.ts";
import { CodeText } from "./read/code-text.ts";
import { readEnvironment } from "./read/environment.ts";
import { readErrors } from "./read/errors.ts";
import { joinThings, withChoices, withTypedTables } from "./read/identity.ts";
import { withInherited } from "./read/inherited.ts";
import { readKeys } from "./read/keys.ts";
import { readManifestThings } from "./read/manifest-things.ts";
import { isGeneratedText, isOffered } from "./read/offered-path.ts";
import { readRoutes } from "./read/routes.ts";
import { joinSchemaCalls } from "./read/settings.ts";
import { findOfferedDeclarations, type OfferedDeclaration, readSymbols } from "./read/symbols.ts";
import type { Thing } from "./thing.ts";
import { readConstants, resolveConstants } from "./values/constants.ts";
import { withFieldValues } from "./values/constructed.ts";

const LARGEST = 1_000_000;

/**
 * The things that a file declares. One parse and a fixed number of passes over the text; never throws. Nothing for
 * tests, examples, vendored code and generated files.
 */
export async function readSurface(path: string, text: string): Promise<readonly Thing[]> {
  if (text.length > LARGEST) return [];
  if (isCalled(path)) return readContract(path, text);
  if (!isOffered(path)) return [];
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
  const constants = readConstants(outline, code);
  const found = [
    ...(libraries.module?.(code, declared) ?? []),
    ...declared,
    ...(libraries.forwardedNames?.(code, offered) ?? []),
    ...withProgram(libraries.flags?.(code, offered) ?? [], code),
    ...(libraries.optionDefaults?.(code, offered) ?? []),
    ...readKeys(code),
    ...(libraries.keys?.(code, offered) ?? []),
    ...readEnvironment(code, offered),
    ...readRoutes(code, offered),
    ...readErrors(code, offered),
  ];
  const known = resolveConstants(withTypedTables(found, offered), constants);
  const things = withInherited(withFieldValues(joinThings(known)), offered, code);
  return withOpenness(withChoices(things), offered, code);
}

function readData(path: string, text: string): readonly Thing[] {
  const things = [
    ...readManifestThings(path, text),
    ...readContract(path, text),
    ...readBuildFile(path, text),
  ];
  return withChoices(joinThings(things));
}

function readDeclared(
  code: CodeText,
  offered: readonly OfferedDeclaration[],
  { settings, joinSettings = joinSchemaCalls }: LibraryReaders,
): readonly Thing[] {
  const symbols = readSymbols(offered, code);
  return joinSettings({ symbols, settings: settings?.(code, offered) ?? [], offered, code });
}
