import type { Rule } from "./rule.ts";
import { anchor } from "./rules/anchor.ts";
import { defaultValue } from "./rules/default.ts";
import { deprecation } from "./rules/deprecation.ts";
import { description } from "./rules/description.ts";
import { enumeration } from "./rules/enumeration.ts";
import { fence } from "./rules/fence.ts";
import { flag } from "./rules/flag.ts";
import { module } from "./rules/module.ts";
import { path } from "./rules/path.ts";
import { phrase } from "./rules/phrase.ts";
import { removal } from "./rules/removal.ts";
import { rename } from "./rules/rename.ts";
import { sample } from "./rules/sample.ts";
import { script } from "./rules/script.ts";
import { sibling } from "./rules/sibling.ts";
import { signature } from "./rules/signature.ts";
import { snippet } from "./rules/snippet.ts";
import { translation } from "./rules/translation.ts";
import { unsupported } from "./rules/unsupported.ts";
import { version } from "./rules/version.ts";

/** Every rule, in the order they run. Names, the configuration and the documentation derive from this list. */
const all = [
  rename,
  removal,
  phrase,
  signature,
  defaultValue,
  deprecation,
  description,
  enumeration,
  path,
  anchor,
  module,
  script,
  flag,
  snippet,
  sibling,
  unsupported,
  version,
  sample,
  fence,
  translation,
] as const;

export type RuleName = (typeof all)[number]["name"];

export const rules: readonly Rule[] = all;
