import type { Rule } from "../rule.ts";
import { anchor } from "./anchor.ts";
import { defaultValue } from "./default.ts";
import { deprecation } from "./deprecation.ts";
import { description } from "./description.ts";
import { enumeration } from "./enumeration.ts";
import { fence } from "./fence.ts";
import { flag } from "./flag.ts";
import { module } from "./module.ts";
import { path } from "./path.ts";
import { phrase } from "./phrase.ts";
import { removal } from "./removal.ts";
import { rename } from "./rename.ts";
import { sample } from "./sample.ts";
import { script } from "./script.ts";
import { sibling } from "./sibling.ts";
import { signature } from "./signature.ts";
import { snippet } from "./snippet.ts";
import { translation } from "./translation.ts";
import { unsupported } from "./unsupported.ts";
import { version } from "./version.ts";

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
