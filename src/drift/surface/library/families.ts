import type { CodeText } from "../read/code-text.ts";
import { readForwardedNames, readPublicUses, readReexports } from "../read/forwarded-names.ts";
import {
  readCodeSchemas,
  readDescribedSettings,
  readFunctionMaps,
  readParsedWords,
  readProperties,
  readSchemaPairs,
  readTypedConstants,
} from "../read/keys.ts";
import { readModule } from "../read/module.ts";
import { type FoundSettings, joinSerde, joinTags, readSerde, readTags } from "../read/settings.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import {
  readDefaultTables,
  readEmptyChecks,
  readKeywords,
  readOptionValues,
} from "../values/option-defaults.ts";
import { readCSharpFlags } from "./c-sharp.ts";
import { readGoFlags } from "./go.ts";
import { readJavaScriptFlags } from "./javascript.ts";
import { readJvmFlags } from "./jvm.ts";
import { readJvmSettings } from "./jvm-settings.ts";
import { readInitialisers, readNativeFlags, readShellFlags } from "./native.ts";
import { readPhpFlags, readPhpSettings } from "./php.ts";
import { readPythonFlags } from "./python.ts";
import { readPythonSettings } from "./python-settings.ts";
import { readRubyFlags, readRubySettings } from "./ruby.ts";
import { readRustFlags } from "./rust.ts";

type LibraryReader = (code: CodeText, offered: readonly OfferedDeclaration[]) => Thing[];

/** The readers for the libraries of one family of languages, beside the patterns of each language itself. */
export type LibraryReaders = {
  /** The module itself, where readers import it by its path. It gets the things that the file declares. */
  readonly module?: (code: CodeText, declared: readonly Thing[]) => Thing[];
  readonly forwardedNames?: LibraryReader;
  /** Commands and flags. */
  readonly flags?: LibraryReader;
  /** Settings whose names are written beside a field. */
  readonly settings?: LibraryReader;
  /** Joins those settings with the symbols that the file declares. */
  readonly joinSettings?: (found: FoundSettings) => readonly Thing[];
  /** Keys that only these libraries look up. */
  readonly keys?: LibraryReader;
  /** Options that get a default where they are read. */
  readonly optionDefaults?: LibraryReader;
};

const FAMILIES: Readonly<Record<string, LibraryReaders>> = {
  bash: { flags: readShellFlags },
  "c#": { flags: readCSharpFlags },
  c: { flags: readNativeFlags, keys: readInitialisers },
  go: {
    flags: readGoFlags,
    settings: readTags,
    joinSettings: joinTags,
    keys: (code) => [...readFunctionMaps(code), ...readTypedConstants(code)],
    optionDefaults: (code, offered) => [...readEmptyChecks(code, offered), ...readDefaultTables(code)],
  },
  javascript: {
    forwardedNames: readReexports,
    flags: readJavaScriptFlags,
    keys: (code) => [...readProperties(code), ...readCodeSchemas(code), ...readDescribedSettings(code)],
    optionDefaults: readOptionValues,
  },
  jvm: { flags: readJvmFlags, settings: readJvmSettings },
  php: { flags: readPhpFlags, keys: readPhpSettings, optionDefaults: readDefaultTables },
  python: {
    module: readModule,
    forwardedNames: readForwardedNames,
    flags: readPythonFlags,
    settings: readPythonSettings,
    keys: readSchemaPairs,
    optionDefaults: readKeywords,
  },
  ruby: { flags: readRubyFlags, settings: readRubySettings },
  rust: {
    forwardedNames: readPublicUses,
    flags: readRustFlags,
    settings: readSerde,
    joinSettings: joinSerde,
    keys: readParsedWords,
  },
};

export function librariesOf({ family }: CodeText): LibraryReaders {
  return Object.hasOwn(FAMILIES, family) ? FAMILIES[family]! : {};
}
