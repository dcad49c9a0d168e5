import { type ClaimKind, kinds } from "./claims/registry.ts";
import type { Rule } from "./rule.ts";
import { translation } from "./rules/pages/translation.ts";
import { fence } from "./rules/samples/fence.ts";
import { snippet } from "./rules/samples/snippet.ts";

/** Every rule, in the order they run. Names, the configuration and the documentation derive from this list. */
const all = [snippet, fence, translation] as const;

export type RuleName = (typeof all)[number]["name"] | ClaimKind;

export const rules: readonly Rule[] = [
  ...all,
  ...kinds.map(({ name, docs, mayEdit, rules: narrower = [], formerly = {} }) => ({
    name,
    docs,
    mayEdit,
    rules: narrower,
    formerly,
  })),
];
