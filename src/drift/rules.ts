import { type ClaimKind, kinds } from "./claims/registry.ts";
import type { Rule } from "./rule.ts";
import { module } from "./rules/names/module.ts";
import { phrase } from "./rules/names/phrase.ts";
import { removal } from "./rules/names/removal.ts";
import { rename } from "./rules/names/rename.ts";
import { translation } from "./rules/pages/translation.ts";
import { unsupported } from "./rules/pages/unsupported.ts";
import { script } from "./rules/places/script.ts";
import { fence } from "./rules/samples/fence.ts";
import { sample } from "./rules/samples/sample.ts";
import { snippet } from "./rules/samples/snippet.ts";
import { flag } from "./rules/values/flag.ts";
import { signature } from "./rules/values/signature.ts";

/** Every rule, in the order they run. Names, the configuration and the documentation derive from this list. */
const all = [
  rename,
  removal,
  phrase,
  signature,
  module,
  script,
  flag,
  snippet,
  unsupported,
  sample,
  fence,
  translation,
] as const;

export type RuleName = (typeof all)[number]["name"] | ClaimKind;

export const rules: readonly Rule[] = [
  ...all,
  ...kinds
    .filter(({ name }) => !all.some((rule) => rule.name === name))
    .map(({ name, docs, mayEdit, rules: narrower = [], formerly = [] }) => ({
      name,
      docs,
      mayEdit,
      rules: narrower,
      formerly,
    })),
];
